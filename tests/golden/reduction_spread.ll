declare <8 x float> @llvm.maximum.v8f32(<8 x float>, <8 x float>)
declare <8 x float> @llvm.roundeven.v8f32(<8 x float>)
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
  %r7 = alloca [1 x <8 x float>], align 64
  %r25 = alloca [1 x float], align 64
  %r32 = alloca [1 x float], align 64
  %r34 = alloca [1 x <8 x float>], align 64
  %r38 = alloca [1 x <8 x float>], align 64
  %r86 = alloca [1 x float], align 64
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
  %s8 = getelementptr <8 x float>, ptr %r7, i64 0
  store <8 x float> splat (float 0xFFF0000000000000), ptr %s8
  %v12 = mul nsw i64 %i3, 20
  %p14 = getelementptr float, ptr %buffer0, i64 %v12
  br label %before9
before9:
  br label %head9
head9:
  %i9 = phi i64 [ 0, %before9 ], [ %n10, %head9.latch ]
  %v11 = load <8 x float>, ptr %r7 ; s0v 1
  %v13 = mul nsw i64 %i9, 8
  %p15 = getelementptr float, ptr %p14, i64 %v13
  %v16 = load <8 x float>, ptr %p15, align 4
  %v17 = call <8 x float> @llvm.maximum.v8f32(<8 x float> %v11, <8 x float> %v16)
  store <8 x float> %v17, ptr %r7
  br label %head9.latch
head9.latch:
  %n10 = add nuw nsw i64 %i9, 1
  %more9 = icmp slt i64 %n10, 2
  br i1 %more9, label %head9, label %end9
end9:
  br label %before18
before18:
  br label %head18
head18:
  %i18 = phi i64 [ 0, %before18 ], [ %n19, %head18.latch ]
  %v20 = load float, ptr %r5 ; s0 1
  %p21 = getelementptr float, ptr %p14, i64 %i18
  %p22 = getelementptr float, ptr %p21, i64 16
  %v23 = load float, ptr %p22, align 4
  %v24 = call float @llvm.maximum.f32(float %v20, float %v23)
  store float %v24, ptr %r5
  br label %head18.latch
head18.latch:
  %n19 = add nuw nsw i64 %i18, 1
  %more18 = icmp slt i64 %n19, 4
  br i1 %more18, label %head18, label %end18
end18:
  %s26 = getelementptr float, ptr %r25, i64 0
  store float 0x0000000000000000, ptr %s26
  %v27 = load <8 x float>, ptr %r7
  %v28 = call float @llvm.vector.reduce.fmaximum.v8f32(<8 x float> %v27)
  store float %v28, ptr %r25
  %v29 = load float, ptr %r5 ; s0 2
  %v30 = load float, ptr %r25 ; s0p 2
  %v31 = call float @llvm.maximum.f32(float %v29, float %v30)
  store float %v31, ptr %r5
  %s33 = getelementptr float, ptr %r32, i64 0
  store float 0x0000000000000000, ptr %s33
  %s35 = getelementptr <8 x float>, ptr %r34, i64 0
  store <8 x float> splat (float 0x0000000000000000), ptr %s35
  %v43 = load float, ptr %r5 ; s0 3
  %v44 = insertelement <8 x float> poison, float %v43, i64 0
  %v45 = shufflevector <8 x float> %v44, <8 x float> poison, <8 x i32> zeroinitializer
  %p80 = getelementptr float, ptr %buffer1, i64 %v12
  br label %before36
before36:
  br label %head36
