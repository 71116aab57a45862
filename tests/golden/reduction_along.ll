

define void @reduction_along(ptr %buffers, ptr %scratch, i64 %begin, i64 %end) {
entry:
  %at0 = getelementptr ptr, ptr %buffers, i64 0
  %buffer0 = load ptr, ptr %at0
  %at1 = getelementptr ptr, ptr %buffers, i64 1
  %buffer1 = load ptr, ptr %at1
  %r5 = alloca [1 x float], align 64
  %r7 = alloca [4 x <8 x float>], align 64
  %r52 = alloca [1 x float], align 64
  %s21 = getelementptr <8 x float>, ptr %r7, i64 1
  %s26 = getelementptr <8 x float>, ptr %r7, i64 2
  %s31 = getelementptr <8 x float>, ptr %r7, i64 3
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
  %s8 = getelementptr <8 x float>, ptr %r7, i64 0
  store <8 x float> splat (float 0x0000000000000000), ptr %s8
  %s9 = getelementptr <8 x float>, ptr %r7, i64 1
  store <8 x float> splat (float 0x0000000000000000), ptr %s9
  %s10 = getelementptr <8 x float>, ptr %r7, i64 2
  store <8 x float> splat (float 0x0000000000000000), ptr %s10
  %s11 = getelementptr <8 x float>, ptr %r7, i64 3
  store <8 x float> splat (float 0x0000000000000000), ptr %s11
  %v15 = mul nsw i64 %i3, 70
  %p17 = getelementptr float, ptr %buffer0, i64 %v15
  br label %before12
before12:
  br label %head12
head12:
  %i12 = phi i64 [ 0, %before12 ], [ %n13, %head12.latch ]
  %v14 = load <8 x float>, ptr %r7 ; s0v 1
  %v16 = mul nsw i64 %i12, 32
  %p18 = getelementptr float, ptr %p17, i64 %v16
  %v19 = load <8 x float>, ptr %p18, align 4
  %v20 = fadd contract <8 x float> %v14, %v19
  store <8 x float> %v20, ptr %r7
  %v22 = load <8 x float>, ptr %s21 ; s0v 2
  %p23 = getelementptr float, ptr %p18, i64 8
  %v24 = load <8 x float>, ptr %p23, align 4
  %v25 = fadd contract <8 x float> %v22, %v24
  store <8 x float> %v25, ptr %s21
  %v27 = load <8 x float>, ptr %s26 ; s0v 3
  %p28 = getelementptr float, ptr %p18, i64 16
  %v29 = load <8 x float>, ptr %p28, align 4
  %v30 = fadd contract <8 x float> %v27, %v29
  store <8 x float> %v30, ptr %s26
  %v32 = load <8 x float>, ptr %s31 ; s0v 4
  %p33 = getelementptr float, ptr %p18, i64 24
  %v34 = load <8 x float>, ptr %p33, align 4
  %v35 = fadd contract <8 x float> %v32, %v34
  store <8 x float> %v35, ptr %s31
  br label %head12.latch
head12.latch:
  %n13 = add nuw nsw i64 %i12, 1
  %more12 = icmp slt i64 %n13, 2
  br i1 %more12, label %head12, label %end12
end12:
  br label %before36
before36:
  br label %head36
head36:
  %i36 = phi i64 [ 0, %before36 ], [ %n37, %head36.latch ]
  %v38 = load float, ptr %r5 ; s0 1
  %p39 = getelementptr float, ptr %p17, i64 %i36
  %p40 = getelementptr float, ptr %p39, i64 64
  %v41 = load float, ptr %p40, align 4
  %v42 = fadd contract float %v38, %v41
  store float %v42, ptr %r5
  br label %head36.latch
head36.latch:
  %n37 = add nuw nsw i64 %i36, 1
  %more36 = icmp slt i64 %n37, 6
  br i1 %more36, label %head36, label %end36
end36:
  %v43 = load <8 x float>, ptr %r7 ; s0v 5
  %v44 = load <8 x float>, ptr %s21 ; s0v 5
  %v45 = fadd contract <8 x float> %v43, %v44
  store <8 x float> %v45, ptr %r7
  %v46 = load <8 x float>, ptr %r7 ; s0v 6
  %v47 = load <8 x float>, ptr %s26 ; s0v 6
  %v48 = fadd contract <8 x float> %v46, %v47
  store <8 x float> %v48, ptr %r7
  %v49 = load <8 x float>, ptr %r7 ; s0v 7
  %v50 = load <8 x float>, ptr %s31 ; s0v 7
  %v51 = fadd contract <8 x float> %v49, %v50
  store <8 x float> %v51, ptr %r7
  %s53 = getelementptr float, ptr %r52, i64 0
  store float 0x0000000000000000, ptr %s53
  %v54 = load <8 x float>, ptr %r7
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



