declare void @contract.4x1x8.0.0_1.8(ptr, ptr, ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i1)

define void @correlation(ptr %buffers, ptr %scratch, i64 %begin, i64 %end) {
entry:
  %at0 = getelementptr ptr, ptr %buffers, i64 0
  %buffer0 = load ptr, ptr %at0
  %at1 = getelementptr ptr, ptr %buffers, i64 1
  %buffer1 = load ptr, ptr %at1
  %at2 = getelementptr ptr, ptr %buffers, i64 2
  %buffer2 = load ptr, ptr %at2
  %buffer3 = getelementptr float, ptr %scratch, i64 0
  %buffer4 = getelementptr float, ptr %scratch, i64 1232
  %buffer5 = getelementptr float, ptr %scratch, i64 1840
  %r67 = alloca [8 x <8 x float>], align 64
  %s148 = getelementptr <8 x float>, ptr %r67, i64 1
  %s152 = getelementptr <8 x float>, ptr %r67, i64 2
  %s154 = getelementptr <8 x float>, ptr %r67, i64 3
  %s178 = getelementptr <8 x float>, ptr %r67, i64 4
  %s180 = getelementptr <8 x float>, ptr %r67, i64 5
  %s184 = getelementptr <8 x float>, ptr %r67, i64 6
  %s186 = getelementptr <8 x float>, ptr %r67, i64 7
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
  %v5 = mul nsw i64 %i3, 8
  %p6 = getelementptr float, ptr %buffer4, i64 %v5
  store <8 x float> splat (float 0x0000000000000000), ptr %p6, align 4
  br label %head3.latch
head3.latch:
  %n4 = add nuw nsw i64 %i3, 1
  %more3 = icmp slt i64 %n4, 76
  br i1 %more3, label %head3, label %end3
end3:
  br label %before7
before7:
  br label %head7
head7:
  %i7 = phi i64 [ 0, %before7 ], [ %n8, %head7.latch ]
  %v21 = mul nsw i64 %i7, 304
  %p23 = getelementptr float, ptr %buffer3, i64 %v21
  %v27 = mul nsw i64 %i7, 60
  %p29 = getelementptr float, ptr %buffer0, i64 %v27
  br label %before9
before9:
  br label %head9
head9:
  %i9 = phi i64 [ 0, %before9 ], [ %n10, %head9.latch ]
  %v20 = mul nsw i64 %i9, 144
  %p24 = getelementptr float, ptr %p23, i64 %v20
  %v26 = mul nsw i64 %i9, 240
  %p30 = getelementptr float, ptr %p29, i64 %v26
  br label %before11
before11:
  br label %head11
head11:
  %i11 = phi i64 [ 0, %before11 ], [ %n12, %head11.latch ]
  %v13 = add nsw i64 %i11, -1
  %v14 = icmp sge i64 %v13, 0
  %v15 = icmp slt i64 %v13, 6
  %v16 = and i1 %v14, %v15
  %v22 = mul nsw i64 %i11, 18
  %p25 = getelementptr float, ptr %p24, i64 %v22
  %v28 = mul nsw i64 %i11, 10
  %p31 = getelementptr float, ptr %p30, i64 %v28
  %p32 = getelementptr float, ptr %p31, i64 -10
  %p34 = getelementptr float, ptr %p25, i64 1
  br i1 %v16, label %yes17, label %no18
yes17:
  store float 0x0000000000000000, ptr %p25, align 4
  %v33 = load <8 x float>, ptr %p32, align 4
  store <8 x float> %v33, ptr %p34, align 4
  br label %before35
before35:
  br label %head35
head35:
  %i35 = phi i64 [ 0, %before35 ], [ %n36, %head35.latch ]
  %p37 = getelementptr float, ptr %p31, i64 %i35
  %p38 = getelementptr float, ptr %p37, i64 -2
  %v39 = load float, ptr %p38, align 4
  %p40 = getelementptr float, ptr %p25, i64 %i35
  %p41 = getelementptr float, ptr %p40, i64 9
  store float %v39, ptr %p41, align 4
  br label %head35.latch
head35.latch:
  %n36 = add nuw nsw i64 %i35, 1
  %more35 = icmp slt i64 %n36, 2
  br i1 %more35, label %head35, label %end35
end35:
  br label %before42
before42:
  br label %head42
head42:
  %i42 = phi i64 [ 0, %before42 ], [ %n43, %head42.latch ]
  %p44 = getelementptr float, ptr %p25, i64 %i42
  %p45 = getelementptr float, ptr %p44, i64 11
  store float 0x0000000000000000, ptr %p45, align 4
  br label %head42.latch
head42.latch:
  %n43 = add nuw nsw i64 %i42, 1
  %more42 = icmp slt i64 %n43, 7
  br i1 %more42, label %head42, label %end42
end42:
  br label %done19
no18:
  br label %before46
before46:
  br label %head46
head46:
  %i46 = phi i64 [ 0, %before46 ], [ %n47, %head46.latch ]
  %v48 = mul nsw i64 %i46, 8
  %p49 = getelementptr float, ptr %p25, i64 %v48
  store <8 x float> splat (float 0x0000000000000000), ptr %p49, align 4
  br label %head46.latch
head46.latch:
  %n47 = add nuw nsw i64 %i46, 1
  %more46 = icmp slt i64 %n47, 2
  br i1 %more46, label %head46, label %end46
end46:
  br label %before50
before50:
  br label %head50
head50:
  %i50 = phi i64 [ 0, %before50 ], [ %n51, %head50.latch ]
  %p52 = getelementptr float, ptr %p25, i64 %i50
  %p53 = getelementptr float, ptr %p52, i64 16
  store float 0x0000000000000000, ptr %p53, align 4
  br label %head50.latch
head50.latch:
  %n51 = add nuw nsw i64 %i50, 1
  %more50 = icmp slt i64 %n51, 2
  br i1 %more50, label %head50, label %end50
end50:
  br label %done19
done19:
  br label %head11.latch
head11.latch:
  %n12 = add nuw nsw i64 %i11, 1
  %more11 = icmp slt i64 %n12, 8
  br i1 %more11, label %head11, label %end11
end11:
  br label %head9.latch
head9.latch:
  %n10 = add nuw nsw i64 %i9, 1
  %more9 = icmp slt i64 %n10, 2
  br i1 %more9, label %head9, label %end9
end9:
  br label %head7.latch
head7.latch:
  %n8 = add nuw nsw i64 %i7, 1
  %more7 = icmp slt i64 %n8, 4
  br i1 %more7, label %head7, label %end7
end7:
  br label %before54
before54:
  br label %head54
head54:
  %i54 = phi i64 [ 0, %before54 ], [ %n55, %head54.latch ]
  %v58 = mul nsw i64 %i54, 96
  %p60 = getelementptr float, ptr %buffer4, i64 %v58
  %v62 = mul nsw i64 %i54, 18
  %p63 = getelementptr float, ptr %buffer3, i64 %v62
  br label %before56
before56:
  br label %head56
head56:
  %i56 = phi i64 [ 0, %before56 ], [ %n57, %head56.latch ]
  %v59 = mul nsw i64 %i56, 32
  %p61 = getelementptr float, ptr %p60, i64 %v59
  %p64 = getelementptr float, ptr %p63, i64 %i56
  call void @contract.4x1x8.0.0_1.8(ptr %p61, ptr %p64, ptr %buffer1, i64 2, i64 6, i64 5, i64 144, i64 18, i64 2, i64 480, i64 80, i64 16, i64 304, i64 8, i1 false)
  br label %head56.latch
head56.latch:
  %n57 = add nuw nsw i64 %i56, 1
  %more56 = icmp slt i64 %n57, 3
  br i1 %more56, label %head56, label %end56
end56:
  br label %head54.latch
head54.latch:
  %n55 = add nuw nsw i64 %i54, 1
  %more54 = icmp slt i64 %n55, 3
  br i1 %more54, label %head54, label %end54
end54:
  br label %before65
before65:
  br label %head65
head65:
  %i65 = phi i64 [ 0, %before65 ], [ %n66, %head65.latch ]
  %s68 = getelementptr <8 x float>, ptr %r67, i64 0
  store <8 x float> splat (float 0x0000000000000000), ptr %s68
  %s69 = getelementptr <8 x float>, ptr %r67, i64 1
  store <8 x float> splat (float 0x0000000000000000), ptr %s69
  %s70 = getelementptr <8 x float>, ptr %r67, i64 2
  store <8 x float> splat (float 0x0000000000000000), ptr %s70
  %s71 = getelementptr <8 x float>, ptr %r67, i64 3
  store <8 x float> splat (float 0x0000000000000000), ptr %s71
  %s72 = getelementptr <8 x float>, ptr %r67, i64 4
  store <8 x float> splat (float 0x0000000000000000), ptr %s72
  %s73 = getelementptr <8 x float>, ptr %r67, i64 5
  store <8 x float> splat (float 0x0000000000000000), ptr %s73
  %s74 = getelementptr <8 x float>, ptr %r67, i64 6
  store <8 x float> splat (float 0x0000000000000000), ptr %s74
  %s75 = getelementptr <8 x float>, ptr %r67, i64 7
  store <8 x float> splat (float 0x0000000000000000), ptr %s75
  %v76 = mul nsw i64 %i65, 8
  %v77 = urem i64 %v76, 9
  %v78 = mul nsw i64 %v77, 32
  %v79 = udiv i64 %v76, 9
  %v80 = mul nsw i64 %v79, 8
  %p81 = getelementptr float, ptr %buffer4, i64 %v78
  %p82 = getelementptr float, ptr %p81, i64 %v80
  %v83 = load <4 x float>, ptr %p82, align 4
  %v84 = add nsw i64 %v76, 1
  %v85 = urem i64 %v84, 9
  %v86 = mul nsw i64 %v85, 32
  %v87 = udiv i64 %v84, 9
  %v88 = mul nsw i64 %v87, 8
  %p89 = getelementptr float, ptr %buffer4, i64 %v86
  %p90 = getelementptr float, ptr %p89, i64 %v88
  %v91 = load <4 x float>, ptr %p90, align 4
  %v92 = add nsw i64 %v76, 2
  %v93 = urem i64 %v92, 9
  %v94 = mul nsw i64 %v93, 32
  %v95 = udiv i64 %v92, 9
  %v96 = mul nsw i64 %v95, 8
  %p97 = getelementptr float, ptr %buffer4, i64 %v94
  %p98 = getelementptr float, ptr %p97, i64 %v96
  %v99 = load <4 x float>, ptr %p98, align 4
  %v100 = add nsw i64 %v76, 3
  %v101 = urem i64 %v100, 9
  %v102 = mul nsw i64 %v101, 32
  %v103 = udiv i64 %v100, 9
  %v104 = mul nsw i64 %v103, 8
  %p105 = getelementptr float, ptr %buffer4, i64 %v102
  %p106 = getelementptr float, ptr %p105, i64 %v104
  %v107 = load <4 x float>, ptr %p106, align 4
  %v108 = add nsw i64 %v76, 4
  %v109 = urem i64 %v108, 9
  %v110 = mul nsw i64 %v109, 32
  %v111 = udiv i64 %v108, 9
  %v112 = mul nsw i64 %v111, 8
  %p113 = getelementptr float, ptr %buffer4, i64 %v110
  %p114 = getelementptr float, ptr %p113, i64 %v112
  %v115 = load <4 x float>, ptr %p114, align 4
  %v116 = add nsw i64 %v76, 5
  %v117 = urem i64 %v116, 9
  %v118 = mul nsw i64 %v117, 32
  %v119 = udiv i64 %v116, 9
  %v120 = mul nsw i64 %v119, 8
  %p121 = getelementptr float, ptr %buffer4, i64 %v118
  %p122 = getelementptr float, ptr %p121, i64 %v120
  %v123 = load <4 x float>, ptr %p122, align 4
  %v124 = add nsw i64 %v76, 6
  %v125 = urem i64 %v124, 9
  %v126 = mul nsw i64 %v125, 32
  %v127 = udiv i64 %v124, 9
  %v128 = mul nsw i64 %v127, 8
  %p129 = getelementptr float, ptr %buffer4, i64 %v126
  %p130 = getelementptr float, ptr %p129, i64 %v128
  %v131 = load <4 x float>, ptr %p130, align 4
  %v132 = add nsw i64 %v76, 7
  %v133 = urem i64 %v132, 9
  %v134 = mul nsw i64 %v133, 32
  %v135 = udiv i64 %v132, 9
  %v136 = mul nsw i64 %v135, 8
  %p137 = getelementptr float, ptr %buffer4, i64 %v134
  %p138 = getelementptr float, ptr %p137, i64 %v136
  %v139 = load <4 x float>, ptr %p138, align 4
  %v140 = shufflevector <4 x float> %v83, <4 x float> %v115, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v141 = shufflevector <4 x float> %v91, <4 x float> %v123, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v142 = shufflevector <4 x float> %v99, <4 x float> %v131, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v143 = shufflevector <4 x float> %v107, <4 x float> %v139, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v144 = shufflevector <8 x float> %v140, <8 x float> %v141, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v145 = shufflevector <8 x float> %v142, <8 x float> %v143, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v146 = shufflevector <8 x float> %v144, <8 x float> %v145, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  store <8 x float> %v146, ptr %r67
  %v147 = shufflevector <8 x float> %v144, <8 x float> %v145, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  store <8 x float> %v147, ptr %s148
  %v149 = shufflevector <8 x float> %v140, <8 x float> %v141, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v150 = shufflevector <8 x float> %v142, <8 x float> %v143, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v151 = shufflevector <8 x float> %v149, <8 x float> %v150, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  store <8 x float> %v151, ptr %s152
  %v153 = shufflevector <8 x float> %v149, <8 x float> %v150, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  store <8 x float> %v153, ptr %s154
  %p155 = getelementptr float, ptr %p82, i64 4
  %v156 = load <4 x float>, ptr %p155, align 4
  %p157 = getelementptr float, ptr %p90, i64 4
  %v158 = load <4 x float>, ptr %p157, align 4
  %p159 = getelementptr float, ptr %p98, i64 4
  %v160 = load <4 x float>, ptr %p159, align 4
  %p161 = getelementptr float, ptr %p106, i64 4
  %v162 = load <4 x float>, ptr %p161, align 4
  %p163 = getelementptr float, ptr %p114, i64 4
  %v164 = load <4 x float>, ptr %p163, align 4
  %p165 = getelementptr float, ptr %p122, i64 4
  %v166 = load <4 x float>, ptr %p165, align 4
  %p167 = getelementptr float, ptr %p130, i64 4
  %v168 = load <4 x float>, ptr %p167, align 4
  %p169 = getelementptr float, ptr %p138, i64 4
  %v170 = load <4 x float>, ptr %p169, align 4
  %v171 = shufflevector <4 x float> %v156, <4 x float> %v164, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v172 = shufflevector <4 x float> %v158, <4 x float> %v166, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v173 = shufflevector <4 x float> %v160, <4 x float> %v168, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v174 = shufflevector <4 x float> %v162, <4 x float> %v170, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v175 = shufflevector <8 x float> %v171, <8 x float> %v172, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v176 = shufflevector <8 x float> %v173, <8 x float> %v174, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v177 = shufflevector <8 x float> %v175, <8 x float> %v176, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  store <8 x float> %v177, ptr %s178
  %v179 = shufflevector <8 x float> %v175, <8 x float> %v176, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  store <8 x float> %v179, ptr %s180
  %v181 = shufflevector <8 x float> %v171, <8 x float> %v172, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v182 = shufflevector <8 x float> %v173, <8 x float> %v174, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v183 = shufflevector <8 x float> %v181, <8 x float> %v182, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  store <8 x float> %v183, ptr %s184
  %v185 = shufflevector <8 x float> %v181, <8 x float> %v182, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  store <8 x float> %v185, ptr %s186
  %v187 = load <8 x float>, ptr %r67 ; x8 9
  %p188 = getelementptr float, ptr %buffer5, i64 %v76
  store <8 x float> %v187, ptr %p188, align 4
  %v189 = load <8 x float>, ptr %s148 ; x8 9
  %p190 = getelementptr float, ptr %p188, i64 48
  store <8 x float> %v189, ptr %p190, align 4
  %v191 = load <8 x float>, ptr %s152 ; x8 9
  %p192 = getelementptr float, ptr %p188, i64 96
  store <8 x float> %v191, ptr %p192, align 4
  %v193 = load <8 x float>, ptr %s154 ; x8 9
  %p194 = getelementptr float, ptr %p188, i64 144
  store <8 x float> %v193, ptr %p194, align 4
  %v195 = load <8 x float>, ptr %s178 ; x8 9
  %p196 = getelementptr float, ptr %p188, i64 192
  store <8 x float> %v195, ptr %p196, align 4
  %v197 = load <8 x float>, ptr %s180 ; x8 9
  %p198 = getelementptr float, ptr %p188, i64 240
  store <8 x float> %v197, ptr %p198, align 4
  %v199 = load <8 x float>, ptr %s184 ; x8 9
  %p200 = getelementptr float, ptr %p188, i64 288
  store <8 x float> %v199, ptr %p200, align 4
  %v201 = load <8 x float>, ptr %s186 ; x8 9
  %p202 = getelementptr float, ptr %p188, i64 336
  store <8 x float> %v201, ptr %p202, align 4
  br label %head65.latch
head65.latch:
  %n66 = add nuw nsw i64 %i65, 1
  %more65 = icmp slt i64 %n66, 5
  br i1 %more65, label %head65, label %end65
end65:
  br label %before203
before203:
  br label %head203
head203:
  %i203 = phi i64 [ 0, %before203 ], [ %n204, %head203.latch ]
  %v207 = mul nsw i64 %i203, 48
  %p209 = getelementptr float, ptr %buffer5, i64 %v207
  %v212 = mul nsw i64 %i203, 36
  %p213 = getelementptr float, ptr %buffer2, i64 %v212
  br label %before205
before205:
  br label %head205
head205:
  %i205 = phi i64 [ 0, %before205 ], [ %n206, %head205.latch ]
  %v208 = mul nsw i64 %i205, 8
  %p210 = getelementptr float, ptr %p209, i64 %v208
  %v211 = load <8 x float>, ptr %p210, align 4
  %p214 = getelementptr float, ptr %p213, i64 %v208
  store <8 x float> %v211, ptr %p214, align 4
  br label %head205.latch
head205.latch:
  %n206 = add nuw nsw i64 %i205, 1
  %more205 = icmp slt i64 %n206, 4
  br i1 %more205, label %head205, label %end205
end205:
  br label %before215
before215:
  br label %head215
head215:
  %i215 = phi i64 [ 0, %before215 ], [ %n216, %head215.latch ]
  %p217 = getelementptr float, ptr %p209, i64 %i215
  %p218 = getelementptr float, ptr %p217, i64 32
  %v219 = load float, ptr %p218, align 4
  %p220 = getelementptr float, ptr %p213, i64 %i215
  %p221 = getelementptr float, ptr %p220, i64 32
  store float %v219, ptr %p221, align 4
  br label %head215.latch
head215.latch:
  %n216 = add nuw nsw i64 %i215, 1
  %more215 = icmp slt i64 %n216, 4
  br i1 %more215, label %head215, label %end215
end215:
  br label %head203.latch
head203.latch:
  %n204 = add nuw nsw i64 %i203, 1
  %more203 = icmp slt i64 %n204, 6
  br i1 %more203, label %head203, label %end203
end203:
  br label %head1.latch
head1.latch:
  %n2 = add nuw nsw i64 %i1, 1
  %more1 = icmp slt i64 %n2, %end
  br i1 %more1, label %head1, label %end1
end1:
  ret void
}

