define void @pointwise(ptr %buffers, ptr %scratch, i64 %begin, i64 %end) {
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
  %v8 = mul nsw i64 %i3, 20
  %p9 = getelementptr float, ptr %buffer0, i64 %v8
  %p17 = getelementptr float, ptr %buffer2, i64 %i3
  br label %before5
before5:
  br label %head5
head5:
  %i5 = phi i64 [ 0, %before5 ], [ %n6, %head5.latch ]
  %v7 = mul nsw i64 %i5, 8
  %p10 = getelementptr float, ptr %p9, i64 %v7
  %v11 = load <8 x float>, ptr %p10, align 4
  %p12 = getelementptr float, ptr %buffer1, i64 %v7
  %v13 = load <8 x float>, ptr %p12, align 4
  %v14 = fadd contract <8 x float> %v11, %v13
  %v15 = extractelement <8 x float> %v14, i64 0
  %v16 = mul nsw i64 %i5, 24
  %p18 = getelementptr float, ptr %p17, i64 %v16
  store float %v15, ptr %p18, align 4
  %v19 = extractelement <8 x float> %v14, i64 1
  %p20 = getelementptr float, ptr %p18, i64 3
  store float %v19, ptr %p20, align 4
  %v21 = extractelement <8 x float> %v14, i64 2
  %p22 = getelementptr float, ptr %p18, i64 6
  store float %v21, ptr %p22, align 4
  %v23 = extractelement <8 x float> %v14, i64 3
  %p24 = getelementptr float, ptr %p18, i64 9
  store float %v23, ptr %p24, align 4
  %v25 = extractelement <8 x float> %v14, i64 4
  %p26 = getelementptr float, ptr %p18, i64 12
  store float %v25, ptr %p26, align 4
  %v27 = extractelement <8 x float> %v14, i64 5
  %p28 = getelementptr float, ptr %p18, i64 15
  store float %v27, ptr %p28, align 4
  %v29 = extractelement <8 x float> %v14, i64 6
  %p30 = getelementptr float, ptr %p18, i64 18
  store float %v29, ptr %p30, align 4
  %v31 = extractelement <8 x float> %v14, i64 7
  %p32 = getelementptr float, ptr %p18, i64 21
  store float %v31, ptr %p32, align 4
  br label %head5.latch
head5.latch:
  %n6 = add nuw nsw i64 %i5, 1
  %more5 = icmp slt i64 %n6, 2
  br i1 %more5, label %head5, label %end5
end5:
  br label %before33
before33:
  br label %head33
head33:
  %i33 = phi i64 [ 0, %before33 ], [ %n34, %head33.latch ]
  %p35 = getelementptr float, ptr %p9, i64 %i33
  %p36 = getelementptr float, ptr %p35, i64 16
  %v37 = load float, ptr %p36, align 4
  %p38 = getelementptr float, ptr %buffer1, i64 %i33
  %p39 = getelementptr float, ptr %p38, i64 16
  %v40 = load float, ptr %p39, align 4
  %v41 = fadd contract float %v37, %v40
  %v42 = mul nsw i64 %i33, 3
  %p43 = getelementptr float, ptr %p17, i64 %v42
  %p44 = getelementptr float, ptr %p43, i64 48
  store float %v41, ptr %p44, align 4
  br label %head33.latch
head33.latch:
  %n34 = add nuw nsw i64 %i33, 1
  %more33 = icmp slt i64 %n34, 4
  br i1 %more33, label %head33, label %end33
end33:
  br label %head3.latch
head3.latch:
  %n4 = add nuw nsw i64 %i3, 1
  %more3 = icmp slt i64 %n4, 3
  br i1 %more3, label %head3, label %end3
end3:
  br label %head1.latch
head1.latch:
  %n2 = add nuw nsw i64 %i1, 1
  %more1 = icmp slt i64 %n2, %end
  br i1 %more1, label %head1, label %end1
end1:
  ret void
}
