define void @reduction_across(ptr %buffers, ptr %scratch, i64 %begin, i64 %end) {
entry:
  %at0 = getelementptr ptr, ptr %buffers, i64 0
  %buffer0 = load ptr, ptr %at0
  %at1 = getelementptr ptr, ptr %buffers, i64 1
  %buffer1 = load ptr, ptr %at1
  %r9 = alloca [2 x <8 x float>], align 64
  %r32 = alloca [1 x float], align 64
  %s21 = getelementptr <8 x float>, ptr %r9, i64 1
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
  %v5 = icmp slt i64 %i3, 1
  %v15 = mul nsw i64 %i3, 16
  %p17 = getelementptr float, ptr %buffer0, i64 %v15
  %p27 = getelementptr float, ptr %buffer1, i64 %v15
  %p29 = getelementptr float, ptr %p27, i64 8
  br i1 %v5, label %yes6, label %no7
yes6:
  %s10 = getelementptr <8 x float>, ptr %r9, i64 0
  store <8 x float> splat (float 0x0000000000000000), ptr %s10
  %s11 = getelementptr <8 x float>, ptr %r9, i64 1
  store <8 x float> splat (float 0x0000000000000000), ptr %s11
  br label %before12
before12:
  br label %head12
head12:
  %i12 = phi i64 [ 0, %before12 ], [ %n13, %head12.latch ]
  %v14 = load <8 x float>, ptr %r9 ; s0x2 1
  %v16 = mul nsw i64 %i12, 20
  %p18 = getelementptr float, ptr %p17, i64 %v16
  %v19 = load <8 x float>, ptr %p18, align 4
  %v20 = fadd contract <8 x float> %v14, %v19
  store <8 x float> %v20, ptr %r9
  %v22 = load <8 x float>, ptr %s21 ; s0x2 2
  %p23 = getelementptr float, ptr %p18, i64 8
  %v24 = load <8 x float>, ptr %p23, align 4
  %v25 = fadd contract <8 x float> %v22, %v24
  store <8 x float> %v25, ptr %s21
  br label %head12.latch
head12.latch:
  %n13 = add nuw nsw i64 %i12, 1
  %more12 = icmp slt i64 %n13, 3
  br i1 %more12, label %head12, label %end12
end12:
  %v26 = load <8 x float>, ptr %r9 ; s0x2 3
  store <8 x float> %v26, ptr %p27, align 4
  %v28 = load <8 x float>, ptr %s21 ; s0x2 3
  store <8 x float> %v28, ptr %p29, align 4
  br label %done8
no7:
  br label %before30
before30:
  br label %head30
head30:
  %i30 = phi i64 [ 0, %before30 ], [ %n31, %head30.latch ]
  %s33 = getelementptr float, ptr %r32, i64 0
  store float 0x0000000000000000, ptr %s33
  %p38 = getelementptr float, ptr %buffer0, i64 %i30
  br label %before34
before34:
  br label %head34
head34:
  %i34 = phi i64 [ 0, %before34 ], [ %n35, %head34.latch ]
  %v36 = load float, ptr %r32 ; s0x0 1
  %v37 = mul nsw i64 %i34, 20
  %p39 = getelementptr float, ptr %p38, i64 %v37
  %p40 = getelementptr float, ptr %p39, i64 16
  %v41 = load float, ptr %p40, align 4
  %v42 = fadd contract float %v36, %v41
  store float %v42, ptr %r32
  br label %head34.latch
head34.latch:
  %n35 = add nuw nsw i64 %i34, 1
  %more34 = icmp slt i64 %n35, 3
  br i1 %more34, label %head34, label %end34
end34:
  %v43 = load float, ptr %r32 ; s0x0 2
  %p44 = getelementptr float, ptr %buffer1, i64 %i30
  %p45 = getelementptr float, ptr %p44, i64 16
  store float %v43, ptr %p45, align 4
  br label %head30.latch
head30.latch:
  %n31 = add nuw nsw i64 %i30, 1
  %more30 = icmp slt i64 %n31, 4
  br i1 %more30, label %head30, label %end30
end30:
  br label %done8
done8:
  br label %head3.latch
head3.latch:
  %n4 = add nuw nsw i64 %i3, 1
  %more3 = icmp slt i64 %n4, 2
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