define void @contract.4x1x8.0.0_1.8(ptr %sums, ptr %a, ptr %b, i64 %extent0, i64 %extent1, i64 %extent2, i64 %a.step0, i64 %a.step1, i64 %a.step2, i64 %b.step0, i64 %b.step1, i64 %b.step2, i64 %number.step, i64 %vector.step, i1 %fresh) {
entry:
  %turns = alloca i64
  store i64 0, ptr %turns
  %is.new = alloca i1
  store i1 %fresh, ptr %is.new
  %sum.0.0 = alloca <8 x float>
  store <8 x float> zeroinitializer, ptr %sum.0.0
  %sum.1.0 = alloca <8 x float>
  store <8 x float> zeroinitializer, ptr %sum.1.0
  %sum.2.0 = alloca <8 x float>
  store <8 x float> zeroinitializer, ptr %sum.2.0
  %sum.3.0 = alloca <8 x float>
  store <8 x float> zeroinitializer, ptr %sum.3.0
  %far.a0 = mul i64 %number.step, 0
  %far.a1 = mul i64 %number.step, 1
  %far.a2 = mul i64 %number.step, 2
  %far.a3 = mul i64 %number.step, 3
  %far.b0 = mul i64 %vector.step, 0
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
  br label %part
part:
  %i.part = phi i64 [ 0, %head1 ], [ %i.next, %whole ]
  %a.part = phi i64 [ 0, %head1 ], [ %a.next, %whole ]
  %b.part = phi i64 [ 0, %head1 ], [ %b.next, %whole ]
  %most = add nuw nsw i64 %i.part, 16
  %is.rest = icmp slt i64 %extent2, %most
  %stop = select i1 %is.rest, i64 %extent2, i64 %most
  br label %step
step:
  %i.at = phi i64 [ %i.part, %part ], [ %i.next, %step ]
  %a.at = phi i64 [ %a.part, %part ], [ %a.next, %step ]
  %b.at = phi i64 [ %b.part, %part ], [ %b.next, %step ]
  %sum0.0.0 = load <8 x float>, ptr %sum.0.0
  %sum0.1.0 = load <8 x float>, ptr %sum.1.0
  %sum0.2.0 = load <8 x float>, ptr %sum.2.0
  %sum0.3.0 = load <8 x float>, ptr %sum.3.0
  %vp0.0 = getelementptr float, ptr %row.b0, i64 %b.at
  %vq0.0 = getelementptr float, ptr %vp0.0, i64 0
  %vector0.0 = load <8 x float>, ptr %vq0.0, align 4
  %np0.0 = getelementptr float, ptr %row.a0, i64 %a.at
  %nq0.0 = getelementptr float, ptr %np0.0, i64 0
  %number0.0 = load float, ptr %nq0.0, align 4
  %one0.0 = insertelement <8 x float> poison, float %number0.0, i64 0
  %all0.0 = shufflevector <8 x float> %one0.0, <8 x float> poison, <8 x i32> zeroinitializer
  %product0.0.0 = fmul contract <8 x float> %all0.0, %vector0.0
  %sum1.0.0 = fadd contract <8 x float> %sum0.0.0, %product0.0.0
  %np0.1 = getelementptr float, ptr %row.a1, i64 %a.at
  %nq0.1 = getelementptr float, ptr %np0.1, i64 0
  %number0.1 = load float, ptr %nq0.1, align 4
  %one0.1 = insertelement <8 x float> poison, float %number0.1, i64 0
  %all0.1 = shufflevector <8 x float> %one0.1, <8 x float> poison, <8 x i32> zeroinitializer
  %product0.1.0 = fmul contract <8 x float> %all0.1, %vector0.0
  %sum1.1.0 = fadd contract <8 x float> %sum0.1.0, %product0.1.0
  %np0.2 = getelementptr float, ptr %row.a2, i64 %a.at
  %nq0.2 = getelementptr float, ptr %np0.2, i64 0
  %number0.2 = load float, ptr %nq0.2, align 4
  %one0.2 = insertelement <8 x float> poison, float %number0.2, i64 0
  %all0.2 = shufflevector <8 x float> %one0.2, <8 x float> poison, <8 x i32> zeroinitializer
  %product0.2.0 = fmul contract <8 x float> %all0.2, %vector0.0
  %sum1.2.0 = fadd contract <8 x float> %sum0.2.0, %product0.2.0
  %np0.3 = getelementptr float, ptr %row.a3, i64 %a.at
  %nq0.3 = getelementptr float, ptr %np0.3, i64 0
  %number0.3 = load float, ptr %nq0.3, align 4
  %one0.3 = insertelement <8 x float> poison, float %number0.3, i64 0
  %all0.3 = shufflevector <8 x float> %one0.3, <8 x float> poison, <8 x i32> zeroinitializer
  %product0.3.0 = fmul contract <8 x float> %all0.3, %vector0.0
  %sum1.3.0 = fadd contract <8 x float> %sum0.3.0, %product0.3.0
  %vp1.0 = getelementptr float, ptr %row.b0, i64 %b.at
  %vq1.0 = getelementptr float, ptr %vp1.0, i64 8
  %vector1.0 = load <8 x float>, ptr %vq1.0, align 4
  %np1.0 = getelementptr float, ptr %row.a0, i64 %a.at
  %nq1.0 = getelementptr float, ptr %np1.0, i64 1
  %number1.0 = load float, ptr %nq1.0, align 4
  %one1.0 = insertelement <8 x float> poison, float %number1.0, i64 0
  %all1.0 = shufflevector <8 x float> %one1.0, <8 x float> poison, <8 x i32> zeroinitializer
  %product1.0.0 = fmul contract <8 x float> %all1.0, %vector1.0
  %sum2.0.0 = fadd contract <8 x float> %sum1.0.0, %product1.0.0
  %np1.1 = getelementptr float, ptr %row.a1, i64 %a.at
  %nq1.1 = getelementptr float, ptr %np1.1, i64 1
  %number1.1 = load float, ptr %nq1.1, align 4
  %one1.1 = insertelement <8 x float> poison, float %number1.1, i64 0
  %all1.1 = shufflevector <8 x float> %one1.1, <8 x float> poison, <8 x i32> zeroinitializer
  %product1.1.0 = fmul contract <8 x float> %all1.1, %vector1.0
  %sum2.1.0 = fadd contract <8 x float> %sum1.1.0, %product1.1.0
  %np1.2 = getelementptr float, ptr %row.a2, i64 %a.at
  %nq1.2 = getelementptr float, ptr %np1.2, i64 1
  %number1.2 = load float, ptr %nq1.2, align 4
  %one1.2 = insertelement <8 x float> poison, float %number1.2, i64 0
  %all1.2 = shufflevector <8 x float> %one1.2, <8 x float> poison, <8 x i32> zeroinitializer
  %product1.2.0 = fmul contract <8 x float> %all1.2, %vector1.0
  %sum2.2.0 = fadd contract <8 x float> %sum1.2.0, %product1.2.0
  %np1.3 = getelementptr float, ptr %row.a3, i64 %a.at
  %nq1.3 = getelementptr float, ptr %np1.3, i64 1
  %number1.3 = load float, ptr %nq1.3, align 4
  %one1.3 = insertelement <8 x float> poison, float %number1.3, i64 0
  %all1.3 = shufflevector <8 x float> %one1.3, <8 x float> poison, <8 x i32> zeroinitializer
  %product1.3.0 = fmul contract <8 x float> %all1.3, %vector1.0
  %sum2.3.0 = fadd contract <8 x float> %sum1.3.0, %product1.3.0
  store <8 x float> %sum2.0.0, ptr %sum.0.0
  store <8 x float> %sum2.1.0, ptr %sum.1.0
  store <8 x float> %sum2.2.0, ptr %sum.2.0
  store <8 x float> %sum2.3.0, ptr %sum.3.0
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
  %enough = icmp uge i64 %turns.now, 16
  br i1 %enough, label %full, label %whole
full:
  %is.new.full = load i1, ptr %is.new
  br i1 %is.new.full, label %full.first, label %full.add
full.first:
  %new.at.full.0.0 = getelementptr float, ptr %sums, i64 0
  %new.sum.full.0.0 = load <8 x float>, ptr %sum.0.0
  store <8 x float> %new.sum.full.0.0, ptr %new.at.full.0.0, align 4
  %new.at.full.1.0 = getelementptr float, ptr %sums, i64 8
  %new.sum.full.1.0 = load <8 x float>, ptr %sum.1.0
  store <8 x float> %new.sum.full.1.0, ptr %new.at.full.1.0, align 4
  %new.at.full.2.0 = getelementptr float, ptr %sums, i64 16
  %new.sum.full.2.0 = load <8 x float>, ptr %sum.2.0
  store <8 x float> %new.sum.full.2.0, ptr %new.at.full.2.0, align 4
  %new.at.full.3.0 = getelementptr float, ptr %sums, i64 24
  %new.sum.full.3.0 = load <8 x float>, ptr %sum.3.0
  store <8 x float> %new.sum.full.3.0, ptr %new.at.full.3.0, align 4
  br label %full.zero
full.add:
  %add.at.full.0.0 = getelementptr float, ptr %sums, i64 0
  %add.sum.full.0.0 = load <8 x float>, ptr %sum.0.0
  %old.full.0.0 = load <8 x float>, ptr %add.at.full.0.0, align 4
  %both.full.0.0 = fadd <8 x float> %old.full.0.0, %add.sum.full.0.0
  store <8 x float> %both.full.0.0, ptr %add.at.full.0.0, align 4
  %add.at.full.1.0 = getelementptr float, ptr %sums, i64 8
  %add.sum.full.1.0 = load <8 x float>, ptr %sum.1.0
  %old.full.1.0 = load <8 x float>, ptr %add.at.full.1.0, align 4
  %both.full.1.0 = fadd <8 x float> %old.full.1.0, %add.sum.full.1.0
  store <8 x float> %both.full.1.0, ptr %add.at.full.1.0, align 4
  %add.at.full.2.0 = getelementptr float, ptr %sums, i64 16
  %add.sum.full.2.0 = load <8 x float>, ptr %sum.2.0
  %old.full.2.0 = load <8 x float>, ptr %add.at.full.2.0, align 4
  %both.full.2.0 = fadd <8 x float> %old.full.2.0, %add.sum.full.2.0
  store <8 x float> %both.full.2.0, ptr %add.at.full.2.0, align 4
  %add.at.full.3.0 = getelementptr float, ptr %sums, i64 24
  %add.sum.full.3.0 = load <8 x float>, ptr %sum.3.0
  %old.full.3.0 = load <8 x float>, ptr %add.at.full.3.0, align 4
  %both.full.3.0 = fadd <8 x float> %old.full.3.0, %add.sum.full.3.0
  store <8 x float> %both.full.3.0, ptr %add.at.full.3.0, align 4
  br label %full.zero
full.zero:
  store i1 false, ptr %is.new
  store i64 0, ptr %turns
  store <8 x float> zeroinitializer, ptr %sum.0.0
  store <8 x float> zeroinitializer, ptr %sum.1.0
  store <8 x float> zeroinitializer, ptr %sum.2.0
  store <8 x float> zeroinitializer, ptr %sum.3.0
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
  %new.at.last.1.0 = getelementptr float, ptr %sums, i64 8
  %new.sum.last.1.0 = load <8 x float>, ptr %sum.1.0
  store <8 x float> %new.sum.last.1.0, ptr %new.at.last.1.0, align 4
  %new.at.last.2.0 = getelementptr float, ptr %sums, i64 16
  %new.sum.last.2.0 = load <8 x float>, ptr %sum.2.0
  store <8 x float> %new.sum.last.2.0, ptr %new.at.last.2.0, align 4
  %new.at.last.3.0 = getelementptr float, ptr %sums, i64 24
  %new.sum.last.3.0 = load <8 x float>, ptr %sum.3.0
  store <8 x float> %new.sum.last.3.0, ptr %new.at.last.3.0, align 4
  br label %last.zero
last.add:
  %add.at.last.0.0 = getelementptr float, ptr %sums, i64 0
  %add.sum.last.0.0 = load <8 x float>, ptr %sum.0.0
  %old.last.0.0 = load <8 x float>, ptr %add.at.last.0.0, align 4
  %both.last.0.0 = fadd <8 x float> %old.last.0.0, %add.sum.last.0.0
  store <8 x float> %both.last.0.0, ptr %add.at.last.0.0, align 4
  %add.at.last.1.0 = getelementptr float, ptr %sums, i64 8
  %add.sum.last.1.0 = load <8 x float>, ptr %sum.1.0
  %old.last.1.0 = load <8 x float>, ptr %add.at.last.1.0, align 4
  %both.last.1.0 = fadd <8 x float> %old.last.1.0, %add.sum.last.1.0
  store <8 x float> %both.last.1.0, ptr %add.at.last.1.0, align 4
  %add.at.last.2.0 = getelementptr float, ptr %sums, i64 16
  %add.sum.last.2.0 = load <8 x float>, ptr %sum.2.0
  %old.last.2.0 = load <8 x float>, ptr %add.at.last.2.0, align 4
  %both.last.2.0 = fadd <8 x float> %old.last.2.0, %add.sum.last.2.0
  store <8 x float> %both.last.2.0, ptr %add.at.last.2.0, align 4
  %add.at.last.3.0 = getelementptr float, ptr %sums, i64 24
  %add.sum.last.3.0 = load <8 x float>, ptr %sum.3.0
  %old.last.3.0 = load <8 x float>, ptr %add.at.last.3.0, align 4
  %both.last.3.0 = fadd <8 x float> %old.last.3.0, %add.sum.last.3.0
  store <8 x float> %both.last.3.0, ptr %add.at.last.3.0, align 4
  br label %last.zero
last.zero:
  store i1 false, ptr %is.new
  store i64 0, ptr %turns
  store <8 x float> zeroinitializer, ptr %sum.0.0
  store <8 x float> zeroinitializer, ptr %sum.1.0
  store <8 x float> zeroinitializer, ptr %sum.2.0
  store <8 x float> zeroinitializer, ptr %sum.3.0
  br label %return
return:
  ret void
}
