define void @reduction_along(ptr %buffers, ptr %scratch, i64 %begin, i64 %end) {
entry:
  %at0 = getelementptr ptr, ptr %buffers, i64 0
  %buffer0 = load ptr, ptr %at0
  %at1 = getelementptr ptr, ptr %buffers, i64 1
  %buffer1 = load ptr, ptr %at1
  %r5 = alloca [1 x float], align 64
  %r16 = alloca [1 x <8 x float>], align 64
  %r42 = alloca [1 x float], align 64
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
  %s6 = getelementptr float, ptr %r5, i64 0
  store float 0x0000000000000000, ptr %s6
  %v10 = mul nsw i64 %i3, 70
  %p11 = getelementptr float, ptr %buffer0, i64 %v10
  br label %before7
before7:
  br label %head7
head7:
  %i7 = phi i64 [ 0, %before7 ], [ %n8, %head7.latch ]
  %v9 = load float, ptr %r5 ; s0 1
  %p12 = getelementptr float, ptr %p11, i64 %i7
  %p13 = getelementptr float, ptr %p12, i64 64
  %v14 = load float, ptr %p13, align 4
  %v15 = fadd contract float %v9, %v14
  store float %v15, ptr %r5
  br label %head7.latch
head7.latch:
  %n8 = add nuw nsw i64 %i7, 1
  %more7 = icmp slt i64 %n8, 6
  br i1 %more7, label %head7, label %end7
end7:
  %s17 = getelementptr <8 x float>, ptr %r16, i64 0
  store <8 x float> splat (float 0x0000000000000000), ptr %s17
  %v18 = load <8 x float>, ptr %r16 ; s0v 1
  %v19 = load <8 x float>, ptr %p11, align 4
  %p20 = getelementptr float, ptr %p11, i64 8
  %v21 = load <8 x float>, ptr %p20, align 4
  %p22 = getelementptr float, ptr %p11, i64 16
  %v23 = load <8 x float>, ptr %p22, align 4
  %p24 = getelementptr float, ptr %p11, i64 24
  %v25 = load <8 x float>, ptr %p24, align 4
  %p26 = getelementptr float, ptr %p11, i64 32
  %v27 = load <8 x float>, ptr %p26, align 4
  %p28 = getelementptr float, ptr %p11, i64 40
  %v29 = load <8 x float>, ptr %p28, align 4
  %p30 = getelementptr float, ptr %p11, i64 48
  %v31 = load <8 x float>, ptr %p30, align 4
  %p32 = getelementptr float, ptr %p11, i64 56
  %v33 = load <8 x float>, ptr %p32, align 4
  %v34 = fadd contract <8 x float> %v19, %v21
  %v35 = fadd contract <8 x float> %v23, %v25
  %v36 = fadd contract <8 x float> %v34, %v35
  %v37 = fadd contract <8 x float> %v27, %v29
  %v38 = fadd contract <8 x float> %v31, %v33
  %v39 = fadd contract <8 x float> %v37, %v38
  %v40 = fadd contract <8 x float> %v36, %v39
  %v41 = fadd contract <8 x float> %v18, %v40
  store <8 x float> %v41, ptr %r16
  %s43 = getelementptr float, ptr %r42, i64 0
  store float 0x0000000000000000, ptr %s43
  %v44 = load <8 x float>, ptr %r16
  %v45 = shufflevector <8 x float> %v44, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v46 = shufflevector <8 x float> %v44, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v47 = fadd <4 x float> %v45, %v46
  %v48 = shufflevector <4 x float> %v47, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v49 = shufflevector <4 x float> %v47, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v50 = fadd <2 x float> %v48, %v49
  %v51 = shufflevector <2 x float> %v50, <2 x float> poison, <1 x i32> <i32 0>
  %v52 = shufflevector <2 x float> %v50, <2 x float> poison, <1 x i32> <i32 1>
  %v53 = fadd <1 x float> %v51, %v52
  %v54 = extractelement <1 x float> %v53, i64 0
  store float %v54, ptr %r42
  %v55 = load float, ptr %r5 ; s0 2
  %v56 = load float, ptr %r42 ; s0p 2
  %v57 = fadd contract float %v55, %v56
  store float %v57, ptr %r5
  %v58 = load float, ptr %r5 ; s0 3
  %p59 = getelementptr float, ptr %buffer1, i64 %i3
  store float %v58, ptr %p59, align 4
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