head36:
  %i36 = phi i64 [ 0, %before36 ], [ %n37, %head36.latch ]
  %s39 = getelementptr <8 x float>, ptr %r38, i64 0
  store <8 x float> splat (float 0x0000000000000000), ptr %s39
  %v40 = mul nsw i64 %i36, 8
  %p41 = getelementptr float, ptr %p14, i64 %v40
  %v42 = load <8 x float>, ptr %p41, align 4
  %v46 = fsub contract <8 x float> %v42, %v45
  %v47 = fcmp ogt <8 x float> splat (float 0xC055E66660000000), %v46
  %v48 = select <8 x i1> %v47, <8 x float> splat (float 0xC055E66660000000), <8 x float> %v46
  %v49 = fcmp ogt <8 x float> %v48, splat (float 0x4056400000000000)
  %v50 = select <8 x i1> %v49, <8 x float> splat (float 0x4056400000000000), <8 x float> %v48
  %v51 = fmul contract <8 x float> %v50, splat (float 0x3FF7154760000000)
  %v52 = call <8 x float> @llvm.roundeven.v8f32(<8 x float> %v51)
  %v53 = fmul contract <8 x float> %v52, splat (float 0x3FE6300000000000)
  %v54 = fsub contract <8 x float> %v50, %v53
  %v55 = fmul contract <8 x float> %v52, splat (float 0xBF2BD01060000000)
  %v56 = fsub contract <8 x float> %v54, %v55
  %v57 = fmul contract <8 x float> %v56, %v56
  %v58 = fmul contract <8 x float> splat (float 0x3F2A16A540000000), %v56
  %v59 = fadd contract <8 x float> %v58, splat (float 0x3F56D20E40000000)
  %v60 = fmul contract <8 x float> %v59, %v57
  %v61 = fmul contract <8 x float> splat (float 0x3F81110BA0000000), %v56
  %v62 = fadd contract <8 x float> %v61, splat (float 0x3FA5555100000000)
  %v63 = fadd contract <8 x float> %v60, %v62
  %v64 = fmul contract <8 x float> %v63, %v57
  %v65 = fmul contract <8 x float> splat (float 0x3FC5555560000000), %v56
  %v66 = fadd contract <8 x float> %v65, splat (float 0x3FE0000000000000)
  %v67 = fadd contract <8 x float> %v64, %v66
  %v68 = fmul contract <8 x float> %v57, %v67
  %v69 = fadd contract <8 x float> %v56, %v68
  %v70 = fadd contract <8 x float> splat (float 0x3FF0000000000000), %v69
  %v71 = fadd contract <8 x float> %v70, %v70
  %v72 = fsub contract <8 x float> %v52, splat (float 0x3FF0000000000000)
  %v73 = fadd <8 x float> %v72, splat (float 0x4168000000000000)
  %v74 = bitcast <8 x float> %v73 to <8 x i32>
  %v75 = shl <8 x i32> %v74, splat (i32 23)
  %v76 = add <8 x i32> %v75, splat (i32 1065353216)
  %v77 = bitcast <8 x i32> %v76 to <8 x float>
  %v78 = fmul <8 x float> %v71, %v77
  store <8 x float> %v78, ptr %r38
  %v79 = load <8 x float>, ptr %r38 ; s1kv 2
  %p81 = getelementptr float, ptr %p80, i64 %v40
  store <8 x float> %v79, ptr %p81, align 4
  %v82 = load <8 x float>, ptr %r34 ; s1v 1
  %v83 = fadd contract <8 x float> %v82, %v79
  store <8 x float> %v83, ptr %r34
  br label %head36.latch
head36.latch:
  %n37 = add nuw nsw i64 %i36, 1
  %more36 = icmp slt i64 %n37, 2
  br i1 %more36, label %head36, label %end36
end36:
  br label %before84
before84:
  br label %head84
