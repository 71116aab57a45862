declare <8 x float> @llvm.roundeven.v8f32(<8 x float>)
declare i64 @llvm.smin.i64(i64, i64)
declare void @contract.4x2x8.0.0(ptr, ptr, ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i1)

define void @attention_gradient(ptr %buffers, ptr %scratch, i64 %begin, i64 %end) {
entry:
  %at0 = getelementptr ptr, ptr %buffers, i64 0
  %buffer0 = load ptr, ptr %at0
  %at1 = getelementptr ptr, ptr %buffers, i64 1
  %buffer1 = load ptr, ptr %at1
  %at2 = getelementptr ptr, ptr %buffers, i64 2
  %buffer2 = load ptr, ptr %at2
  %at3 = getelementptr ptr, ptr %buffers, i64 3
  %buffer3 = load ptr, ptr %at3
  %at4 = getelementptr ptr, ptr %buffers, i64 4
  %buffer4 = load ptr, ptr %at4
  %at5 = getelementptr ptr, ptr %buffers, i64 5
  %buffer5 = load ptr, ptr %at5
  %at6 = getelementptr ptr, ptr %buffers, i64 6
  %buffer6 = load ptr, ptr %at6
  %at7 = getelementptr ptr, ptr %buffers, i64 7
  %buffer7 = load ptr, ptr %at7
  %at8 = getelementptr ptr, ptr %buffers, i64 8
  %buffer8 = load ptr, ptr %at8
  %at9 = getelementptr ptr, ptr %buffers, i64 9
  %buffer9 = load ptr, ptr %at9
  %at10 = getelementptr ptr, ptr %buffers, i64 10
  %buffer10 = load ptr, ptr %at10
  %buffer11 = getelementptr float, ptr %scratch, i64 0
  %buffer12 = getelementptr float, ptr %scratch, i64 64
  %buffer13 = getelementptr float, ptr %scratch, i64 128
  %buffer14 = getelementptr float, ptr %scratch, i64 192
  br label %before1
before1:
  br label %head1
head1:
  %i1 = phi i64 [ %begin, %before1 ], [ %n2, %head1.latch ]
  %v3 = icmp slt i64 %i1, 8
  %v14 = udiv i64 %i1, 4
  %v15 = urem i64 %v14, 2
  %v16 = mul nsw i64 %v15, 256
  %v17 = urem i64 %i1, 4
  %v18 = mul nsw i64 %v17, 64
  %p19 = getelementptr float, ptr %buffer0, i64 %v16
  %p20 = getelementptr float, ptr %p19, i64 %v18
  %p21 = getelementptr float, ptr %buffer7, i64 %v16
  %p22 = getelementptr float, ptr %buffer3, i64 %v16
  %p23 = getelementptr float, ptr %p22, i64 %v18
  %p24 = getelementptr float, ptr %buffer8, i64 %v16
  %v30 = mul nsw i64 %v17, 4
  %v40 = mul nsw i64 %v15, 16
  %p41 = getelementptr float, ptr %buffer4, i64 %v40
  %p42 = getelementptr float, ptr %p41, i64 %v30
  %p87 = getelementptr float, ptr %buffer5, i64 %v40
  %p88 = getelementptr float, ptr %p87, i64 %v30
  %p529 = getelementptr float, ptr %buffer1, i64 %v16
  %v535 = udiv i64 %v14, 2
  %v536 = mul nsw i64 %v535, 512
  %v537 = mul nsw i64 %v17, 128
  %p539 = getelementptr float, ptr %buffer10, i64 %v40
  %p540 = getelementptr float, ptr %p539, i64 %v536
  %p541 = getelementptr float, ptr %p540, i64 %v537
  %p557 = getelementptr float, ptr %p529, i64 %v18
  %p558 = getelementptr float, ptr %buffer6, i64 %v16
  %p559 = getelementptr float, ptr %buffer2, i64 %v16
  %p560 = getelementptr float, ptr %p559, i64 %v18
  %p561 = getelementptr float, ptr %buffer9, i64 %v16
  %v567 = mul nsw i64 %v17, -4
  %p577 = getelementptr float, ptr %p41, i64 512
  %p624 = getelementptr float, ptr %p41, i64 520
  %p665 = getelementptr float, ptr %p87, i64 8
  %p742 = getelementptr float, ptr %p41, i64 513
  %p746 = getelementptr float, ptr %p41, i64 514
  %p750 = getelementptr float, ptr %p41, i64 515
  %p754 = getelementptr float, ptr %p41, i64 516
  %p758 = getelementptr float, ptr %p41, i64 517
  %p762 = getelementptr float, ptr %p41, i64 518
  %p766 = getelementptr float, ptr %p41, i64 519
  %p838 = getelementptr float, ptr %p87, i64 1
  %p842 = getelementptr float, ptr %p87, i64 2
  %p846 = getelementptr float, ptr %p87, i64 3
  %p850 = getelementptr float, ptr %p87, i64 4
  %p854 = getelementptr float, ptr %p87, i64 5
  %p858 = getelementptr float, ptr %p87, i64 6
  %p862 = getelementptr float, ptr %p87, i64 7
  %p953 = getelementptr float, ptr %p41, i64 521
  %p957 = getelementptr float, ptr %p41, i64 522
  %p961 = getelementptr float, ptr %p41, i64 523
  %p965 = getelementptr float, ptr %p41, i64 524
  %p969 = getelementptr float, ptr %p41, i64 525
  %p973 = getelementptr float, ptr %p41, i64 526
  %p977 = getelementptr float, ptr %p41, i64 527
  %p1049 = getelementptr float, ptr %p87, i64 9
  %p1053 = getelementptr float, ptr %p87, i64 10
  %p1057 = getelementptr float, ptr %p87, i64 11
  %p1061 = getelementptr float, ptr %p87, i64 12
  %p1065 = getelementptr float, ptr %p87, i64 13
  %p1069 = getelementptr float, ptr %p87, i64 14
  %p1073 = getelementptr float, ptr %p87, i64 15
  br i1 %v3, label %yes4, label %no5
yes4:
  br label %before7
before7:
  br label %head7
head7:
  %i7 = phi i64 [ 0, %before7 ], [ %n8, %head7.latch ]
  %v9 = mul nsw i64 %i7, 8
  %p10 = getelementptr float, ptr %buffer13, i64 %v9
  store <8 x float> splat (float 0x0000000000000000), ptr %p10, align 4
  br label %head7.latch
head7.latch:
  %n8 = add nuw nsw i64 %i7, 1
  %more7 = icmp slt i64 %n8, 8
  br i1 %more7, label %head7, label %end7
end7:
  %v11 = call i64 @llvm.smin.i64(i64 1, i64 1)
  %more12.some = icmp slt i64 0, %v11
  br i1 %more12.some, label %before12, label %end12
before12:
  br label %head12
head12:
  %i12 = phi i64 [ 0, %before12 ], [ %n13, %head12.latch ]
  call void @contract.4x2x8.0.0(ptr %buffer11, ptr %p20, ptr %p21, i64 1, i64 1, i64 16, i64 0, i64 0, i64 1, i64 0, i64 0, i64 16, i64 16, i64 8, i1 true)
  call void @contract.4x2x8.0.0(ptr %buffer12, ptr %p23, ptr %p24, i64 1, i64 1, i64 16, i64 0, i64 0, i64 1, i64 0, i64 0, i64 16, i64 16, i64 8, i1 true)
  br label %head12.latch
head12.latch:
  %n13 = add nuw nsw i64 %i12, 1
  %more12 = icmp slt i64 %n13, %v11
  br i1 %more12, label %head12, label %end12
end12:
  br label %before25
before25:
  br label %head25
head25:
  %i25 = phi i64 [ 0, %before25 ], [ %n26, %head25.latch ]
  %v27 = call i64 @llvm.smin.i64(i64 1, i64 1)
  %v31 = add nsw i64 %v30, %i25
  %v32 = add nsw i64 %v31, -15
  %v33 = icmp sge i64 %v32, 0
  %v37 = mul nsw i64 %i25, 16
  %p38 = getelementptr float, ptr %buffer11, i64 %v37
  %p43 = getelementptr float, ptr %p42, i64 %i25
  %p44 = getelementptr float, ptr %p43, i64 512
  %p85 = getelementptr float, ptr %buffer12, i64 %v37
  %p89 = getelementptr float, ptr %p88, i64 %i25
  %p96 = getelementptr float, ptr %p38, i64 8
  %p133 = getelementptr float, ptr %p85, i64 8
  %v138 = icmp sge i64 %v31, 0
  %v140 = add nsw i64 %v31, -1
  %v141 = icmp sge i64 %v140, 0
  %v143 = add nsw i64 %v31, -2
  %v144 = icmp sge i64 %v143, 0
  %v146 = add nsw i64 %v31, -3
  %v147 = icmp sge i64 %v146, 0
  %v149 = add nsw i64 %v31, -4
  %v150 = icmp sge i64 %v149, 0
  %v152 = add nsw i64 %v31, -5
  %v153 = icmp sge i64 %v152, 0
  %v155 = add nsw i64 %v31, -6
  %v156 = icmp sge i64 %v155, 0
  %v158 = add nsw i64 %v31, -7
  %v159 = icmp sge i64 %v158, 0
  %p169 = select i1 %v138, ptr %p38, ptr %buffer11
  %p172 = getelementptr float, ptr %p38, i64 1
  %p173 = select i1 %v141, ptr %p172, ptr %buffer11
  %p176 = getelementptr float, ptr %p38, i64 2
  %p177 = select i1 %v144, ptr %p176, ptr %buffer11
  %p180 = getelementptr float, ptr %p38, i64 3
  %p181 = select i1 %v147, ptr %p180, ptr %buffer11
  %p184 = getelementptr float, ptr %p38, i64 4
  %p185 = select i1 %v150, ptr %p184, ptr %buffer11
  %p188 = getelementptr float, ptr %p38, i64 5
  %p189 = select i1 %v153, ptr %p188, ptr %buffer11
  %p192 = getelementptr float, ptr %p38, i64 6
  %p193 = select i1 %v156, ptr %p192, ptr %buffer11
  %p196 = getelementptr float, ptr %p38, i64 7
  %p197 = select i1 %v159, ptr %p196, ptr %buffer11
  %p208 = select i1 %v138, ptr %p44, ptr %buffer4
  %p211 = select i1 %v141, ptr %p44, ptr %buffer4
  %p214 = select i1 %v144, ptr %p44, ptr %buffer4
  %p217 = select i1 %v147, ptr %p44, ptr %buffer4
  %p220 = select i1 %v150, ptr %p44, ptr %buffer4
  %p223 = select i1 %v153, ptr %p44, ptr %buffer4
  %p226 = select i1 %v156, ptr %p44, ptr %buffer4
  %p229 = select i1 %v159, ptr %p44, ptr %buffer4
  %p297 = select i1 %v138, ptr %p89, ptr %buffer5
  %p300 = select i1 %v141, ptr %p89, ptr %buffer5
  %p303 = select i1 %v144, ptr %p89, ptr %buffer5
  %p306 = select i1 %v147, ptr %p89, ptr %buffer5
  %p309 = select i1 %v150, ptr %p89, ptr %buffer5
  %p312 = select i1 %v153, ptr %p89, ptr %buffer5
  %p315 = select i1 %v156, ptr %p89, ptr %buffer5
  %p318 = select i1 %v159, ptr %p89, ptr %buffer5
  %v334 = add nsw i64 %v31, -8
  %v335 = icmp sge i64 %v334, 0
  %v337 = add nsw i64 %v31, -9
  %v338 = icmp sge i64 %v337, 0
  %v340 = add nsw i64 %v31, -10
  %v341 = icmp sge i64 %v340, 0
  %v343 = add nsw i64 %v31, -11
  %v344 = icmp sge i64 %v343, 0
  %v346 = add nsw i64 %v31, -12
  %v347 = icmp sge i64 %v346, 0
  %v349 = add nsw i64 %v31, -13
  %v350 = icmp sge i64 %v349, 0
  %v352 = add nsw i64 %v31, -14
  %v353 = icmp sge i64 %v352, 0
  %p364 = select i1 %v335, ptr %p96, ptr %buffer11
  %p367 = getelementptr float, ptr %p38, i64 9
  %p368 = select i1 %v338, ptr %p367, ptr %buffer11
  %p371 = getelementptr float, ptr %p38, i64 10
  %p372 = select i1 %v341, ptr %p371, ptr %buffer11
  %p375 = getelementptr float, ptr %p38, i64 11
  %p376 = select i1 %v344, ptr %p375, ptr %buffer11
  %p379 = getelementptr float, ptr %p38, i64 12
  %p380 = select i1 %v347, ptr %p379, ptr %buffer11
  %p383 = getelementptr float, ptr %p38, i64 13
  %p384 = select i1 %v350, ptr %p383, ptr %buffer11
  %p387 = getelementptr float, ptr %p38, i64 14
  %p388 = select i1 %v353, ptr %p387, ptr %buffer11
  %p391 = getelementptr float, ptr %p38, i64 15
  %p392 = select i1 %v33, ptr %p391, ptr %buffer11
  %p403 = select i1 %v335, ptr %p44, ptr %buffer4
  %p406 = select i1 %v338, ptr %p44, ptr %buffer4
  %p409 = select i1 %v341, ptr %p44, ptr %buffer4
  %p412 = select i1 %v344, ptr %p44, ptr %buffer4
  %p415 = select i1 %v347, ptr %p44, ptr %buffer4
  %p418 = select i1 %v350, ptr %p44, ptr %buffer4
  %p421 = select i1 %v353, ptr %p44, ptr %buffer4
  %p424 = select i1 %v33, ptr %p44, ptr %buffer4
  %p492 = select i1 %v335, ptr %p89, ptr %buffer5
  %p495 = select i1 %v338, ptr %p89, ptr %buffer5
  %p498 = select i1 %v341, ptr %p89, ptr %buffer5
  %p501 = select i1 %v344, ptr %p89, ptr %buffer5
  %p504 = select i1 %v347, ptr %p89, ptr %buffer5
  %p507 = select i1 %v350, ptr %p89, ptr %buffer5
  %p510 = select i1 %v353, ptr %p89, ptr %buffer5
  %p513 = select i1 %v33, ptr %p89, ptr %buffer5
  %more28.some = icmp slt i64 0, %v27
  br i1 %more28.some, label %before28, label %end28
before28:
  br label %head28
head28:
  %i28 = phi i64 [ 0, %before28 ], [ %n29, %head28.latch ]
  br i1 %v33, label %yes34, label %no35
yes34:
  %v39 = load <8 x float>, ptr %p38, align 4
  %v45 = load float, ptr %p44, align 4
  %v46 = fmul contract <8 x float> %v39, splat (float 0x3FD0000000000000)
  %v47 = fcmp oeq float %v45, 0xFFF0000000000000
  %v48 = select i1 %v47, float 0x0000000000000000, float %v45
  %v49 = insertelement <8 x float> poison, float %v48, i64 0
  %v50 = shufflevector <8 x float> %v49, <8 x float> poison, <8 x i32> zeroinitializer
  %v51 = fsub contract <8 x float> %v46, %v50
  %v52 = fcmp ogt <8 x float> splat (float 0xC055E66660000000), %v51
  %v53 = select <8 x i1> %v52, <8 x float> splat (float 0xC055E66660000000), <8 x float> %v51
  %v54 = fcmp ogt <8 x float> %v53, splat (float 0x4056400000000000)
  %v55 = select <8 x i1> %v54, <8 x float> splat (float 0x4056400000000000), <8 x float> %v53
  %v56 = fmul contract <8 x float> %v55, splat (float 0x3FF7154760000000)
  %v57 = call <8 x float> @llvm.roundeven.v8f32(<8 x float> %v56)
  %v58 = fmul contract <8 x float> %v57, splat (float 0x3FE6300000000000)
  %v59 = fsub contract <8 x float> %v55, %v58
  %v60 = fmul contract <8 x float> %v57, splat (float 0xBF2BD01060000000)
  %v61 = fsub contract <8 x float> %v59, %v60
  %v62 = fmul contract <8 x float> %v61, %v61
  %v63 = fmul contract <8 x float> splat (float 0x3F2A16A540000000), %v61
  %v64 = fadd contract <8 x float> %v63, splat (float 0x3F56D20E40000000)
  %v65 = fmul contract <8 x float> %v64, %v62
  %v66 = fmul contract <8 x float> splat (float 0x3F81110BA0000000), %v61
  %v67 = fadd contract <8 x float> %v66, splat (float 0x3FA5555100000000)
  %v68 = fadd contract <8 x float> %v65, %v67
  %v69 = fmul contract <8 x float> %v68, %v62
  %v70 = fmul contract <8 x float> splat (float 0x3FC5555560000000), %v61
  %v71 = fadd contract <8 x float> %v70, splat (float 0x3FE0000000000000)
  %v72 = fadd contract <8 x float> %v69, %v71
  %v73 = fmul contract <8 x float> %v62, %v72
  %v74 = fadd contract <8 x float> %v61, %v73
  %v75 = fadd contract <8 x float> splat (float 0x3FF0000000000000), %v74
  %v76 = fadd contract <8 x float> %v75, %v75
  %v77 = fsub contract <8 x float> %v57, splat (float 0x3FF0000000000000)
  %v78 = fadd <8 x float> %v77, splat (float 0x4168000000000000)
  %v79 = bitcast <8 x float> %v78 to <8 x i32>
  %v80 = shl <8 x i32> %v79, splat (i32 23)
  %v81 = add <8 x i32> %v80, splat (i32 1065353216)
  %v82 = bitcast <8 x i32> %v81 to <8 x float>
  %v83 = fmul <8 x float> %v76, %v82
  store <8 x float> %v83, ptr %p38, align 4
  %v84 = load <8 x float>, ptr %p38, align 4
  %v86 = load <8 x float>, ptr %p85, align 4
  %v90 = load float, ptr %p89, align 4
  %v91 = insertelement <8 x float> poison, float %v90, i64 0
  %v92 = shufflevector <8 x float> %v91, <8 x float> poison, <8 x i32> zeroinitializer
  %v93 = fsub contract <8 x float> %v86, %v92
  %v94 = fmul contract <8 x float> %v84, %v93
  %v95 = fmul contract <8 x float> %v94, splat (float 0x3FD0000000000000)
  store <8 x float> %v95, ptr %p85, align 4
  %v97 = load <8 x float>, ptr %p96, align 4
  %v98 = fmul contract <8 x float> %v97, splat (float 0x3FD0000000000000)
  %v99 = fsub contract <8 x float> %v98, %v50
  %v100 = fcmp ogt <8 x float> splat (float 0xC055E66660000000), %v99
  %v101 = select <8 x i1> %v100, <8 x float> splat (float 0xC055E66660000000), <8 x float> %v99
  %v102 = fcmp ogt <8 x float> %v101, splat (float 0x4056400000000000)
  %v103 = select <8 x i1> %v102, <8 x float> splat (float 0x4056400000000000), <8 x float> %v101
  %v104 = fmul contract <8 x float> %v103, splat (float 0x3FF7154760000000)
  %v105 = call <8 x float> @llvm.roundeven.v8f32(<8 x float> %v104)
  %v106 = fmul contract <8 x float> %v105, splat (float 0x3FE6300000000000)
  %v107 = fsub contract <8 x float> %v103, %v106
  %v108 = fmul contract <8 x float> %v105, splat (float 0xBF2BD01060000000)
  %v109 = fsub contract <8 x float> %v107, %v108
  %v110 = fmul contract <8 x float> %v109, %v109
  %v111 = fmul contract <8 x float> splat (float 0x3F2A16A540000000), %v109
  %v112 = fadd contract <8 x float> %v111, splat (float 0x3F56D20E40000000)
  %v113 = fmul contract <8 x float> %v112, %v110
  %v114 = fmul contract <8 x float> splat (float 0x3F81110BA0000000), %v109
  %v115 = fadd contract <8 x float> %v114, splat (float 0x3FA5555100000000)
  %v116 = fadd contract <8 x float> %v113, %v115
  %v117 = fmul contract <8 x float> %v116, %v110
  %v118 = fmul contract <8 x float> splat (float 0x3FC5555560000000), %v109
  %v119 = fadd contract <8 x float> %v118, splat (float 0x3FE0000000000000)
  %v120 = fadd contract <8 x float> %v117, %v119
  %v121 = fmul contract <8 x float> %v110, %v120
  %v122 = fadd contract <8 x float> %v109, %v121
  %v123 = fadd contract <8 x float> splat (float 0x3FF0000000000000), %v122
  %v124 = fadd contract <8 x float> %v123, %v123
  %v125 = fsub contract <8 x float> %v105, splat (float 0x3FF0000000000000)
  %v126 = fadd <8 x float> %v125, splat (float 0x4168000000000000)
  %v127 = bitcast <8 x float> %v126 to <8 x i32>
  %v128 = shl <8 x i32> %v127, splat (i32 23)
  %v129 = add <8 x i32> %v128, splat (i32 1065353216)
  %v130 = bitcast <8 x i32> %v129 to <8 x float>
  %v131 = fmul <8 x float> %v124, %v130
  store <8 x float> %v131, ptr %p96, align 4
  %v132 = load <8 x float>, ptr %p96, align 4
  %v134 = load <8 x float>, ptr %p133, align 4
  %v135 = fsub contract <8 x float> %v134, %v92
  %v136 = fmul contract <8 x float> %v132, %v135
  %v137 = fmul contract <8 x float> %v136, splat (float 0x3FD0000000000000)
  store <8 x float> %v137, ptr %p133, align 4
  br label %done36
no35:
  %v139 = select i1 %v138, float 0x3FF0000000000000, float 0x0000000000000000
  %v142 = select i1 %v141, float 0x3FF0000000000000, float 0x0000000000000000
  %v145 = select i1 %v144, float 0x3FF0000000000000, float 0x0000000000000000
  %v148 = select i1 %v147, float 0x3FF0000000000000, float 0x0000000000000000
  %v151 = select i1 %v150, float 0x3FF0000000000000, float 0x0000000000000000
  %v154 = select i1 %v153, float 0x3FF0000000000000, float 0x0000000000000000
  %v157 = select i1 %v156, float 0x3FF0000000000000, float 0x0000000000000000
  %v160 = select i1 %v159, float 0x3FF0000000000000, float 0x0000000000000000
  %v161 = insertelement <8 x float> poison, float %v139, i64 0
  %v162 = insertelement <8 x float> %v161, float %v142, i64 1
  %v163 = insertelement <8 x float> %v162, float %v145, i64 2
  %v164 = insertelement <8 x float> %v163, float %v148, i64 3
  %v165 = insertelement <8 x float> %v164, float %v151, i64 4
  %v166 = insertelement <8 x float> %v165, float %v154, i64 5
  %v167 = insertelement <8 x float> %v166, float %v157, i64 6
  %v168 = insertelement <8 x float> %v167, float %v160, i64 7
  %v170 = load float, ptr %p169, align 4
  %v171 = select i1 %v138, float %v170, float zeroinitializer
  %v174 = load float, ptr %p173, align 4
  %v175 = select i1 %v141, float %v174, float zeroinitializer
  %v178 = load float, ptr %p177, align 4
  %v179 = select i1 %v144, float %v178, float zeroinitializer
  %v182 = load float, ptr %p181, align 4
  %v183 = select i1 %v147, float %v182, float zeroinitializer
  %v186 = load float, ptr %p185, align 4
  %v187 = select i1 %v150, float %v186, float zeroinitializer
  %v190 = load float, ptr %p189, align 4
  %v191 = select i1 %v153, float %v190, float zeroinitializer
  %v194 = load float, ptr %p193, align 4
  %v195 = select i1 %v156, float %v194, float zeroinitializer
  %v198 = load float, ptr %p197, align 4
  %v199 = select i1 %v159, float %v198, float zeroinitializer
  %v200 = insertelement <8 x float> poison, float %v171, i64 0
  %v201 = insertelement <8 x float> %v200, float %v175, i64 1
  %v202 = insertelement <8 x float> %v201, float %v179, i64 2
  %v203 = insertelement <8 x float> %v202, float %v183, i64 3
  %v204 = insertelement <8 x float> %v203, float %v187, i64 4
  %v205 = insertelement <8 x float> %v204, float %v191, i64 5
  %v206 = insertelement <8 x float> %v205, float %v195, i64 6
  %v207 = insertelement <8 x float> %v206, float %v199, i64 7
  %v209 = load float, ptr %p208, align 4
  %v210 = select i1 %v138, float %v209, float zeroinitializer
  %v212 = load float, ptr %p211, align 4
  %v213 = select i1 %v141, float %v212, float zeroinitializer
  %v215 = load float, ptr %p214, align 4
  %v216 = select i1 %v144, float %v215, float zeroinitializer
  %v218 = load float, ptr %p217, align 4
  %v219 = select i1 %v147, float %v218, float zeroinitializer
  %v221 = load float, ptr %p220, align 4
  %v222 = select i1 %v150, float %v221, float zeroinitializer
  %v224 = load float, ptr %p223, align 4
  %v225 = select i1 %v153, float %v224, float zeroinitializer
  %v227 = load float, ptr %p226, align 4
  %v228 = select i1 %v156, float %v227, float zeroinitializer
  %v230 = load float, ptr %p229, align 4
  %v231 = select i1 %v159, float %v230, float zeroinitializer
  %v232 = insertelement <8 x float> poison, float %v210, i64 0
  %v233 = insertelement <8 x float> %v232, float %v213, i64 1
  %v234 = insertelement <8 x float> %v233, float %v216, i64 2
  %v235 = insertelement <8 x float> %v234, float %v219, i64 3
  %v236 = insertelement <8 x float> %v235, float %v222, i64 4
  %v237 = insertelement <8 x float> %v236, float %v225, i64 5
  %v238 = insertelement <8 x float> %v237, float %v228, i64 6
  %v239 = insertelement <8 x float> %v238, float %v231, i64 7
  %v240 = fmul contract <8 x float> %v207, splat (float 0x3FD0000000000000)
  %v241 = fcmp oeq <8 x float> %v239, splat (float 0xFFF0000000000000)
  %v242 = select <8 x i1> %v241, <8 x float> splat (float 0x0000000000000000), <8 x float> %v239
  %v243 = fsub contract <8 x float> %v240, %v242
  %v244 = fcmp ogt <8 x float> splat (float 0xC055E66660000000), %v243
  %v245 = select <8 x i1> %v244, <8 x float> splat (float 0xC055E66660000000), <8 x float> %v243
  %v246 = fcmp ogt <8 x float> %v245, splat (float 0x4056400000000000)
  %v247 = select <8 x i1> %v246, <8 x float> splat (float 0x4056400000000000), <8 x float> %v245
  %v248 = fmul contract <8 x float> %v247, splat (float 0x3FF7154760000000)
  %v249 = call <8 x float> @llvm.roundeven.v8f32(<8 x float> %v248)
  %v250 = fmul contract <8 x float> %v249, splat (float 0x3FE6300000000000)
  %v251 = fsub contract <8 x float> %v247, %v250
  %v252 = fmul contract <8 x float> %v249, splat (float 0xBF2BD01060000000)
  %v253 = fsub contract <8 x float> %v251, %v252
  %v254 = fmul contract <8 x float> %v253, %v253
  %v255 = fmul contract <8 x float> splat (float 0x3F2A16A540000000), %v253
  %v256 = fadd contract <8 x float> %v255, splat (float 0x3F56D20E40000000)
  %v257 = fmul contract <8 x float> %v256, %v254
  %v258 = fmul contract <8 x float> splat (float 0x3F81110BA0000000), %v253
  %v259 = fadd contract <8 x float> %v258, splat (float 0x3FA5555100000000)
  %v260 = fadd contract <8 x float> %v257, %v259
  %v261 = fmul contract <8 x float> %v260, %v254
  %v262 = fmul contract <8 x float> splat (float 0x3FC5555560000000), %v253
  %v263 = fadd contract <8 x float> %v262, splat (float 0x3FE0000000000000)
  %v264 = fadd contract <8 x float> %v261, %v263
  %v265 = fmul contract <8 x float> %v254, %v264
  %v266 = fadd contract <8 x float> %v253, %v265
  %v267 = fadd contract <8 x float> splat (float 0x3FF0000000000000), %v266
  %v268 = fadd contract <8 x float> %v267, %v267
  %v269 = fsub contract <8 x float> %v249, splat (float 0x3FF0000000000000)
  %v270 = fadd <8 x float> %v269, splat (float 0x4168000000000000)
  %v271 = bitcast <8 x float> %v270 to <8 x i32>
  %v272 = shl <8 x i32> %v271, splat (i32 23)
  %v273 = add <8 x i32> %v272, splat (i32 1065353216)
  %v274 = bitcast <8 x i32> %v273 to <8 x float>
  %v275 = fmul <8 x float> %v268, %v274
  %v276 = fcmp une <8 x float> %v168, zeroinitializer
  %v277 = select <8 x i1> %v276, <8 x float> %v275, <8 x float> splat (float 0x0000000000000000)
  %v278 = select <8 x i1> %v276, <8 x float> %v277, <8 x float> splat (float 0x0000000000000000)
  store <8 x float> %v278, ptr %p38, align 4
  %v279 = load <8 x float>, ptr %p38, align 4
  %v280 = load <8 x float>, ptr %p85, align 4
  %v281 = select i1 %v138, float 0x3FF0000000000000, float 0x0000000000000000
  %v282 = select i1 %v141, float 0x3FF0000000000000, float 0x0000000000000000
  %v283 = select i1 %v144, float 0x3FF0000000000000, float 0x0000000000000000
  %v284 = select i1 %v147, float 0x3FF0000000000000, float 0x0000000000000000
  %v285 = select i1 %v150, float 0x3FF0000000000000, float 0x0000000000000000
  %v286 = select i1 %v153, float 0x3FF0000000000000, float 0x0000000000000000
  %v287 = select i1 %v156, float 0x3FF0000000000000, float 0x0000000000000000
  %v288 = select i1 %v159, float 0x3FF0000000000000, float 0x0000000000000000
  %v289 = insertelement <8 x float> poison, float %v281, i64 0
  %v290 = insertelement <8 x float> %v289, float %v282, i64 1
  %v291 = insertelement <8 x float> %v290, float %v283, i64 2
  %v292 = insertelement <8 x float> %v291, float %v284, i64 3
  %v293 = insertelement <8 x float> %v292, float %v285, i64 4
  %v294 = insertelement <8 x float> %v293, float %v286, i64 5
  %v295 = insertelement <8 x float> %v294, float %v287, i64 6
  %v296 = insertelement <8 x float> %v295, float %v288, i64 7
  %v298 = load float, ptr %p297, align 4
  %v299 = select i1 %v138, float %v298, float zeroinitializer
  %v301 = load float, ptr %p300, align 4
  %v302 = select i1 %v141, float %v301, float zeroinitializer
  %v304 = load float, ptr %p303, align 4
  %v305 = select i1 %v144, float %v304, float zeroinitializer
  %v307 = load float, ptr %p306, align 4
  %v308 = select i1 %v147, float %v307, float zeroinitializer
  %v310 = load float, ptr %p309, align 4
  %v311 = select i1 %v150, float %v310, float zeroinitializer
  %v313 = load float, ptr %p312, align 4
  %v314 = select i1 %v153, float %v313, float zeroinitializer
  %v316 = load float, ptr %p315, align 4
  %v317 = select i1 %v156, float %v316, float zeroinitializer
  %v319 = load float, ptr %p318, align 4
  %v320 = select i1 %v159, float %v319, float zeroinitializer
  %v321 = insertelement <8 x float> poison, float %v299, i64 0
  %v322 = insertelement <8 x float> %v321, float %v302, i64 1
  %v323 = insertelement <8 x float> %v322, float %v305, i64 2
  %v324 = insertelement <8 x float> %v323, float %v308, i64 3
  %v325 = insertelement <8 x float> %v324, float %v311, i64 4
  %v326 = insertelement <8 x float> %v325, float %v314, i64 5
  %v327 = insertelement <8 x float> %v326, float %v317, i64 6
  %v328 = insertelement <8 x float> %v327, float %v320, i64 7
  %v329 = fcmp une <8 x float> %v296, zeroinitializer
  %v330 = select <8 x i1> %v329, <8 x float> %v328, <8 x float> splat (float 0x0000000000000000)
  %v331 = fsub contract <8 x float> %v280, %v330
  %v332 = fmul contract <8 x float> %v279, %v331
  %v333 = fmul contract <8 x float> %v332, splat (float 0x3FD0000000000000)
  store <8 x float> %v333, ptr %p85, align 4
  %v336 = select i1 %v335, float 0x3FF0000000000000, float 0x0000000000000000
  %v339 = select i1 %v338, float 0x3FF0000000000000, float 0x0000000000000000
  %v342 = select i1 %v341, float 0x3FF0000000000000, float 0x0000000000000000
  %v345 = select i1 %v344, float 0x3FF0000000000000, float 0x0000000000000000
  %v348 = select i1 %v347, float 0x3FF0000000000000, float 0x0000000000000000
  %v351 = select i1 %v350, float 0x3FF0000000000000, float 0x0000000000000000
  %v354 = select i1 %v353, float 0x3FF0000000000000, float 0x0000000000000000
  %v355 = select i1 %v33, float 0x3FF0000000000000, float 0x0000000000000000
  %v356 = insertelement <8 x float> poison, float %v336, i64 0
  %v357 = insertelement <8 x float> %v356, float %v339, i64 1
  %v358 = insertelement <8 x float> %v357, float %v342, i64 2
  %v359 = insertelement <8 x float> %v358, float %v345, i64 3
  %v360 = insertelement <8 x float> %v359, float %v348, i64 4
  %v361 = insertelement <8 x float> %v360, float %v351, i64 5
  %v362 = insertelement <8 x float> %v361, float %v354, i64 6
  %v363 = insertelement <8 x float> %v362, float %v355, i64 7
  %v365 = load float, ptr %p364, align 4
  %v366 = select i1 %v335, float %v365, float zeroinitializer
  %v369 = load float, ptr %p368, align 4
  %v370 = select i1 %v338, float %v369, float zeroinitializer
  %v373 = load float, ptr %p372, align 4
  %v374 = select i1 %v341, float %v373, float zeroinitializer
  %v377 = load float, ptr %p376, align 4
  %v378 = select i1 %v344, float %v377, float zeroinitializer
  %v381 = load float, ptr %p380, align 4
  %v382 = select i1 %v347, float %v381, float zeroinitializer
  %v385 = load float, ptr %p384, align 4
  %v386 = select i1 %v350, float %v385, float zeroinitializer
  %v389 = load float, ptr %p388, align 4
  %v390 = select i1 %v353, float %v389, float zeroinitializer
  %v393 = load float, ptr %p392, align 4
  %v394 = select i1 %v33, float %v393, float zeroinitializer
  %v395 = insertelement <8 x float> poison, float %v366, i64 0
  %v396 = insertelement <8 x float> %v395, float %v370, i64 1
  %v397 = insertelement <8 x float> %v396, float %v374, i64 2
  %v398 = insertelement <8 x float> %v397, float %v378, i64 3
  %v399 = insertelement <8 x float> %v398, float %v382, i64 4
  %v400 = insertelement <8 x float> %v399, float %v386, i64 5
  %v401 = insertelement <8 x float> %v400, float %v390, i64 6
  %v402 = insertelement <8 x float> %v401, float %v394, i64 7
  %v404 = load float, ptr %p403, align 4
  %v405 = select i1 %v335, float %v404, float zeroinitializer
  %v407 = load float, ptr %p406, align 4
  %v408 = select i1 %v338, float %v407, float zeroinitializer
  %v410 = load float, ptr %p409, align 4
  %v411 = select i1 %v341, float %v410, float zeroinitializer
  %v413 = load float, ptr %p412, align 4
  %v414 = select i1 %v344, float %v413, float zeroinitializer
  %v416 = load float, ptr %p415, align 4
  %v417 = select i1 %v347, float %v416, float zeroinitializer
  %v419 = load float, ptr %p418, align 4
  %v420 = select i1 %v350, float %v419, float zeroinitializer
  %v422 = load float, ptr %p421, align 4
  %v423 = select i1 %v353, float %v422, float zeroinitializer
  %v425 = load float, ptr %p424, align 4
  %v426 = select i1 %v33, float %v425, float zeroinitializer
  %v427 = insertelement <8 x float> poison, float %v405, i64 0
  %v428 = insertelement <8 x float> %v427, float %v408, i64 1
  %v429 = insertelement <8 x float> %v428, float %v411, i64 2
  %v430 = insertelement <8 x float> %v429, float %v414, i64 3
  %v431 = insertelement <8 x float> %v430, float %v417, i64 4
  %v432 = insertelement <8 x float> %v431, float %v420, i64 5
  %v433 = insertelement <8 x float> %v432, float %v423, i64 6
  %v434 = insertelement <8 x float> %v433, float %v426, i64 7
  %v435 = fmul contract <8 x float> %v402, splat (float 0x3FD0000000000000)
  %v436 = fcmp oeq <8 x float> %v434, splat (float 0xFFF0000000000000)
  %v437 = select <8 x i1> %v436, <8 x float> splat (float 0x0000000000000000), <8 x float> %v434
  %v438 = fsub contract <8 x float> %v435, %v437
  %v439 = fcmp ogt <8 x float> splat (float 0xC055E66660000000), %v438
  %v440 = select <8 x i1> %v439, <8 x float> splat (float 0xC055E66660000000), <8 x float> %v438
  %v441 = fcmp ogt <8 x float> %v440, splat (float 0x4056400000000000)
  %v442 = select <8 x i1> %v441, <8 x float> splat (float 0x4056400000000000), <8 x float> %v440
  %v443 = fmul contract <8 x float> %v442, splat (float 0x3FF7154760000000)
  %v444 = call <8 x float> @llvm.roundeven.v8f32(<8 x float> %v443)
  %v445 = fmul contract <8 x float> %v444, splat (float 0x3FE6300000000000)
  %v446 = fsub contract <8 x float> %v442, %v445
  %v447 = fmul contract <8 x float> %v444, splat (float 0xBF2BD01060000000)
  %v448 = fsub contract <8 x float> %v446, %v447
  %v449 = fmul contract <8 x float> %v448, %v448
  %v450 = fmul contract <8 x float> splat (float 0x3F2A16A540000000), %v448
  %v451 = fadd contract <8 x float> %v450, splat (float 0x3F56D20E40000000)
  %v452 = fmul contract <8 x float> %v451, %v449
  %v453 = fmul contract <8 x float> splat (float 0x3F81110BA0000000), %v448
  %v454 = fadd contract <8 x float> %v453, splat (float 0x3FA5555100000000)
  %v455 = fadd contract <8 x float> %v452, %v454
  %v456 = fmul contract <8 x float> %v455, %v449
  %v457 = fmul contract <8 x float> splat (float 0x3FC5555560000000), %v448
  %v458 = fadd contract <8 x float> %v457, splat (float 0x3FE0000000000000)
  %v459 = fadd contract <8 x float> %v456, %v458
  %v460 = fmul contract <8 x float> %v449, %v459
  %v461 = fadd contract <8 x float> %v448, %v460
  %v462 = fadd contract <8 x float> splat (float 0x3FF0000000000000), %v461
  %v463 = fadd contract <8 x float> %v462, %v462
  %v464 = fsub contract <8 x float> %v444, splat (float 0x3FF0000000000000)
  %v465 = fadd <8 x float> %v464, splat (float 0x4168000000000000)
  %v466 = bitcast <8 x float> %v465 to <8 x i32>
  %v467 = shl <8 x i32> %v466, splat (i32 23)
  %v468 = add <8 x i32> %v467, splat (i32 1065353216)
  %v469 = bitcast <8 x i32> %v468 to <8 x float>
  %v470 = fmul <8 x float> %v463, %v469
  %v471 = fcmp une <8 x float> %v363, zeroinitializer
  %v472 = select <8 x i1> %v471, <8 x float> %v470, <8 x float> splat (float 0x0000000000000000)
  %v473 = select <8 x i1> %v471, <8 x float> %v472, <8 x float> splat (float 0x0000000000000000)
  store <8 x float> %v473, ptr %p96, align 4
  %v474 = load <8 x float>, ptr %p96, align 4
  %v475 = load <8 x float>, ptr %p133, align 4
  %v476 = select i1 %v335, float 0x3FF0000000000000, float 0x0000000000000000
  %v477 = select i1 %v338, float 0x3FF0000000000000, float 0x0000000000000000
  %v478 = select i1 %v341, float 0x3FF0000000000000, float 0x0000000000000000
  %v479 = select i1 %v344, float 0x3FF0000000000000, float 0x0000000000000000
  %v480 = select i1 %v347, float 0x3FF0000000000000, float 0x0000000000000000
  %v481 = select i1 %v350, float 0x3FF0000000000000, float 0x0000000000000000
  %v482 = select i1 %v353, float 0x3FF0000000000000, float 0x0000000000000000
  %v483 = select i1 %v33, float 0x3FF0000000000000, float 0x0000000000000000
  %v484 = insertelement <8 x float> poison, float %v476, i64 0
  %v485 = insertelement <8 x float> %v484, float %v477, i64 1
  %v486 = insertelement <8 x float> %v485, float %v478, i64 2
  %v487 = insertelement <8 x float> %v486, float %v479, i64 3
  %v488 = insertelement <8 x float> %v487, float %v480, i64 4
  %v489 = insertelement <8 x float> %v488, float %v481, i64 5
  %v490 = insertelement <8 x float> %v489, float %v482, i64 6
  %v491 = insertelement <8 x float> %v490, float %v483, i64 7
  %v493 = load float, ptr %p492, align 4
  %v494 = select i1 %v335, float %v493, float zeroinitializer
  %v496 = load float, ptr %p495, align 4
  %v497 = select i1 %v338, float %v496, float zeroinitializer
  %v499 = load float, ptr %p498, align 4
  %v500 = select i1 %v341, float %v499, float zeroinitializer
  %v502 = load float, ptr %p501, align 4
  %v503 = select i1 %v344, float %v502, float zeroinitializer
  %v505 = load float, ptr %p504, align 4
  %v506 = select i1 %v347, float %v505, float zeroinitializer
  %v508 = load float, ptr %p507, align 4
  %v509 = select i1 %v350, float %v508, float zeroinitializer
  %v511 = load float, ptr %p510, align 4
  %v512 = select i1 %v353, float %v511, float zeroinitializer
  %v514 = load float, ptr %p513, align 4
  %v515 = select i1 %v33, float %v514, float zeroinitializer
  %v516 = insertelement <8 x float> poison, float %v494, i64 0
  %v517 = insertelement <8 x float> %v516, float %v497, i64 1
  %v518 = insertelement <8 x float> %v517, float %v500, i64 2
  %v519 = insertelement <8 x float> %v518, float %v503, i64 3
  %v520 = insertelement <8 x float> %v519, float %v506, i64 4
  %v521 = insertelement <8 x float> %v520, float %v509, i64 5
  %v522 = insertelement <8 x float> %v521, float %v512, i64 6
  %v523 = insertelement <8 x float> %v522, float %v515, i64 7
  %v524 = fcmp une <8 x float> %v491, zeroinitializer
  %v525 = select <8 x i1> %v524, <8 x float> %v523, <8 x float> splat (float 0x0000000000000000)
  %v526 = fsub contract <8 x float> %v475, %v525
  %v527 = fmul contract <8 x float> %v474, %v526
  %v528 = fmul contract <8 x float> %v527, splat (float 0x3FD0000000000000)
  store <8 x float> %v528, ptr %p133, align 4
  br label %done36
done36:
  br label %head28.latch
head28.latch:
  %n29 = add nuw nsw i64 %i28, 1
  %more28 = icmp slt i64 %n29, %v27
  br i1 %more28, label %head28, label %end28
end28:
  br label %head25.latch
head25.latch:
  %n26 = add nuw nsw i64 %i25, 1
  %more25 = icmp slt i64 %n26, 4
  br i1 %more25, label %head25, label %end25
end25:
  call void @contract.4x2x8.0.0(ptr %buffer13, ptr %buffer12, ptr %p529, i64 1, i64 1, i64 16, i64 0, i64 64, i64 1, i64 0, i64 256, i64 16, i64 16, i64 8, i1 false)
  br label %before530
before530:
  br label %head530
head530:
  %i530 = phi i64 [ 0, %before530 ], [ %n531, %head530.latch ]
  %v532 = mul nsw i64 %i530, 16
  %p533 = getelementptr float, ptr %buffer13, i64 %v532
  %v534 = load <8 x float>, ptr %p533, align 4
  %v538 = mul nsw i64 %i530, 32
  %p542 = getelementptr float, ptr %p541, i64 %v538
  store <8 x float> %v534, ptr %p542, align 4
  %p543 = getelementptr float, ptr %p533, i64 8
  %v544 = load <8 x float>, ptr %p543, align 4
  %p545 = getelementptr float, ptr %p542, i64 8
  store <8 x float> %v544, ptr %p545, align 4
  br label %head530.latch
head530.latch:
  %n531 = add nuw nsw i64 %i530, 1
  %more530 = icmp slt i64 %n531, 4
  br i1 %more530, label %head530, label %end530
end530:
  br label %done6
no5:
  br label %before546
before546:
  br label %head546
head546:
  %i546 = phi i64 [ 0, %before546 ], [ %n547, %head546.latch ]
  %v548 = mul nsw i64 %i546, 8
  %p549 = getelementptr float, ptr %buffer13, i64 %v548
  store <8 x float> splat (float 0x0000000000000000), ptr %p549, align 4
  br label %head546.latch
head546.latch:
  %n547 = add nuw nsw i64 %i546, 1
  %more546 = icmp slt i64 %n547, 8
  br i1 %more546, label %head546, label %end546
end546:
  br label %before550
before550:
  br label %head550
head550:
  %i550 = phi i64 [ 0, %before550 ], [ %n551, %head550.latch ]
  %v552 = mul nsw i64 %i550, 8
  %p553 = getelementptr float, ptr %buffer14, i64 %v552
  store <8 x float> splat (float 0x0000000000000000), ptr %p553, align 4
  br label %head550.latch
head550.latch:
  %n551 = add nuw nsw i64 %i550, 1
  %more550 = icmp slt i64 %n551, 8
  br i1 %more550, label %head550, label %end550
end550:
  %v554 = call i64 @llvm.smin.i64(i64 1, i64 1)
  %more555.some = icmp slt i64 0, %v554
  br i1 %more555.some, label %before555, label %end555
before555:
  br label %head555
head555:
  %i555 = phi i64 [ 0, %before555 ], [ %n556, %head555.latch ]
  call void @contract.4x2x8.0.0(ptr %buffer11, ptr %p557, ptr %p558, i64 1, i64 1, i64 16, i64 0, i64 0, i64 1, i64 0, i64 0, i64 16, i64 16, i64 8, i1 true)
  call void @contract.4x2x8.0.0(ptr %buffer12, ptr %p560, ptr %p561, i64 1, i64 1, i64 16, i64 0, i64 0, i64 1, i64 0, i64 0, i64 16, i64 16, i64 8, i1 true)
  br label %head555.latch
head555.latch:
  %n556 = add nuw nsw i64 %i555, 1
  %more555 = icmp slt i64 %n556, %v554
  br i1 %more555, label %head555, label %end555
end555:
  br label %before562
before562:
  br label %head562
head562:
  %i562 = phi i64 [ 0, %before562 ], [ %n563, %head562.latch ]
  %v564 = call i64 @llvm.smin.i64(i64 1, i64 1)
  %v568 = mul nsw i64 %i562, -1
  %v569 = add nsw i64 %v567, %v568
  %v570 = icmp sge i64 %v569, 0
  %v574 = mul nsw i64 %i562, 16
  %p575 = getelementptr float, ptr %buffer11, i64 %v574
  %p616 = getelementptr float, ptr %buffer12, i64 %v574
  %p622 = getelementptr float, ptr %p575, i64 8
  %p663 = getelementptr float, ptr %p616, i64 8
  %v671 = add nsw i64 %v569, 1
  %v672 = icmp sge i64 %v671, 0
  %v674 = add nsw i64 %v569, 2
  %v675 = icmp sge i64 %v674, 0
  %v677 = add nsw i64 %v569, 3
  %v678 = icmp sge i64 %v677, 0
  %v680 = add nsw i64 %v569, 4
  %v681 = icmp sge i64 %v680, 0
  %v683 = add nsw i64 %v569, 5
  %v684 = icmp sge i64 %v683, 0
  %v686 = add nsw i64 %v569, 6
  %v687 = icmp sge i64 %v686, 0
  %v689 = add nsw i64 %v569, 7
  %v690 = icmp sge i64 %v689, 0
  %p700 = select i1 %v570, ptr %p575, ptr %buffer11
  %p703 = getelementptr float, ptr %p575, i64 1
  %p704 = select i1 %v672, ptr %p703, ptr %buffer11
  %p707 = getelementptr float, ptr %p575, i64 2
  %p708 = select i1 %v675, ptr %p707, ptr %buffer11
  %p711 = getelementptr float, ptr %p575, i64 3
  %p712 = select i1 %v678, ptr %p711, ptr %buffer11
  %p715 = getelementptr float, ptr %p575, i64 4
  %p716 = select i1 %v681, ptr %p715, ptr %buffer11
  %p719 = getelementptr float, ptr %p575, i64 5
  %p720 = select i1 %v684, ptr %p719, ptr %buffer11
  %p723 = getelementptr float, ptr %p575, i64 6
  %p724 = select i1 %v687, ptr %p723, ptr %buffer11
  %p727 = getelementptr float, ptr %p575, i64 7
  %p728 = select i1 %v690, ptr %p727, ptr %buffer11
  %p739 = select i1 %v570, ptr %p577, ptr %buffer4
  %p743 = select i1 %v672, ptr %p742, ptr %buffer4
  %p747 = select i1 %v675, ptr %p746, ptr %buffer4
  %p751 = select i1 %v678, ptr %p750, ptr %buffer4
  %p755 = select i1 %v681, ptr %p754, ptr %buffer4
  %p759 = select i1 %v684, ptr %p758, ptr %buffer4
  %p763 = select i1 %v687, ptr %p762, ptr %buffer4
  %p767 = select i1 %v690, ptr %p766, ptr %buffer4
  %p835 = select i1 %v570, ptr %p87, ptr %buffer5
  %p839 = select i1 %v672, ptr %p838, ptr %buffer5
  %p843 = select i1 %v675, ptr %p842, ptr %buffer5
  %p847 = select i1 %v678, ptr %p846, ptr %buffer5
  %p851 = select i1 %v681, ptr %p850, ptr %buffer5
  %p855 = select i1 %v684, ptr %p854, ptr %buffer5
  %p859 = select i1 %v687, ptr %p858, ptr %buffer5
  %p863 = select i1 %v690, ptr %p862, ptr %buffer5
  %v879 = add nsw i64 %v569, 8
  %v880 = icmp sge i64 %v879, 0
  %v882 = add nsw i64 %v569, 9
  %v883 = icmp sge i64 %v882, 0
  %v885 = add nsw i64 %v569, 10
  %v886 = icmp sge i64 %v885, 0
  %v888 = add nsw i64 %v569, 11
  %v889 = icmp sge i64 %v888, 0
  %v891 = add nsw i64 %v569, 12
  %v892 = icmp sge i64 %v891, 0
  %v894 = add nsw i64 %v569, 13
  %v895 = icmp sge i64 %v894, 0
  %v897 = add nsw i64 %v569, 14
  %v898 = icmp sge i64 %v897, 0
  %v900 = add nsw i64 %v569, 15
  %v901 = icmp sge i64 %v900, 0
  %p911 = select i1 %v880, ptr %p622, ptr %buffer11
  %p914 = getelementptr float, ptr %p575, i64 9
  %p915 = select i1 %v883, ptr %p914, ptr %buffer11
  %p918 = getelementptr float, ptr %p575, i64 10
  %p919 = select i1 %v886, ptr %p918, ptr %buffer11
  %p922 = getelementptr float, ptr %p575, i64 11
  %p923 = select i1 %v889, ptr %p922, ptr %buffer11
  %p926 = getelementptr float, ptr %p575, i64 12
  %p927 = select i1 %v892, ptr %p926, ptr %buffer11
  %p930 = getelementptr float, ptr %p575, i64 13
  %p931 = select i1 %v895, ptr %p930, ptr %buffer11
  %p934 = getelementptr float, ptr %p575, i64 14
  %p935 = select i1 %v898, ptr %p934, ptr %buffer11
  %p938 = getelementptr float, ptr %p575, i64 15
  %p939 = select i1 %v901, ptr %p938, ptr %buffer11
  %p950 = select i1 %v880, ptr %p624, ptr %buffer4
  %p954 = select i1 %v883, ptr %p953, ptr %buffer4
  %p958 = select i1 %v886, ptr %p957, ptr %buffer4
  %p962 = select i1 %v889, ptr %p961, ptr %buffer4
  %p966 = select i1 %v892, ptr %p965, ptr %buffer4
  %p970 = select i1 %v895, ptr %p969, ptr %buffer4
  %p974 = select i1 %v898, ptr %p973, ptr %buffer4
  %p978 = select i1 %v901, ptr %p977, ptr %buffer4
  %p1046 = select i1 %v880, ptr %p665, ptr %buffer5
  %p1050 = select i1 %v883, ptr %p1049, ptr %buffer5
  %p1054 = select i1 %v886, ptr %p1053, ptr %buffer5
  %p1058 = select i1 %v889, ptr %p1057, ptr %buffer5
  %p1062 = select i1 %v892, ptr %p1061, ptr %buffer5
  %p1066 = select i1 %v895, ptr %p1065, ptr %buffer5
  %p1070 = select i1 %v898, ptr %p1069, ptr %buffer5
  %p1074 = select i1 %v901, ptr %p1073, ptr %buffer5
  %more565.some = icmp slt i64 0, %v564
  br i1 %more565.some, label %before565, label %end565
before565:
  br label %head565
head565:
  %i565 = phi i64 [ 0, %before565 ], [ %n566, %head565.latch ]
  br i1 %v570, label %yes571, label %no572
yes571:
  %v576 = load <8 x float>, ptr %p575, align 4
  %v578 = load <8 x float>, ptr %p577, align 4
  %v579 = fmul contract <8 x float> %v576, splat (float 0x3FD0000000000000)
  %v580 = fcmp oeq <8 x float> %v578, splat (float 0xFFF0000000000000)
  %v581 = select <8 x i1> %v580, <8 x float> splat (float 0x0000000000000000), <8 x float> %v578
  %v582 = fsub contract <8 x float> %v579, %v581
  %v583 = fcmp ogt <8 x float> splat (float 0xC055E66660000000), %v582
  %v584 = select <8 x i1> %v583, <8 x float> splat (float 0xC055E66660000000), <8 x float> %v582
  %v585 = fcmp ogt <8 x float> %v584, splat (float 0x4056400000000000)
  %v586 = select <8 x i1> %v585, <8 x float> splat (float 0x4056400000000000), <8 x float> %v584
  %v587 = fmul contract <8 x float> %v586, splat (float 0x3FF7154760000000)
  %v588 = call <8 x float> @llvm.roundeven.v8f32(<8 x float> %v587)
  %v589 = fmul contract <8 x float> %v588, splat (float 0x3FE6300000000000)
  %v590 = fsub contract <8 x float> %v586, %v589
  %v591 = fmul contract <8 x float> %v588, splat (float 0xBF2BD01060000000)
  %v592 = fsub contract <8 x float> %v590, %v591
  %v593 = fmul contract <8 x float> %v592, %v592
  %v594 = fmul contract <8 x float> splat (float 0x3F2A16A540000000), %v592
  %v595 = fadd contract <8 x float> %v594, splat (float 0x3F56D20E40000000)
  %v596 = fmul contract <8 x float> %v595, %v593
  %v597 = fmul contract <8 x float> splat (float 0x3F81110BA0000000), %v592
  %v598 = fadd contract <8 x float> %v597, splat (float 0x3FA5555100000000)
  %v599 = fadd contract <8 x float> %v596, %v598
  %v600 = fmul contract <8 x float> %v599, %v593
  %v601 = fmul contract <8 x float> splat (float 0x3FC5555560000000), %v592
  %v602 = fadd contract <8 x float> %v601, splat (float 0x3FE0000000000000)
  %v603 = fadd contract <8 x float> %v600, %v602
  %v604 = fmul contract <8 x float> %v593, %v603
  %v605 = fadd contract <8 x float> %v592, %v604
  %v606 = fadd contract <8 x float> splat (float 0x3FF0000000000000), %v605
  %v607 = fadd contract <8 x float> %v606, %v606
  %v608 = fsub contract <8 x float> %v588, splat (float 0x3FF0000000000000)
  %v609 = fadd <8 x float> %v608, splat (float 0x4168000000000000)
  %v610 = bitcast <8 x float> %v609 to <8 x i32>
  %v611 = shl <8 x i32> %v610, splat (i32 23)
  %v612 = add <8 x i32> %v611, splat (i32 1065353216)
  %v613 = bitcast <8 x i32> %v612 to <8 x float>
  %v614 = fmul <8 x float> %v607, %v613
  store <8 x float> %v614, ptr %p575, align 4
  %v615 = load <8 x float>, ptr %p575, align 4
  %v617 = load <8 x float>, ptr %p616, align 4
  %v618 = load <8 x float>, ptr %p87, align 4
  %v619 = fsub contract <8 x float> %v617, %v618
  %v620 = fmul contract <8 x float> %v615, %v619
  %v621 = fmul contract <8 x float> %v620, splat (float 0x3FD0000000000000)
  store <8 x float> %v621, ptr %p616, align 4
  %v623 = load <8 x float>, ptr %p622, align 4
  %v625 = load <8 x float>, ptr %p624, align 4
  %v626 = fmul contract <8 x float> %v623, splat (float 0x3FD0000000000000)
  %v627 = fcmp oeq <8 x float> %v625, splat (float 0xFFF0000000000000)
  %v628 = select <8 x i1> %v627, <8 x float> splat (float 0x0000000000000000), <8 x float> %v625
  %v629 = fsub contract <8 x float> %v626, %v628
  %v630 = fcmp ogt <8 x float> splat (float 0xC055E66660000000), %v629
  %v631 = select <8 x i1> %v630, <8 x float> splat (float 0xC055E66660000000), <8 x float> %v629
  %v632 = fcmp ogt <8 x float> %v631, splat (float 0x4056400000000000)
  %v633 = select <8 x i1> %v632, <8 x float> splat (float 0x4056400000000000), <8 x float> %v631
  %v634 = fmul contract <8 x float> %v633, splat (float 0x3FF7154760000000)
  %v635 = call <8 x float> @llvm.roundeven.v8f32(<8 x float> %v634)
  %v636 = fmul contract <8 x float> %v635, splat (float 0x3FE6300000000000)
  %v637 = fsub contract <8 x float> %v633, %v636
  %v638 = fmul contract <8 x float> %v635, splat (float 0xBF2BD01060000000)
  %v639 = fsub contract <8 x float> %v637, %v638
  %v640 = fmul contract <8 x float> %v639, %v639
  %v641 = fmul contract <8 x float> splat (float 0x3F2A16A540000000), %v639
  %v642 = fadd contract <8 x float> %v641, splat (float 0x3F56D20E40000000)
  %v643 = fmul contract <8 x float> %v642, %v640
  %v644 = fmul contract <8 x float> splat (float 0x3F81110BA0000000), %v639
  %v645 = fadd contract <8 x float> %v644, splat (float 0x3FA5555100000000)
  %v646 = fadd contract <8 x float> %v643, %v645
  %v647 = fmul contract <8 x float> %v646, %v640
  %v648 = fmul contract <8 x float> splat (float 0x3FC5555560000000), %v639
  %v649 = fadd contract <8 x float> %v648, splat (float 0x3FE0000000000000)
  %v650 = fadd contract <8 x float> %v647, %v649
  %v651 = fmul contract <8 x float> %v640, %v650
  %v652 = fadd contract <8 x float> %v639, %v651
  %v653 = fadd contract <8 x float> splat (float 0x3FF0000000000000), %v652
  %v654 = fadd contract <8 x float> %v653, %v653
  %v655 = fsub contract <8 x float> %v635, splat (float 0x3FF0000000000000)
  %v656 = fadd <8 x float> %v655, splat (float 0x4168000000000000)
  %v657 = bitcast <8 x float> %v656 to <8 x i32>
  %v658 = shl <8 x i32> %v657, splat (i32 23)
  %v659 = add <8 x i32> %v658, splat (i32 1065353216)
  %v660 = bitcast <8 x i32> %v659 to <8 x float>
  %v661 = fmul <8 x float> %v654, %v660
  store <8 x float> %v661, ptr %p622, align 4
  %v662 = load <8 x float>, ptr %p622, align 4
  %v664 = load <8 x float>, ptr %p663, align 4
  %v666 = load <8 x float>, ptr %p665, align 4
  %v667 = fsub contract <8 x float> %v664, %v666
  %v668 = fmul contract <8 x float> %v662, %v667
  %v669 = fmul contract <8 x float> %v668, splat (float 0x3FD0000000000000)
  store <8 x float> %v669, ptr %p663, align 4
  br label %done573
no572:
  %v670 = select i1 %v570, float 0x3FF0000000000000, float 0x0000000000000000
  %v673 = select i1 %v672, float 0x3FF0000000000000, float 0x0000000000000000
  %v676 = select i1 %v675, float 0x3FF0000000000000, float 0x0000000000000000
  %v679 = select i1 %v678, float 0x3FF0000000000000, float 0x0000000000000000
  %v682 = select i1 %v681, float 0x3FF0000000000000, float 0x0000000000000000
  %v685 = select i1 %v684, float 0x3FF0000000000000, float 0x0000000000000000
  %v688 = select i1 %v687, float 0x3FF0000000000000, float 0x0000000000000000
  %v691 = select i1 %v690, float 0x3FF0000000000000, float 0x0000000000000000
  %v692 = insertelement <8 x float> poison, float %v670, i64 0
  %v693 = insertelement <8 x float> %v692, float %v673, i64 1
  %v694 = insertelement <8 x float> %v693, float %v676, i64 2
  %v695 = insertelement <8 x float> %v694, float %v679, i64 3
  %v696 = insertelement <8 x float> %v695, float %v682, i64 4
  %v697 = insertelement <8 x float> %v696, float %v685, i64 5
  %v698 = insertelement <8 x float> %v697, float %v688, i64 6
  %v699 = insertelement <8 x float> %v698, float %v691, i64 7
  %v701 = load float, ptr %p700, align 4
  %v702 = select i1 %v570, float %v701, float zeroinitializer
  %v705 = load float, ptr %p704, align 4
  %v706 = select i1 %v672, float %v705, float zeroinitializer
  %v709 = load float, ptr %p708, align 4
  %v710 = select i1 %v675, float %v709, float zeroinitializer
  %v713 = load float, ptr %p712, align 4
  %v714 = select i1 %v678, float %v713, float zeroinitializer
  %v717 = load float, ptr %p716, align 4
  %v718 = select i1 %v681, float %v717, float zeroinitializer
  %v721 = load float, ptr %p720, align 4
  %v722 = select i1 %v684, float %v721, float zeroinitializer
  %v725 = load float, ptr %p724, align 4
  %v726 = select i1 %v687, float %v725, float zeroinitializer
  %v729 = load float, ptr %p728, align 4
  %v730 = select i1 %v690, float %v729, float zeroinitializer
  %v731 = insertelement <8 x float> poison, float %v702, i64 0
  %v732 = insertelement <8 x float> %v731, float %v706, i64 1
  %v733 = insertelement <8 x float> %v732, float %v710, i64 2
  %v734 = insertelement <8 x float> %v733, float %v714, i64 3
  %v735 = insertelement <8 x float> %v734, float %v718, i64 4
  %v736 = insertelement <8 x float> %v735, float %v722, i64 5
  %v737 = insertelement <8 x float> %v736, float %v726, i64 6
  %v738 = insertelement <8 x float> %v737, float %v730, i64 7
  %v740 = load float, ptr %p739, align 4
  %v741 = select i1 %v570, float %v740, float zeroinitializer
  %v744 = load float, ptr %p743, align 4
  %v745 = select i1 %v672, float %v744, float zeroinitializer
  %v748 = load float, ptr %p747, align 4
  %v749 = select i1 %v675, float %v748, float zeroinitializer
  %v752 = load float, ptr %p751, align 4
  %v753 = select i1 %v678, float %v752, float zeroinitializer
  %v756 = load float, ptr %p755, align 4
  %v757 = select i1 %v681, float %v756, float zeroinitializer
  %v760 = load float, ptr %p759, align 4
  %v761 = select i1 %v684, float %v760, float zeroinitializer
  %v764 = load float, ptr %p763, align 4
  %v765 = select i1 %v687, float %v764, float zeroinitializer
  %v768 = load float, ptr %p767, align 4
  %v769 = select i1 %v690, float %v768, float zeroinitializer
  %v770 = insertelement <8 x float> poison, float %v741, i64 0
  %v771 = insertelement <8 x float> %v770, float %v745, i64 1
  %v772 = insertelement <8 x float> %v771, float %v749, i64 2
  %v773 = insertelement <8 x float> %v772, float %v753, i64 3
  %v774 = insertelement <8 x float> %v773, float %v757, i64 4
  %v775 = insertelement <8 x float> %v774, float %v761, i64 5
  %v776 = insertelement <8 x float> %v775, float %v765, i64 6
  %v777 = insertelement <8 x float> %v776, float %v769, i64 7
  %v778 = fmul contract <8 x float> %v738, splat (float 0x3FD0000000000000)
  %v779 = fcmp oeq <8 x float> %v777, splat (float 0xFFF0000000000000)
  %v780 = select <8 x i1> %v779, <8 x float> splat (float 0x0000000000000000), <8 x float> %v777
  %v781 = fsub contract <8 x float> %v778, %v780
  %v782 = fcmp ogt <8 x float> splat (float 0xC055E66660000000), %v781
  %v783 = select <8 x i1> %v782, <8 x float> splat (float 0xC055E66660000000), <8 x float> %v781
  %v784 = fcmp ogt <8 x float> %v783, splat (float 0x4056400000000000)
  %v785 = select <8 x i1> %v784, <8 x float> splat (float 0x4056400000000000), <8 x float> %v783
  %v786 = fmul contract <8 x float> %v785, splat (float 0x3FF7154760000000)
  %v787 = call <8 x float> @llvm.roundeven.v8f32(<8 x float> %v786)
  %v788 = fmul contract <8 x float> %v787, splat (float 0x3FE6300000000000)
  %v789 = fsub contract <8 x float> %v785, %v788
  %v790 = fmul contract <8 x float> %v787, splat (float 0xBF2BD01060000000)
  %v791 = fsub contract <8 x float> %v789, %v790
  %v792 = fmul contract <8 x float> %v791, %v791
  %v793 = fmul contract <8 x float> splat (float 0x3F2A16A540000000), %v791
  %v794 = fadd contract <8 x float> %v793, splat (float 0x3F56D20E40000000)
  %v795 = fmul contract <8 x float> %v794, %v792
  %v796 = fmul contract <8 x float> splat (float 0x3F81110BA0000000), %v791
  %v797 = fadd contract <8 x float> %v796, splat (float 0x3FA5555100000000)
  %v798 = fadd contract <8 x float> %v795, %v797
  %v799 = fmul contract <8 x float> %v798, %v792
  %v800 = fmul contract <8 x float> splat (float 0x3FC5555560000000), %v791
  %v801 = fadd contract <8 x float> %v800, splat (float 0x3FE0000000000000)
  %v802 = fadd contract <8 x float> %v799, %v801
  %v803 = fmul contract <8 x float> %v792, %v802
  %v804 = fadd contract <8 x float> %v791, %v803
  %v805 = fadd contract <8 x float> splat (float 0x3FF0000000000000), %v804
  %v806 = fadd contract <8 x float> %v805, %v805
  %v807 = fsub contract <8 x float> %v787, splat (float 0x3FF0000000000000)
  %v808 = fadd <8 x float> %v807, splat (float 0x4168000000000000)
  %v809 = bitcast <8 x float> %v808 to <8 x i32>
  %v810 = shl <8 x i32> %v809, splat (i32 23)
  %v811 = add <8 x i32> %v810, splat (i32 1065353216)
  %v812 = bitcast <8 x i32> %v811 to <8 x float>
  %v813 = fmul <8 x float> %v806, %v812
  %v814 = fcmp une <8 x float> %v699, zeroinitializer
  %v815 = select <8 x i1> %v814, <8 x float> %v813, <8 x float> splat (float 0x0000000000000000)
  %v816 = select <8 x i1> %v814, <8 x float> %v815, <8 x float> splat (float 0x0000000000000000)
  store <8 x float> %v816, ptr %p575, align 4
  %v817 = load <8 x float>, ptr %p575, align 4
  %v818 = load <8 x float>, ptr %p616, align 4
  %v819 = select i1 %v570, float 0x3FF0000000000000, float 0x0000000000000000
  %v820 = select i1 %v672, float 0x3FF0000000000000, float 0x0000000000000000
  %v821 = select i1 %v675, float 0x3FF0000000000000, float 0x0000000000000000
  %v822 = select i1 %v678, float 0x3FF0000000000000, float 0x0000000000000000
  %v823 = select i1 %v681, float 0x3FF0000000000000, float 0x0000000000000000
  %v824 = select i1 %v684, float 0x3FF0000000000000, float 0x0000000000000000
  %v825 = select i1 %v687, float 0x3FF0000000000000, float 0x0000000000000000
  %v826 = select i1 %v690, float 0x3FF0000000000000, float 0x0000000000000000
  %v827 = insertelement <8 x float> poison, float %v819, i64 0
  %v828 = insertelement <8 x float> %v827, float %v820, i64 1
  %v829 = insertelement <8 x float> %v828, float %v821, i64 2
  %v830 = insertelement <8 x float> %v829, float %v822, i64 3
  %v831 = insertelement <8 x float> %v830, float %v823, i64 4
  %v832 = insertelement <8 x float> %v831, float %v824, i64 5
  %v833 = insertelement <8 x float> %v832, float %v825, i64 6
  %v834 = insertelement <8 x float> %v833, float %v826, i64 7
  %v836 = load float, ptr %p835, align 4
  %v837 = select i1 %v570, float %v836, float zeroinitializer
  %v840 = load float, ptr %p839, align 4
  %v841 = select i1 %v672, float %v840, float zeroinitializer
  %v844 = load float, ptr %p843, align 4
  %v845 = select i1 %v675, float %v844, float zeroinitializer
  %v848 = load float, ptr %p847, align 4
  %v849 = select i1 %v678, float %v848, float zeroinitializer
  %v852 = load float, ptr %p851, align 4
  %v853 = select i1 %v681, float %v852, float zeroinitializer
  %v856 = load float, ptr %p855, align 4
  %v857 = select i1 %v684, float %v856, float zeroinitializer
  %v860 = load float, ptr %p859, align 4
  %v861 = select i1 %v687, float %v860, float zeroinitializer
  %v864 = load float, ptr %p863, align 4
  %v865 = select i1 %v690, float %v864, float zeroinitializer
  %v866 = insertelement <8 x float> poison, float %v837, i64 0
  %v867 = insertelement <8 x float> %v866, float %v841, i64 1
  %v868 = insertelement <8 x float> %v867, float %v845, i64 2
  %v869 = insertelement <8 x float> %v868, float %v849, i64 3
  %v870 = insertelement <8 x float> %v869, float %v853, i64 4
  %v871 = insertelement <8 x float> %v870, float %v857, i64 5
  %v872 = insertelement <8 x float> %v871, float %v861, i64 6
  %v873 = insertelement <8 x float> %v872, float %v865, i64 7
  %v874 = fcmp une <8 x float> %v834, zeroinitializer
  %v875 = select <8 x i1> %v874, <8 x float> %v873, <8 x float> splat (float 0x0000000000000000)
  %v876 = fsub contract <8 x float> %v818, %v875
  %v877 = fmul contract <8 x float> %v817, %v876
  %v878 = fmul contract <8 x float> %v877, splat (float 0x3FD0000000000000)
  store <8 x float> %v878, ptr %p616, align 4
  %v881 = select i1 %v880, float 0x3FF0000000000000, float 0x0000000000000000
  %v884 = select i1 %v883, float 0x3FF0000000000000, float 0x0000000000000000
  %v887 = select i1 %v886, float 0x3FF0000000000000, float 0x0000000000000000
  %v890 = select i1 %v889, float 0x3FF0000000000000, float 0x0000000000000000
  %v893 = select i1 %v892, float 0x3FF0000000000000, float 0x0000000000000000
  %v896 = select i1 %v895, float 0x3FF0000000000000, float 0x0000000000000000
  %v899 = select i1 %v898, float 0x3FF0000000000000, float 0x0000000000000000
  %v902 = select i1 %v901, float 0x3FF0000000000000, float 0x0000000000000000
  %v903 = insertelement <8 x float> poison, float %v881, i64 0
  %v904 = insertelement <8 x float> %v903, float %v884, i64 1
  %v905 = insertelement <8 x float> %v904, float %v887, i64 2
  %v906 = insertelement <8 x float> %v905, float %v890, i64 3
  %v907 = insertelement <8 x float> %v906, float %v893, i64 4
  %v908 = insertelement <8 x float> %v907, float %v896, i64 5
  %v909 = insertelement <8 x float> %v908, float %v899, i64 6
  %v910 = insertelement <8 x float> %v909, float %v902, i64 7
  %v912 = load float, ptr %p911, align 4
  %v913 = select i1 %v880, float %v912, float zeroinitializer
  %v916 = load float, ptr %p915, align 4
  %v917 = select i1 %v883, float %v916, float zeroinitializer
  %v920 = load float, ptr %p919, align 4
  %v921 = select i1 %v886, float %v920, float zeroinitializer
  %v924 = load float, ptr %p923, align 4
  %v925 = select i1 %v889, float %v924, float zeroinitializer
  %v928 = load float, ptr %p927, align 4
  %v929 = select i1 %v892, float %v928, float zeroinitializer
  %v932 = load float, ptr %p931, align 4
  %v933 = select i1 %v895, float %v932, float zeroinitializer
  %v936 = load float, ptr %p935, align 4
  %v937 = select i1 %v898, float %v936, float zeroinitializer
  %v940 = load float, ptr %p939, align 4
  %v941 = select i1 %v901, float %v940, float zeroinitializer
  %v942 = insertelement <8 x float> poison, float %v913, i64 0
  %v943 = insertelement <8 x float> %v942, float %v917, i64 1
  %v944 = insertelement <8 x float> %v943, float %v921, i64 2
  %v945 = insertelement <8 x float> %v944, float %v925, i64 3
  %v946 = insertelement <8 x float> %v945, float %v929, i64 4
  %v947 = insertelement <8 x float> %v946, float %v933, i64 5
  %v948 = insertelement <8 x float> %v947, float %v937, i64 6
  %v949 = insertelement <8 x float> %v948, float %v941, i64 7
  %v951 = load float, ptr %p950, align 4
  %v952 = select i1 %v880, float %v951, float zeroinitializer
  %v955 = load float, ptr %p954, align 4
  %v956 = select i1 %v883, float %v955, float zeroinitializer
  %v959 = load float, ptr %p958, align 4
  %v960 = select i1 %v886, float %v959, float zeroinitializer
  %v963 = load float, ptr %p962, align 4
  %v964 = select i1 %v889, float %v963, float zeroinitializer
  %v967 = load float, ptr %p966, align 4
  %v968 = select i1 %v892, float %v967, float zeroinitializer
  %v971 = load float, ptr %p970, align 4
  %v972 = select i1 %v895, float %v971, float zeroinitializer
  %v975 = load float, ptr %p974, align 4
  %v976 = select i1 %v898, float %v975, float zeroinitializer
  %v979 = load float, ptr %p978, align 4
  %v980 = select i1 %v901, float %v979, float zeroinitializer
  %v981 = insertelement <8 x float> poison, float %v952, i64 0
  %v982 = insertelement <8 x float> %v981, float %v956, i64 1
  %v983 = insertelement <8 x float> %v982, float %v960, i64 2
  %v984 = insertelement <8 x float> %v983, float %v964, i64 3
  %v985 = insertelement <8 x float> %v984, float %v968, i64 4
  %v986 = insertelement <8 x float> %v985, float %v972, i64 5
  %v987 = insertelement <8 x float> %v986, float %v976, i64 6
  %v988 = insertelement <8 x float> %v987, float %v980, i64 7
  %v989 = fmul contract <8 x float> %v949, splat (float 0x3FD0000000000000)
  %v990 = fcmp oeq <8 x float> %v988, splat (float 0xFFF0000000000000)
  %v991 = select <8 x i1> %v990, <8 x float> splat (float 0x0000000000000000), <8 x float> %v988
  %v992 = fsub contract <8 x float> %v989, %v991
  %v993 = fcmp ogt <8 x float> splat (float 0xC055E66660000000), %v992
  %v994 = select <8 x i1> %v993, <8 x float> splat (float 0xC055E66660000000), <8 x float> %v992
  %v995 = fcmp ogt <8 x float> %v994, splat (float 0x4056400000000000)
  %v996 = select <8 x i1> %v995, <8 x float> splat (float 0x4056400000000000), <8 x float> %v994
  %v997 = fmul contract <8 x float> %v996, splat (float 0x3FF7154760000000)
  %v998 = call <8 x float> @llvm.roundeven.v8f32(<8 x float> %v997)
  %v999 = fmul contract <8 x float> %v998, splat (float 0x3FE6300000000000)
  %v1000 = fsub contract <8 x float> %v996, %v999
  %v1001 = fmul contract <8 x float> %v998, splat (float 0xBF2BD01060000000)
  %v1002 = fsub contract <8 x float> %v1000, %v1001
  %v1003 = fmul contract <8 x float> %v1002, %v1002
  %v1004 = fmul contract <8 x float> splat (float 0x3F2A16A540000000), %v1002
  %v1005 = fadd contract <8 x float> %v1004, splat (float 0x3F56D20E40000000)
  %v1006 = fmul contract <8 x float> %v1005, %v1003
  %v1007 = fmul contract <8 x float> splat (float 0x3F81110BA0000000), %v1002
  %v1008 = fadd contract <8 x float> %v1007, splat (float 0x3FA5555100000000)
  %v1009 = fadd contract <8 x float> %v1006, %v1008
  %v1010 = fmul contract <8 x float> %v1009, %v1003
  %v1011 = fmul contract <8 x float> splat (float 0x3FC5555560000000), %v1002
  %v1012 = fadd contract <8 x float> %v1011, splat (float 0x3FE0000000000000)
  %v1013 = fadd contract <8 x float> %v1010, %v1012
  %v1014 = fmul contract <8 x float> %v1003, %v1013
  %v1015 = fadd contract <8 x float> %v1002, %v1014
  %v1016 = fadd contract <8 x float> splat (float 0x3FF0000000000000), %v1015
  %v1017 = fadd contract <8 x float> %v1016, %v1016
  %v1018 = fsub contract <8 x float> %v998, splat (float 0x3FF0000000000000)
  %v1019 = fadd <8 x float> %v1018, splat (float 0x4168000000000000)
  %v1020 = bitcast <8 x float> %v1019 to <8 x i32>
  %v1021 = shl <8 x i32> %v1020, splat (i32 23)
  %v1022 = add <8 x i32> %v1021, splat (i32 1065353216)
  %v1023 = bitcast <8 x i32> %v1022 to <8 x float>
  %v1024 = fmul <8 x float> %v1017, %v1023
  %v1025 = fcmp une <8 x float> %v910, zeroinitializer
  %v1026 = select <8 x i1> %v1025, <8 x float> %v1024, <8 x float> splat (float 0x0000000000000000)
  %v1027 = select <8 x i1> %v1025, <8 x float> %v1026, <8 x float> splat (float 0x0000000000000000)
  store <8 x float> %v1027, ptr %p622, align 4
  %v1028 = load <8 x float>, ptr %p622, align 4
  %v1029 = load <8 x float>, ptr %p663, align 4
  %v1030 = select i1 %v880, float 0x3FF0000000000000, float 0x0000000000000000
  %v1031 = select i1 %v883, float 0x3FF0000000000000, float 0x0000000000000000
  %v1032 = select i1 %v886, float 0x3FF0000000000000, float 0x0000000000000000
  %v1033 = select i1 %v889, float 0x3FF0000000000000, float 0x0000000000000000
  %v1034 = select i1 %v892, float 0x3FF0000000000000, float 0x0000000000000000
  %v1035 = select i1 %v895, float 0x3FF0000000000000, float 0x0000000000000000
  %v1036 = select i1 %v898, float 0x3FF0000000000000, float 0x0000000000000000
  %v1037 = select i1 %v901, float 0x3FF0000000000000, float 0x0000000000000000
  %v1038 = insertelement <8 x float> poison, float %v1030, i64 0
  %v1039 = insertelement <8 x float> %v1038, float %v1031, i64 1
  %v1040 = insertelement <8 x float> %v1039, float %v1032, i64 2
  %v1041 = insertelement <8 x float> %v1040, float %v1033, i64 3
  %v1042 = insertelement <8 x float> %v1041, float %v1034, i64 4
  %v1043 = insertelement <8 x float> %v1042, float %v1035, i64 5
  %v1044 = insertelement <8 x float> %v1043, float %v1036, i64 6
  %v1045 = insertelement <8 x float> %v1044, float %v1037, i64 7
  %v1047 = load float, ptr %p1046, align 4
  %v1048 = select i1 %v880, float %v1047, float zeroinitializer
  %v1051 = load float, ptr %p1050, align 4
  %v1052 = select i1 %v883, float %v1051, float zeroinitializer
  %v1055 = load float, ptr %p1054, align 4
  %v1056 = select i1 %v886, float %v1055, float zeroinitializer
  %v1059 = load float, ptr %p1058, align 4
  %v1060 = select i1 %v889, float %v1059, float zeroinitializer
  %v1063 = load float, ptr %p1062, align 4
  %v1064 = select i1 %v892, float %v1063, float zeroinitializer
  %v1067 = load float, ptr %p1066, align 4
  %v1068 = select i1 %v895, float %v1067, float zeroinitializer
  %v1071 = load float, ptr %p1070, align 4
  %v1072 = select i1 %v898, float %v1071, float zeroinitializer
  %v1075 = load float, ptr %p1074, align 4
  %v1076 = select i1 %v901, float %v1075, float zeroinitializer
  %v1077 = insertelement <8 x float> poison, float %v1048, i64 0
  %v1078 = insertelement <8 x float> %v1077, float %v1052, i64 1
  %v1079 = insertelement <8 x float> %v1078, float %v1056, i64 2
  %v1080 = insertelement <8 x float> %v1079, float %v1060, i64 3
  %v1081 = insertelement <8 x float> %v1080, float %v1064, i64 4
  %v1082 = insertelement <8 x float> %v1081, float %v1068, i64 5
  %v1083 = insertelement <8 x float> %v1082, float %v1072, i64 6
  %v1084 = insertelement <8 x float> %v1083, float %v1076, i64 7
  %v1085 = fcmp une <8 x float> %v1045, zeroinitializer
  %v1086 = select <8 x i1> %v1085, <8 x float> %v1084, <8 x float> splat (float 0x0000000000000000)
  %v1087 = fsub contract <8 x float> %v1029, %v1086
  %v1088 = fmul contract <8 x float> %v1028, %v1087
  %v1089 = fmul contract <8 x float> %v1088, splat (float 0x3FD0000000000000)
  store <8 x float> %v1089, ptr %p663, align 4
  br label %done573
done573:
  br label %head565.latch
head565.latch:
  %n566 = add nuw nsw i64 %i565, 1
  %more565 = icmp slt i64 %n566, %v564
  br i1 %more565, label %head565, label %end565
end565:
  br label %head562.latch
head562.latch:
  %n563 = add nuw nsw i64 %i562, 1
  %more562 = icmp slt i64 %n563, 4
  br i1 %more562, label %head562, label %end562
end562:
  call void @contract.4x2x8.0.0(ptr %buffer13, ptr %buffer12, ptr %p19, i64 1, i64 1, i64 16, i64 0, i64 64, i64 1, i64 0, i64 256, i64 16, i64 16, i64 8, i1 false)
  call void @contract.4x2x8.0.0(ptr %buffer14, ptr %buffer11, ptr %p22, i64 1, i64 1, i64 16, i64 0, i64 64, i64 1, i64 0, i64 256, i64 16, i64 16, i64 8, i1 false)
  br label %before1090
before1090:
  br label %head1090
head1090:
  %i1090 = phi i64 [ 0, %before1090 ], [ %n1091, %head1090.latch ]
  %v1092 = mul nsw i64 %i1090, 16
  %p1093 = getelementptr float, ptr %buffer13, i64 %v1092
  %v1094 = load <8 x float>, ptr %p1093, align 4
  %v1095 = mul nsw i64 %i1090, 32
  %p1096 = getelementptr float, ptr %p541, i64 %v1095
  store <8 x float> %v1094, ptr %p1096, align 4
  %p1097 = getelementptr float, ptr %p1093, i64 8
  %v1098 = load <8 x float>, ptr %p1097, align 4
  %p1099 = getelementptr float, ptr %p1096, i64 8
  store <8 x float> %v1098, ptr %p1099, align 4
  %p1100 = getelementptr float, ptr %buffer14, i64 %v1092
  %v1101 = load <8 x float>, ptr %p1100, align 4
  %p1102 = getelementptr float, ptr %p1096, i64 512
  store <8 x float> %v1101, ptr %p1102, align 4
  %p1103 = getelementptr float, ptr %p1100, i64 8
  %v1104 = load <8 x float>, ptr %p1103, align 4
  %p1105 = getelementptr float, ptr %p1096, i64 520
  store <8 x float> %v1104, ptr %p1105, align 4
  br label %head1090.latch
head1090.latch:
  %n1091 = add nuw nsw i64 %i1090, 1
  %more1090 = icmp slt i64 %n1091, 4
  br i1 %more1090, label %head1090, label %end1090
end1090:
  br label %done6
done6:
  br label %head1.latch
head1.latch:
  %n2 = add nuw nsw i64 %i1, 1
  %more1 = icmp slt i64 %n2, %end
  br i1 %more1, label %head1, label %end1
end1:
  ret void
}

