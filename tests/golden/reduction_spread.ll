declare <8 x float> @llvm.maximum.v8f32(<8 x float>, <8 x float>)
declare <8 x float> @llvm.roundeven.v8f32(<8 x float>)
declare float @llvm.arithmetic.fence.f32(float)
declare float @llvm.maximum.f32(float, float)
declare float @llvm.roundeven.f32(float)
declare float @llvm.vector.reduce.fmaximum.v8f32(<8 x float>)

define void @reduction_spread(ptr %buffers, ptr %scratch, i64 %begin, i64 %end) {
entry:
  %at0 = getelementptr ptr, ptr %buffers, i64 0
  %buffer0 = load ptr, ptr %at0
  %at1 = getelementptr ptr, ptr %buffers, i64 1
  %buffer1 = load ptr, ptr %at1
  %r5 = alloca [1 x float], align 64
  %r16 = alloca [1 x <8 x float>], align 64
  %r25 = alloca [1 x float], align 64
  %r32 = alloca [1 x float], align 64
  %r36 = alloca [1 x float], align 64
  %r81 = alloca [1 x <8 x float>], align 64
  %r85 = alloca [1 x <8 x float>], align 64
  %r129 = alloca [1 x float], align 64
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
  store float 0xFFF0000000000000, ptr %s6
  %v10 = mul nsw i64 %i3, 20
  %p11 = getelementptr float, ptr %buffer0, i64 %v10
  br label %before7
before7:
  br label %head7
head7:
  %i7 = phi i64 [ 0, %before7 ], [ %n8, %head7.latch ]
  %v9 = load float, ptr %r5 ; s0 1
  %p12 = getelementptr float, ptr %p11, i64 %i7
  %p13 = getelementptr float, ptr %p12, i64 16
  %v14 = load float, ptr %p13, align 4
  %v15 = call float @llvm.maximum.f32(float %v9, float %v14)
  store float %v15, ptr %r5
  br label %head7.latch
head7.latch:
  %n8 = add nuw nsw i64 %i7, 1
  %more7 = icmp slt i64 %n8, 4
  br i1 %more7, label %head7, label %end7
end7:
  %s17 = getelementptr <8 x float>, ptr %r16, i64 0
  store <8 x float> splat (float 0xFFF0000000000000), ptr %s17
  br label %before18
before18:
  br label %head18
head18:
  %i18 = phi i64 [ 0, %before18 ], [ %n19, %head18.latch ]
  %v20 = load <8 x float>, ptr %r16 ; s0v 1
  %v21 = mul nsw i64 %i18, 8
  %p22 = getelementptr float, ptr %p11, i64 %v21
  %v23 = load <8 x float>, ptr %p22, align 4
  %v24 = call <8 x float> @llvm.maximum.v8f32(<8 x float> %v20, <8 x float> %v23)
  store <8 x float> %v24, ptr %r16
  br label %head18.latch
head18.latch:
  %n19 = add nuw nsw i64 %i18, 1
  %more18 = icmp slt i64 %n19, 2
  br i1 %more18, label %head18, label %end18
end18:
  %s26 = getelementptr float, ptr %r25, i64 0
  store float 0x0000000000000000, ptr %s26
  %v27 = load <8 x float>, ptr %r16
  %v28 = call float @llvm.vector.reduce.fmaximum.v8f32(<8 x float> %v27)
  store float %v28, ptr %r25
  %v29 = load float, ptr %r5 ; s0 2
  %v30 = load float, ptr %r25 ; s0p 2
  %v31 = call float @llvm.maximum.f32(float %v29, float %v30)
  store float %v31, ptr %r5
  %s33 = getelementptr float, ptr %r32, i64 0
  store float 0x0000000000000000, ptr %s33
  %v41 = load float, ptr %r5 ; s0 3
  %p76 = getelementptr float, ptr %buffer1, i64 %v10
  br label %before34
before34:
  br label %head34
head34:
  %i34 = phi i64 [ 0, %before34 ], [ %n35, %head34.latch ]
  %s37 = getelementptr float, ptr %r36, i64 0
  store float 0x0000000000000000, ptr %s37
  %p38 = getelementptr float, ptr %p11, i64 %i34
  %p39 = getelementptr float, ptr %p38, i64 16
  %v40 = load float, ptr %p39, align 4
  %v42 = fsub contract float %v40, %v41
  %v43 = fcmp ogt float 0xC055E66660000000, %v42
  %v44 = select i1 %v43, float 0xC055E66660000000, float %v42
  %v45 = fcmp ogt float %v44, 0x4056400000000000
  %v46 = select i1 %v45, float 0x4056400000000000, float %v44
  %v47 = fmul contract float %v46, 0x3FF7154760000000
  %v48 = call float @llvm.roundeven.f32(float %v47)
  %v49 = fmul contract float %v48, 0x3FE6300000000000
  %v50 = fsub contract float %v46, %v49
  %v51 = fmul contract float %v48, 0xBF2BD01060000000
  %v52 = fsub contract float %v50, %v51
  %v53 = fmul contract float %v52, %v52
  %v54 = fmul contract float 0x3F2A16A540000000, %v52
  %v55 = fadd contract float %v54, 0x3F56D20E40000000
  %v56 = fmul contract float %v55, %v53
  %v57 = fmul contract float 0x3F81110BA0000000, %v52
  %v58 = fadd contract float %v57, 0x3FA5555100000000
  %v59 = fadd contract float %v56, %v58
  %v60 = fmul contract float %v59, %v53
  %v61 = fmul contract float 0x3FC5555560000000, %v52
  %v62 = fadd contract float %v61, 0x3FE0000000000000
  %v63 = fadd contract float %v60, %v62
  %v64 = fmul contract float %v53, %v63
  %v65 = fadd contract float %v52, %v64
  %v66 = fadd contract float 0x3FF0000000000000, %v65
  %v67 = fadd contract float %v66, %v66
  %v68 = fsub contract float %v48, 0x3FF0000000000000
  %v69 = fadd float %v68, 0x4168000000000000
  %v70 = bitcast float %v69 to i32
  %v71 = shl i32 %v70, 23
  %v72 = add i32 %v71, 1065353216
  %v73 = bitcast i32 %v72 to float
  %v74 = fmul float %v67, %v73
  store float %v74, ptr %r36
  %v75 = load float, ptr %r36 ; s1k 2
  %p77 = getelementptr float, ptr %p76, i64 %i34
  %p78 = getelementptr float, ptr %p77, i64 16
  store float %v75, ptr %p78, align 4
  %v79 = load float, ptr %r32 ; s1 1
  %v80 = fadd contract float %v79, %v75
  store float %v80, ptr %r32
  br label %head34.latch
head34.latch:
  %n35 = add nuw nsw i64 %i34, 1
  %more34 = icmp slt i64 %n35, 4
  br i1 %more34, label %head34, label %end34
end34:
  %s82 = getelementptr <8 x float>, ptr %r81, i64 0
  store <8 x float> splat (float 0x0000000000000000), ptr %s82
  %v90 = insertelement <8 x float> poison, float %v41, i64 0
  %v91 = shufflevector <8 x float> %v90, <8 x float> poison, <8 x i32> zeroinitializer
  br label %before83
before83:
  br label %head83
head83:
  %i83 = phi i64 [ 0, %before83 ], [ %n84, %head83.latch ]
  %s86 = getelementptr <8 x float>, ptr %r85, i64 0
  store <8 x float> splat (float 0x0000000000000000), ptr %s86
  %v87 = mul nsw i64 %i83, 8
  %p88 = getelementptr float, ptr %p11, i64 %v87
  %v89 = load <8 x float>, ptr %p88, align 4
  %v92 = fsub contract <8 x float> %v89, %v91
  %v93 = fcmp ogt <8 x float> splat (float 0xC055E66660000000), %v92
  %v94 = select <8 x i1> %v93, <8 x float> splat (float 0xC055E66660000000), <8 x float> %v92
  %v95 = fcmp ogt <8 x float> %v94, splat (float 0x4056400000000000)
  %v96 = select <8 x i1> %v95, <8 x float> splat (float 0x4056400000000000), <8 x float> %v94
  %v97 = fmul contract <8 x float> %v96, splat (float 0x3FF7154760000000)
  %v98 = call <8 x float> @llvm.roundeven.v8f32(<8 x float> %v97)
  %v99 = fmul contract <8 x float> %v98, splat (float 0x3FE6300000000000)
  %v100 = fsub contract <8 x float> %v96, %v99
  %v101 = fmul contract <8 x float> %v98, splat (float 0xBF2BD01060000000)
  %v102 = fsub contract <8 x float> %v100, %v101
  %v103 = fmul contract <8 x float> %v102, %v102
  %v104 = fmul contract <8 x float> splat (float 0x3F2A16A540000000), %v102
  %v105 = fadd contract <8 x float> %v104, splat (float 0x3F56D20E40000000)
  %v106 = fmul contract <8 x float> %v105, %v103
  %v107 = fmul contract <8 x float> splat (float 0x3F81110BA0000000), %v102
  %v108 = fadd contract <8 x float> %v107, splat (float 0x3FA5555100000000)
  %v109 = fadd contract <8 x float> %v106, %v108
  %v110 = fmul contract <8 x float> %v109, %v103
  %v111 = fmul contract <8 x float> splat (float 0x3FC5555560000000), %v102
  %v112 = fadd contract <8 x float> %v111, splat (float 0x3FE0000000000000)
  %v113 = fadd contract <8 x float> %v110, %v112
  %v114 = fmul contract <8 x float> %v103, %v113
  %v115 = fadd contract <8 x float> %v102, %v114
  %v116 = fadd contract <8 x float> splat (float 0x3FF0000000000000), %v115
  %v117 = fadd contract <8 x float> %v116, %v116
  %v118 = fsub contract <8 x float> %v98, splat (float 0x3FF0000000000000)
  %v119 = fadd <8 x float> %v118, splat (float 0x4168000000000000)
  %v120 = bitcast <8 x float> %v119 to <8 x i32>
  %v121 = shl <8 x i32> %v120, splat (i32 23)
  %v122 = add <8 x i32> %v121, splat (i32 1065353216)
  %v123 = bitcast <8 x i32> %v122 to <8 x float>
  %v124 = fmul <8 x float> %v117, %v123
  store <8 x float> %v124, ptr %r85
  %v125 = load <8 x float>, ptr %r85 ; s1vk 2
  %p126 = getelementptr float, ptr %p76, i64 %v87
  store <8 x float> %v125, ptr %p126, align 4
  %v127 = load <8 x float>, ptr %r81 ; s1v 1
  %v128 = fadd contract <8 x float> %v127, %v125
  store <8 x float> %v128, ptr %r81
  br label %head83.latch
head83.latch:
  %n84 = add nuw nsw i64 %i83, 1
  %more83 = icmp slt i64 %n84, 2
  br i1 %more83, label %head83, label %end83
end83:
  %s130 = getelementptr float, ptr %r129, i64 0
  store float 0x0000000000000000, ptr %s130
  %v131 = load <8 x float>, ptr %r81
  %v132 = shufflevector <8 x float> %v131, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v133 = shufflevector <8 x float> %v131, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v134 = fadd <4 x float> %v132, %v133
  %v135 = shufflevector <4 x float> %v134, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v136 = shufflevector <4 x float> %v134, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v137 = fadd <2 x float> %v135, %v136
  %v138 = shufflevector <2 x float> %v137, <2 x float> poison, <1 x i32> <i32 0>
  %v139 = shufflevector <2 x float> %v137, <2 x float> poison, <1 x i32> <i32 1>
  %v140 = fadd <1 x float> %v138, %v139
  %v141 = extractelement <1 x float> %v140, i64 0
  store float %v141, ptr %r129
  %v142 = load float, ptr %r32 ; s1 2
  %v143 = load float, ptr %r129 ; s1p 2
  %v144 = fadd contract float %v142, %v143
  store float %v144, ptr %r32
  %v150 = load float, ptr %r32 ; s1 3
  %v151 = fdiv float 0x3FF0000000000000, %v150
  %v152 = call float @llvm.arithmetic.fence.f32(float %v151)
  %v153 = insertelement <8 x float> poison, float %v152, i64 0
  %v154 = shufflevector <8 x float> %v153, <8 x float> poison, <8 x i32> zeroinitializer
  br label %before145
before145:
  br label %head145
head145:
  %i145 = phi i64 [ 0, %before145 ], [ %n146, %head145.latch ]
  %v147 = mul nsw i64 %i145, 8
  %p148 = getelementptr float, ptr %p76, i64 %v147
  %v149 = load <8 x float>, ptr %p148, align 4
  %v155 = fmul contract <8 x float> %v149, %v154
  store <8 x float> %v155, ptr %p148, align 4
  br label %head145.latch
head145.latch:
  %n146 = add nuw nsw i64 %i145, 1
  %more145 = icmp slt i64 %n146, 2
  br i1 %more145, label %head145, label %end145
end145:
  br label %before156
before156:
  br label %head156
head156:
  %i156 = phi i64 [ 0, %before156 ], [ %n157, %head156.latch ]
  %p158 = getelementptr float, ptr %p76, i64 %i156
  %p159 = getelementptr float, ptr %p158, i64 16
  %v160 = load float, ptr %p159, align 4
  %v161 = fmul contract float %v160, %v152
  store float %v161, ptr %p159, align 4
  br label %head156.latch
head156.latch:
  %n157 = add nuw nsw i64 %i156, 1
  %more156 = icmp slt i64 %n157, 4
  br i1 %more156, label %head156, label %end156
end156:
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