head84:
  %i84 = phi i64 [ 0, %before84 ], [ %n85, %head84.latch ]
  %s87 = getelementptr float, ptr %r86, i64 0
  store float 0x0000000000000000, ptr %s87
  %p88 = getelementptr float, ptr %p14, i64 %i84
  %p89 = getelementptr float, ptr %p88, i64 16
  %v90 = load float, ptr %p89, align 4
  %v91 = fsub contract float %v90, %v43
  %v92 = fcmp ogt float 0xC055E66660000000, %v91
  %v93 = select i1 %v92, float 0xC055E66660000000, float %v91
  %v94 = fcmp ogt float %v93, 0x4056400000000000
  %v95 = select i1 %v94, float 0x4056400000000000, float %v93
  %v96 = fmul contract float %v95, 0x3FF7154760000000
  %v97 = call float @llvm.roundeven.f32(float %v96)
  %v98 = fmul contract float %v97, 0x3FE6300000000000
  %v99 = fsub contract float %v95, %v98
  %v100 = fmul contract float %v97, 0xBF2BD01060000000
  %v101 = fsub contract float %v99, %v100
  %v102 = fmul contract float %v101, %v101
  %v103 = fmul contract float 0x3F2A16A540000000, %v101
  %v104 = fadd contract float %v103, 0x3F56D20E40000000
  %v105 = fmul contract float %v104, %v102
  %v106 = fmul contract float 0x3F81110BA0000000, %v101
  %v107 = fadd contract float %v106, 0x3FA5555100000000
  %v108 = fadd contract float %v105, %v107
  %v109 = fmul contract float %v108, %v102
  %v110 = fmul contract float 0x3FC5555560000000, %v101
  %v111 = fadd contract float %v110, 0x3FE0000000000000
  %v112 = fadd contract float %v109, %v111
  %v113 = fmul contract float %v102, %v112
  %v114 = fadd contract float %v101, %v113
  %v115 = fadd contract float 0x3FF0000000000000, %v114
  %v116 = fadd contract float %v115, %v115
  %v117 = fsub contract float %v97, 0x3FF0000000000000
  %v118 = fadd float %v117, 0x4168000000000000
  %v119 = bitcast float %v118 to i32
  %v120 = shl i32 %v119, 23
  %v121 = add i32 %v120, 1065353216
  %v122 = bitcast i32 %v121 to float
  %v123 = fmul float %v116, %v122
  store float %v123, ptr %r86
  %v124 = load float, ptr %r86 ; s1k 2
  %p125 = getelementptr float, ptr %p80, i64 %i84
  %p126 = getelementptr float, ptr %p125, i64 16
  store float %v124, ptr %p126, align 4
  %v127 = load float, ptr %r32 ; s1 1
  %v128 = fadd contract float %v127, %v124
  store float %v128, ptr %r32
  br label %head84.latch
head84.latch:
  %n85 = add nuw nsw i64 %i84, 1
  %more84 = icmp slt i64 %n85, 4
  br i1 %more84, label %head84, label %end84
end84:
  %s130 = getelementptr float, ptr %r129, i64 0
  store float 0x0000000000000000, ptr %s130
  %v131 = load <8 x float>, ptr %r34
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
  %v152 = insertelement <8 x float> poison, float %v151, i64 0
  %v153 = shufflevector <8 x float> %v152, <8 x float> poison, <8 x i32> zeroinitializer
  br label %before145
before145:
  br label %head145
head145:
  %i145 = phi i64 [ 0, %before145 ], [ %n146, %head145.latch ]
  %v147 = mul nsw i64 %i145, 8
  %p148 = getelementptr float, ptr %p80, i64 %v147
  %v149 = load <8 x float>, ptr %p148, align 4
  %v154 = fmul contract <8 x float> %v149, %v153
  store <8 x float> %v154, ptr %p148, align 4
  br label %head145.latch
head145.latch:
  %n146 = add nuw nsw i64 %i145, 1
  %more145 = icmp slt i64 %n146, 2
  br i1 %more145, label %head145, label %end145
end145:
  br label %before155
before155:
  br label %head155
head155:
  %i155 = phi i64 [ 0, %before155 ], [ %n156, %head155.latch ]
  %p157 = getelementptr float, ptr %p80, i64 %i155
  %p158 = getelementptr float, ptr %p157, i64 16
  %v159 = load float, ptr %p158, align 4
  %v160 = fmul contract float %v159, %v151
  store float %v160, ptr %p158, align 4
  br label %head155.latch
head155.latch:
  %n156 = add nuw nsw i64 %i155, 1
  %more155 = icmp slt i64 %n156, 4
  br i1 %more155, label %head155, label %end155
end155:
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