define void @contract.4x2x8.0.0(ptr %sums, ptr %a, ptr %b, i64 %extent0, i64 %extent1, i64 %extent2, i64 %a.step0, i64 %a.step1, i64 %a.step2, i64 %b.step0, i64 %b.step1, i64 %b.step2, i64 %number.step, i64 %vector.step, i1 %fresh) {
entry:
  %turns = alloca i64
  store i64 0, ptr %turns
  %is.new = alloca i1
  store i1 %fresh, ptr %is.new
  %sum.0.0 = alloca <8 x float>
  store <8 x float> zeroinitializer, ptr %sum.0.0
  %sum.0.1 = alloca <8 x float>
  store <8 x float> zeroinitializer, ptr %sum.0.1
  %sum.1.0 = alloca <8 x float>
  store <8 x float> zeroinitializer, ptr %sum.1.0
  %sum.1.1 = alloca <8 x float>
  store <8 x float> zeroinitializer, ptr %sum.1.1
  %sum.2.0 = alloca <8 x float>
  store <8 x float> zeroinitializer, ptr %sum.2.0
  %sum.2.1 = alloca <8 x float>
  store <8 x float> zeroinitializer, ptr %sum.2.1
  %sum.3.0 = alloca <8 x float>
  store <8 x float> zeroinitializer, ptr %sum.3.0
  %sum.3.1 = alloca <8 x float>
  store <8 x float> zeroinitializer, ptr %sum.3.1
  %far.a0 = mul i64 %number.step, 0
  %far.a1 = mul i64 %number.step, 1
  %far.a2 = mul i64 %number.step, 2
  %far.a3 = mul i64 %number.step, 3
  %far.b0 = mul i64 %vector.step, 0
  %far.b1 = mul i64 %vector.step, 1
  br label %head0
head0:
  %i0 = phi i64 [ 0, %entry ], [ %n0, %latch0 ]
  %a0 = phi ptr [ %a, %entry ], [ %a.next0, %latch0 ]
  %b0 = phi ptr [ %b, %entry ], [ %b.next0, %latch0 ]
  br label %head1
head1:
  %i1 = phi i64 [ 0, %head0 ], [ %n1, %latch1 ]
  %a1 = phi ptr [ %a0, %head0 ], [ %a.next1, %latch1 ]
  %b1 = phi ptr [ %b0, %head0 ], [ %b.next1, %latch1 ]
  %row.a0 = getelementptr float, ptr %a1, i64 %far.a0
  %row.a1 = getelementptr float, ptr %a1, i64 %far.a1
  %row.a2 = getelementptr float, ptr %a1, i64 %far.a2
  %row.a3 = getelementptr float, ptr %a1, i64 %far.a3
  %row.b0 = getelementptr float, ptr %b1, i64 %far.b0
  %row.b1 = getelementptr float, ptr %b1, i64 %far.b1
  br label %part
part:
  %i.part = phi i64 [ 0, %head1 ], [ %i.next, %whole ]
  %a.part = phi i64 [ 0, %head1 ], [ %a.next, %whole ]
  %b.part = phi i64 [ 0, %head1 ], [ %b.next, %whole ]
  %most = add nuw nsw i64 %i.part, 32
  %is.rest = icmp slt i64 %extent2, %most
  %stop = select i1 %is.rest, i64 %extent2, i64 %most
  br label %step
step:
  %i.at = phi i64 [ %i.part, %part ], [ %i.next, %step ]
  %a.at = phi i64 [ %a.part, %part ], [ %a.next, %step ]
  %b.at = phi i64 [ %b.part, %part ], [ %b.next, %step ]
  %sum0.0.0 = load <8 x float>, ptr %sum.0.0
  %sum0.0.1 = load <8 x float>, ptr %sum.0.1
  %sum0.1.0 = load <8 x float>, ptr %sum.1.0
  %sum0.1.1 = load <8 x float>, ptr %sum.1.1
  %sum0.2.0 = load <8 x float>, ptr %sum.2.0
  %sum0.2.1 = load <8 x float>, ptr %sum.2.1
  %sum0.3.0 = load <8 x float>, ptr %sum.3.0
  %sum0.3.1 = load <8 x float>, ptr %sum.3.1
  %vp0.0 = getelementptr float, ptr %row.b0, i64 %b.at
  %vq0.0 = getelementptr float, ptr %vp0.0, i64 0
  %vector0.0 = load <8 x float>, ptr %vq0.0, align 4
  %vp0.1 = getelementptr float, ptr %row.b1, i64 %b.at
  %vq0.1 = getelementptr float, ptr %vp0.1, i64 0
  %vector0.1 = load <8 x float>, ptr %vq0.1, align 4
  %np0.0 = getelementptr float, ptr %row.a0, i64 %a.at
  %nq0.0 = getelementptr float, ptr %np0.0, i64 0
  %number0.0 = load float, ptr %nq0.0, align 4
  %one0.0 = insertelement <8 x float> poison, float %number0.0, i64 0
  %all0.0 = shufflevector <8 x float> %one0.0, <8 x float> poison, <8 x i32> zeroinitializer
  %product0.0.0 = fmul contract <8 x float> %all0.0, %vector0.0
  %sum1.0.0 = fadd contract <8 x float> %sum0.0.0, %product0.0.0
  %product0.0.1 = fmul contract <8 x float> %all0.0, %vector0.1
  %sum1.0.1 = fadd contract <8 x float> %sum0.0.1, %product0.0.1
  %np0.1 = getelementptr float, ptr %row.a1, i64 %a.at
  %nq0.1 = getelementptr float, ptr %np0.1, i64 0
  %number0.1 = load float, ptr %nq0.1, align 4
  %one0.1 = insertelement <8 x float> poison, float %number0.1, i64 0
  %all0.1 = shufflevector <8 x float> %one0.1, <8 x float> poison, <8 x i32> zeroinitializer
  %product0.1.0 = fmul contract <8 x float> %all0.1, %vector0.0
  %sum1.1.0 = fadd contract <8 x float> %sum0.1.0, %product0.1.0
  %product0.1.1 = fmul contract <8 x float> %all0.1, %vector0.1
  %sum1.1.1 = fadd contract <8 x float> %sum0.1.1, %product0.1.1
  %np0.2 = getelementptr float, ptr %row.a2, i64 %a.at
  %nq0.2 = getelementptr float, ptr %np0.2, i64 0
  %number0.2 = load float, ptr %nq0.2, align 4
  %one0.2 = insertelement <8 x float> poison, float %number0.2, i64 0
  %all0.2 = shufflevector <8 x float> %one0.2, <8 x float> poison, <8 x i32> zeroinitializer
  %product0.2.0 = fmul contract <8 x float> %all0.2, %vector0.0
  %sum1.2.0 = fadd contract <8 x float> %sum0.2.0, %product0.2.0
  %product0.2.1 = fmul contract <8 x float> %all0.2, %vector0.1
  %sum1.2.1 = fadd contract <8 x float> %sum0.2.1, %product0.2.1
  %np0.3 = getelementptr float, ptr %row.a3, i64 %a.at
  %nq0.3 = getelementptr float, ptr %np0.3, i64 0
  %number0.3 = load float, ptr %nq0.3, align 4
  %one0.3 = insertelement <8 x float> poison, float %number0.3, i64 0
  %all0.3 = shufflevector <8 x float> %one0.3, <8 x float> poison, <8 x i32> zeroinitializer
  %product0.3.0 = fmul contract <8 x float> %all0.3, %vector0.0
  %sum1.3.0 = fadd contract <8 x float> %sum0.3.0, %product0.3.0
  %product0.3.1 = fmul contract <8 x float> %all0.3, %vector0.1
  %sum1.3.1 = fadd contract <8 x float> %sum0.3.1, %product0.3.1
  store <8 x float> %sum1.0.0, ptr %sum.0.0
  store <8 x float> %sum1.0.1, ptr %sum.0.1
  store <8 x float> %sum1.1.0, ptr %sum.1.0
  store <8 x float> %sum1.1.1, ptr %sum.1.1
  store <8 x float> %sum1.2.0, ptr %sum.2.0
  store <8 x float> %sum1.2.1, ptr %sum.2.1
  store <8 x float> %sum1.3.0, ptr %sum.3.0
  store <8 x float> %sum1.3.1, ptr %sum.3.1
  %i.next = add nuw nsw i64 %i.at, 1
  %a.next = add nsw i64 %a.at, %a.step2
  %b.next = add nsw i64 %b.at, %b.step2
  %more = icmp slt i64 %i.next, %stop
  br i1 %more, label %step, label %summed
summed:
  %turns.before = load i64, ptr %turns
  %turned = sub nuw nsw i64 %i.next, %i.part
  %turns.now = add nuw nsw i64 %turns.before, %turned
  store i64 %turns.now, ptr %turns
  %enough = icmp uge i64 %turns.now, 32
  br i1 %enough, label %full, label %whole
full:
  %is.new.full = load i1, ptr %is.new
  br i1 %is.new.full, label %full.first, label %full.add
full.first:
  %new.at.full.0.0 = getelementptr float, ptr %sums, i64 0
  %new.sum.full.0.0 = load <8 x float>, ptr %sum.0.0
  store <8 x float> %new.sum.full.0.0, ptr %new.at.full.0.0, align 4
  %new.at.full.0.1 = getelementptr float, ptr %sums, i64 8
  %new.sum.full.0.1 = load <8 x float>, ptr %sum.0.1
  store <8 x float> %new.sum.full.0.1, ptr %new.at.full.0.1, align 4
  %new.at.full.1.0 = getelementptr float, ptr %sums, i64 16
  %new.sum.full.1.0 = load <8 x float>, ptr %sum.1.0
  store <8 x float> %new.sum.full.1.0, ptr %new.at.full.1.0, align 4
  %new.at.full.1.1 = getelementptr float, ptr %sums, i64 24
  %new.sum.full.1.1 = load <8 x float>, ptr %sum.1.1
  store <8 x float> %new.sum.full.1.1, ptr %new.at.full.1.1, align 4
  %new.at.full.2.0 = getelementptr float, ptr %sums, i64 32
  %new.sum.full.2.0 = load <8 x float>, ptr %sum.2.0
  store <8 x float> %new.sum.full.2.0, ptr %new.at.full.2.0, align 4
  %new.at.full.2.1 = getelementptr float, ptr %sums, i64 40
  %new.sum.full.2.1 = load <8 x float>, ptr %sum.2.1
  store <8 x float> %new.sum.full.2.1, ptr %new.at.full.2.1, align 4
  %new.at.full.3.0 = getelementptr float, ptr %sums, i64 48
  %new.sum.full.3.0 = load <8 x float>, ptr %sum.3.0
  store <8 x float> %new.sum.full.3.0, ptr %new.at.full.3.0, align 4
  %new.at.full.3.1 = getelementptr float, ptr %sums, i64 56
  %new.sum.full.3.1 = load <8 x float>, ptr %sum.3.1
  store <8 x float> %new.sum.full.3.1, ptr %new.at.full.3.1, align 4
  br label %full.zero
full.add:
  %add.at.full.0.0 = getelementptr float, ptr %sums, i64 0
  %add.sum.full.0.0 = load <8 x float>, ptr %sum.0.0
  %old.full.0.0 = load <8 x float>, ptr %add.at.full.0.0, align 4
  %both.full.0.0 = fadd <8 x float> %old.full.0.0, %add.sum.full.0.0
  store <8 x float> %both.full.0.0, ptr %add.at.full.0.0, align 4
  %add.at.full.0.1 = getelementptr float, ptr %sums, i64 8
  %add.sum.full.0.1 = load <8 x float>, ptr %sum.0.1
  %old.full.0.1 = load <8 x float>, ptr %add.at.full.0.1, align 4
  %both.full.0.1 = fadd <8 x float> %old.full.0.1, %add.sum.full.0.1
  store <8 x float> %both.full.0.1, ptr %add.at.full.0.1, align 4
  %add.at.full.1.0 = getelementptr float, ptr %sums, i64 16
  %add.sum.full.1.0 = load <8 x float>, ptr %sum.1.0
  %old.full.1.0 = load <8 x float>, ptr %add.at.full.1.0, align 4
  %both.full.1.0 = fadd <8 x float> %old.full.1.0, %add.sum.full.1.0
  store <8 x float> %both.full.1.0, ptr %add.at.full.1.0, align 4
  %add.at.full.1.1 = getelementptr float, ptr %sums, i64 24
  %add.sum.full.1.1 = load <8 x float>, ptr %sum.1.1
  %old.full.1.1 = load <8 x float>, ptr %add.at.full.1.1, align 4
  %both.full.1.1 = fadd <8 x float> %old.full.1.1, %add.sum.full.1.1
  store <8 x float> %both.full.1.1, ptr %add.at.full.1.1, align 4
  %add.at.full.2.0 = getelementptr float, ptr %sums, i64 32
  %add.sum.full.2.0 = load <8 x float>, ptr %sum.2.0
  %old.full.2.0 = load <8 x float>, ptr %add.at.full.2.0, align 4
  %both.full.2.0 = fadd <8 x float> %old.full.2.0, %add.sum.full.2.0
  store <8 x float> %both.full.2.0, ptr %add.at.full.2.0, align 4
  %add.at.full.2.1 = getelementptr float, ptr %sums, i64 40
  %add.sum.full.2.1 = load <8 x float>, ptr %sum.2.1
  %old.full.2.1 = load <8 x float>, ptr %add.at.full.2.1, align 4
  %both.full.2.1 = fadd <8 x float> %old.full.2.1, %add.sum.full.2.1
  store <8 x float> %both.full.2.1, ptr %add.at.full.2.1, align 4
  %add.at.full.3.0 = getelementptr float, ptr %sums, i64 48
  %add.sum.full.3.0 = load <8 x float>, ptr %sum.3.0
  %old.full.3.0 = load <8 x float>, ptr %add.at.full.3.0, align 4
  %both.full.3.0 = fadd <8 x float> %old.full.3.0, %add.sum.full.3.0
  store <8 x float> %both.full.3.0, ptr %add.at.full.3.0, align 4
  %add.at.full.3.1 = getelementptr float, ptr %sums, i64 56
  %add.sum.full.3.1 = load <8 x float>, ptr %sum.3.1
  %old.full.3.1 = load <8 x float>, ptr %add.at.full.3.1, align 4
  %both.full.3.1 = fadd <8 x float> %old.full.3.1, %add.sum.full.3.1
  store <8 x float> %both.full.3.1, ptr %add.at.full.3.1, align 4
  br label %full.zero
full.zero:
  store i1 false, ptr %is.new
  store i64 0, ptr %turns
  store <8 x float> zeroinitializer, ptr %sum.0.0
  store <8 x float> zeroinitializer, ptr %sum.0.1
  store <8 x float> zeroinitializer, ptr %sum.1.0
  store <8 x float> zeroinitializer, ptr %sum.1.1
  store <8 x float> zeroinitializer, ptr %sum.2.0
  store <8 x float> zeroinitializer, ptr %sum.2.1
  store <8 x float> zeroinitializer, ptr %sum.3.0
  store <8 x float> zeroinitializer, ptr %sum.3.1
  br label %whole
whole:
  %again = icmp slt i64 %i.next, %extent2
  br i1 %again, label %part, label %latch1
latch1:
  %n1 = add nuw nsw i64 %i1, 1
  %a.next1 = getelementptr float, ptr %a1, i64 %a.step1
  %b.next1 = getelementptr float, ptr %b1, i64 %b.step1
  %more1 = icmp slt i64 %n1, %extent1
  br i1 %more1, label %head1, label %latch0
latch0:
  %n0 = add nuw nsw i64 %i0, 1
  %a.next0 = getelementptr float, ptr %a0, i64 %a.step0
  %b.next0 = getelementptr float, ptr %b0, i64 %b.step0
  %more0 = icmp slt i64 %n0, %extent0
  br i1 %more0, label %head0, label %done
done:
  %left = load i64, ptr %turns
  %none = icmp eq i64 %left, 0
  br i1 %none, label %return, label %last
last:
  %is.new.last = load i1, ptr %is.new
  br i1 %is.new.last, label %last.first, label %last.add
last.first:
  %new.at.last.0.0 = getelementptr float, ptr %sums, i64 0
  %new.sum.last.0.0 = load <8 x float>, ptr %sum.0.0
  store <8 x float> %new.sum.last.0.0, ptr %new.at.last.0.0, align 4
  %new.at.last.0.1 = getelementptr float, ptr %sums, i64 8
  %new.sum.last.0.1 = load <8 x float>, ptr %sum.0.1
  store <8 x float> %new.sum.last.0.1, ptr %new.at.last.0.1, align 4
  %new.at.last.1.0 = getelementptr float, ptr %sums, i64 16
  %new.sum.last.1.0 = load <8 x float>, ptr %sum.1.0
  store <8 x float> %new.sum.last.1.0, ptr %new.at.last.1.0, align 4
  %new.at.last.1.1 = getelementptr float, ptr %sums, i64 24
  %new.sum.last.1.1 = load <8 x float>, ptr %sum.1.1
  store <8 x float> %new.sum.last.1.1, ptr %new.at.last.1.1, align 4
  %new.at.last.2.0 = getelementptr float, ptr %sums, i64 32
  %new.sum.last.2.0 = load <8 x float>, ptr %sum.2.0
  store <8 x float> %new.sum.last.2.0, ptr %new.at.last.2.0, align 4
  %new.at.last.2.1 = getelementptr float, ptr %sums, i64 40
  %new.sum.last.2.1 = load <8 x float>, ptr %sum.2.1
  store <8 x float> %new.sum.last.2.1, ptr %new.at.last.2.1, align 4
  %new.at.last.3.0 = getelementptr float, ptr %sums, i64 48
  %new.sum.last.3.0 = load <8 x float>, ptr %sum.3.0
  store <8 x float> %new.sum.last.3.0, ptr %new.at.last.3.0, align 4
  %new.at.last.3.1 = getelementptr float, ptr %sums, i64 56
  %new.sum.last.3.1 = load <8 x float>, ptr %sum.3.1
  store <8 x float> %new.sum.last.3.1, ptr %new.at.last.3.1, align 4
  br label %last.zero
last.add:
  %add.at.last.0.0 = getelementptr float, ptr %sums, i64 0
  %add.sum.last.0.0 = load <8 x float>, ptr %sum.0.0
  %old.last.0.0 = load <8 x float>, ptr %add.at.last.0.0, align 4
  %both.last.0.0 = fadd <8 x float> %old.last.0.0, %add.sum.last.0.0
  store <8 x float> %both.last.0.0, ptr %add.at.last.0.0, align 4
  %add.at.last.0.1 = getelementptr float, ptr %sums, i64 8
  %add.sum.last.0.1 = load <8 x float>, ptr %sum.0.1
  %old.last.0.1 = load <8 x float>, ptr %add.at.last.0.1, align 4
  %both.last.0.1 = fadd <8 x float> %old.last.0.1, %add.sum.last.0.1
  store <8 x float> %both.last.0.1, ptr %add.at.last.0.1, align 4
  %add.at.last.1.0 = getelementptr float, ptr %sums, i64 16
  %add.sum.last.1.0 = load <8 x float>, ptr %sum.1.0
  %old.last.1.0 = load <8 x float>, ptr %add.at.last.1.0, align 4
  %both.last.1.0 = fadd <8 x float> %old.last.1.0, %add.sum.last.1.0
  store <8 x float> %both.last.1.0, ptr %add.at.last.1.0, align 4
  %add.at.last.1.1 = getelementptr float, ptr %sums, i64 24
  %add.sum.last.1.1 = load <8 x float>, ptr %sum.1.1
  %old.last.1.1 = load <8 x float>, ptr %add.at.last.1.1, align 4
  %both.last.1.1 = fadd <8 x float> %old.last.1.1, %add.sum.last.1.1
  store <8 x float> %both.last.1.1, ptr %add.at.last.1.1, align 4
  %add.at.last.2.0 = getelementptr float, ptr %sums, i64 32
  %add.sum.last.2.0 = load <8 x float>, ptr %sum.2.0
  %old.last.2.0 = load <8 x float>, ptr %add.at.last.2.0, align 4
  %both.last.2.0 = fadd <8 x float> %old.last.2.0, %add.sum.last.2.0
  store <8 x float> %both.last.2.0, ptr %add.at.last.2.0, align 4
  %add.at.last.2.1 = getelementptr float, ptr %sums, i64 40
  %add.sum.last.2.1 = load <8 x float>, ptr %sum.2.1
  %old.last.2.1 = load <8 x float>, ptr %add.at.last.2.1, align 4
  %both.last.2.1 = fadd <8 x float> %old.last.2.1, %add.sum.last.2.1
  store <8 x float> %both.last.2.1, ptr %add.at.last.2.1, align 4
  %add.at.last.3.0 = getelementptr float, ptr %sums, i64 48
  %add.sum.last.3.0 = load <8 x float>, ptr %sum.3.0
  %old.last.3.0 = load <8 x float>, ptr %add.at.last.3.0, align 4
  %both.last.3.0 = fadd <8 x float> %old.last.3.0, %add.sum.last.3.0
  store <8 x float> %both.last.3.0, ptr %add.at.last.3.0, align 4
  %add.at.last.3.1 = getelementptr float, ptr %sums, i64 56
  %add.sum.last.3.1 = load <8 x float>, ptr %sum.3.1
  %old.last.3.1 = load <8 x float>, ptr %add.at.last.3.1, align 4
  %both.last.3.1 = fadd <8 x float> %old.last.3.1, %add.sum.last.3.1
  store <8 x float> %both.last.3.1, ptr %add.at.last.3.1, align 4
  br label %last.zero
last.zero:
  store i1 false, ptr %is.new
  store i64 0, ptr %turns
  store <8 x float> zeroinitializer, ptr %sum.0.0
  store <8 x float> zeroinitializer, ptr %sum.0.1
  store <8 x float> zeroinitializer, ptr %sum.1.0
  store <8 x float> zeroinitializer, ptr %sum.1.1
  store <8 x float> zeroinitializer, ptr %sum.2.0
  store <8 x float> zeroinitializer, ptr %sum.2.1
  store <8 x float> zeroinitializer, ptr %sum.3.0
  store <8 x float> zeroinitializer, ptr %sum.3.1
  br label %return
return:
  ret void
}
