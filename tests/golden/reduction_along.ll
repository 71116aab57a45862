

define void @reduction_along(ptr %buffers, ptr %scratch, i64 %begin, i64 %end) {
entry:
  %at0 = getelementptr ptr, ptr %buffers, i64 0
  %buffer0 = load ptr, ptr %at0
  %at1 = getelementptr ptr, ptr %buffers, i64 1
  %buffer1 = load ptr, ptr %at1
  %r5 = alloca [1 x float], align 64
  %r16 = alloca [4 x <8 x float>], align 64
  %r52 = alloca [1 x float], align 64
  %s28 = getelementptr <8 x float>, ptr %r16, i64 1
  %s33 = getelementptr <8 x float>, ptr %r16, i64 2
  %s38 = getelementptr <8 x float>, ptr %r16, i64 3
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
  %s18 = getelementptr <8 x float>, ptr %r16, i64 1
  store <8 x float> splat (float 0x0000000000000000), ptr %s18
  %s19 = getelementptr <8 x float>, ptr %r16, i64 2
  store <8 x float> splat (float 0x0000000000000000), ptr %s19
  %s20 = getelementptr <8 x float>, ptr %r16, i64 3
  store <8 x float> splat (float 0x0000000000000000), ptr %s20
  br label %before21
before21:
  br label %head21
head21:
  %i21 = phi i64 [ 0, %before21 ], [ %n22, %head21.latch ]
  %v23 = load <8 x float>, ptr %r16 ; s0v 1
  %v24 = mul nsw i64 %i21, 32
  %p25 = getelementptr float, ptr %p11, i64 %v24
  %v26 = load <8 x float>, ptr %p25, align 4
  %v27 = fadd contract <8 x float> %v23, %v26
  store <8 x float> %v27, ptr %r16
  %v29 = load <8 x float>, ptr %s28 ; s0v 2
  %p30 = getelementptr float, ptr %p25, i64 8
  %v31 = load <8 x float>, ptr %p30, align 4
  %v32 = fadd contract <8 x float> %v29, %v31
  store <8 x float> %v32, ptr %s28
  %v34 = load <8 x float>, ptr %s33 ; s0v 3
  %p35 = getelementptr float, ptr %p25, i64 16
  %v36 = load <8 x float>, ptr %p35, align 4
  %v37 = fadd contract <8 x float> %v34, %v36
  store <8 x float> %v37, ptr %s33
  %v39 = load <8 x float>, ptr %s38 ; s0v 4
  %p40 = getelementptr float, ptr %p25, i64 24
  %v41 = load <8 x float>, ptr %p40, align 4
  %v42 = fadd contract <8 x float> %v39, %v41
  store <8 x float> %v42, ptr %s38
  br label %head21.latch
head21.latch:
  %n22 = add nuw nsw i64 %i21, 1
  %more21 = icmp slt i64 %n22, 2
  br i1 %more21, label %head21, label %end21
end21:
  %v43 = load <8 x float>, ptr %r16 ; s0v 5
  %v44 = load <8 x float>, ptr %s28 ; s0v 5
  %v45 = fadd contract <8 x float> %v43, %v44
  store <8 x float> %v45, ptr %r16
  %v46 = load <8 x float>, ptr %r16 ; s0v 6
  %v47 = load <8 x float>, ptr %s33 ; s0v 6
  %v48 = fadd contract <8 x float> %v46, %v47
  store <8 x float> %v48, ptr %r16
  %v49 = load <8 x float>, ptr %r16 ; s0v 7
  %v50 = load <8 x float>, ptr %s38 ; s0v 7
  %v51 = fadd contract <8 x float> %v49, %v50
  store <8 x float> %v51, ptr %r16
  %s53 = getelementptr float, ptr %r52, i64 0
  store float 0x0000000000000000, ptr %s53
  %v54 = load <8 x float>, ptr %r16
  %v55 = shufflevector <8 x float> %v54, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v56 = shufflevector <8 x float> %v54, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v57 = fadd <4 x float> %v55, %v56
  %v58 = shufflevector <4 x float> %v57, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v59 = shufflevector <4 x float> %v57, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v60 = fadd <2 x float> %v58, %v59
  %v61 = shufflevector <2 x float> %v60, <2 x float> poison, <1 x i32> <i32 0>
  %v62 = shufflevector <2 x float> %v60, <2 x float> poison, <1 x i32> <i32 1>
  %v63 = fadd <1 x float> %v61, %v62
  %v64 = extractelement <1 x float> %v63, i64 0
  store float %v64, ptr %r52
  %v65 = load float, ptr %r5 ; s0 2
  %v66 = load float, ptr %r52 ; s0p 2
  %v67 = fadd contract float %v65, %v66
  store float %v67, ptr %r5
  %v68 = load float, ptr %r5 ; s0 3
  %p69 = getelementptr float, ptr %buffer1, i64 %i3
  store float %v68, ptr %p69, align 4
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



