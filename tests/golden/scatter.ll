define void @scatter(ptr %buffers, ptr %scratch, i64 %begin, i64 %end) {
entry:
  %at0 = getelementptr ptr, ptr %buffers, i64 0
  %buffer0 = load ptr, ptr %at0
  %at1 = getelementptr ptr, ptr %buffers, i64 1
  %buffer1 = load ptr, ptr %at1
  %at2 = getelementptr ptr, ptr %buffers, i64 2
  %buffer2 = load ptr, ptr %at2
  br label %before1
before1:
  br label %head1
head1:
  %i1 = phi i64 [ %begin, %before1 ], [ %n2, %head1.latch ]
  br label %before3
before3:
  br label %head3
head3:
  %i3 = phi i64 [ 0, %before3 ], [ %n4, %head3.latch ]
  %v7 = mul nsw i64 %i3, 20
  %p9 = getelementptr float, ptr %buffer2, i64 %v7
  br label %before5
before5:
  br label %head5
head5:
  %i5 = phi i64 [ 0, %before5 ], [ %n6, %head5.latch ]
  %v8 = mul nsw i64 %i5, 8
  %p10 = getelementptr float, ptr %p9, i64 %v8
  store <8 x float> splat (float 0x0000000000000000), ptr %p10, align 4
  br label %head5.latch
head5.latch:
  %n6 = add nuw nsw i64 %i5, 1
  %more5 = icmp slt i64 %n6, 2
  br i1 %more5, label %head5, label %end5
end5:
  br label %before11
before11:
  br label %head11
head11:
  %i11 = phi i64 [ 0, %before11 ], [ %n12, %head11.latch ]
  %p13 = getelementptr float, ptr %p9, i64 %i11
  %p14 = getelementptr float, ptr %p13, i64 16
  store float 0x0000000000000000, ptr %p14, align 4
  br label %head11.latch
head11.latch:
  %n12 = add nuw nsw i64 %i11, 1
  %more11 = icmp slt i64 %n12, 4
  br i1 %more11, label %head11, label %end11
end11:
  br label %head3.latch
head3.latch:
  %n4 = add nuw nsw i64 %i3, 1
  %more3 = icmp slt i64 %n4, 4
  br i1 %more3, label %head3, label %end3
end3:
  br label %before15
before15:
  br label %head15
head15:
  %i15 = phi i64 [ 0, %before15 ], [ %n16, %head15.latch ]
  %p19 = getelementptr float, ptr %buffer0, i64 %i15
  %v27 = mul nsw i64 %i15, 20
  %p28 = getelementptr float, ptr %buffer1, i64 %v27
  br label %before17
before17:
  br label %head17
head17:
  %i17 = phi i64 [ 0, %before17 ], [ %n18, %head17.latch ]
  %v20 = load i32, ptr %p19, align 4
  %v21 = zext i32 %v20 to i64
  %v22 = mul nsw i64 %v21, 20
  %v23 = mul nsw i64 %i17, 8
  %p24 = getelementptr float, ptr %buffer2, i64 %v22
  %p25 = getelementptr float, ptr %p24, i64 %v23
  %v26 = load <8 x float>, ptr %p25, align 4
  %p29 = getelementptr float, ptr %p28, i64 %v23
  %v30 = load <8 x float>, ptr %p29, align 4
  %v31 = fadd contract <8 x float> %v26, %v30
  %v32 = load i32, ptr %p19, align 4
  %v33 = zext i32 %v32 to i64
  %v34 = mul nsw i64 %v33, 20
  %p35 = getelementptr float, ptr %buffer2, i64 %v34
  %p36 = getelementptr float, ptr %p35, i64 %v23
  store <8 x float> %v31, ptr %p36, align 4
  br label %head17.latch
head17.latch:
  %n18 = add nuw nsw i64 %i17, 1
  %more17 = icmp slt i64 %n18, 2
  br i1 %more17, label %head17, label %end17
end17:
  br label %before37
before37:
  br label %head37
head37:
  %i37 = phi i64 [ 0, %before37 ], [ %n38, %head37.latch ]
  %v39 = load i32, ptr %p19, align 4
  %v40 = zext i32 %v39 to i64
  %v41 = mul nsw i64 %v40, 20
  %p42 = getelementptr float, ptr %buffer2, i64 %v41
  %p43 = getelementptr float, ptr %p42, i64 %i37
  %p44 = getelementptr float, ptr %p43, i64 16
  %v45 = load float, ptr %p44, align 4
  %p46 = getelementptr float, ptr %p28, i64 %i37
  %p47 = getelementptr float, ptr %p46, i64 16
  %v48 = load float, ptr %p47, align 4
  %v49 = fadd contract float %v45, %v48
  %v50 = load i32, ptr %p19, align 4
  %v51 = zext i32 %v50 to i64
  %v52 = mul nsw i64 %v51, 20
  %p53 = getelementptr float, ptr %buffer2, i64 %v52
  %p54 = getelementptr float, ptr %p53, i64 %i37
  %p55 = getelementptr float, ptr %p54, i64 16
  store float %v49, ptr %p55, align 4
  br label %head37.latch
head37.latch:
  %n38 = add nuw nsw i64 %i37, 1
  %more37 = icmp slt i64 %n38, 4
  br i1 %more37, label %head37, label %end37
end37:
  br label %head15.latch
head15.latch:
  %n16 = add nuw nsw i64 %i15, 1
  %more15 = icmp slt i64 %n16, 5
  br i1 %more15, label %head15, label %end15
end15:
  br label %head1.latch
head1.latch:
  %n2 = add nuw nsw i64 %i1, 1
  %more1 = icmp slt i64 %n2, %end
  br i1 %more1, label %head1, label %end1
end1:
  ret void
}
