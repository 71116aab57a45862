declare <8 x float> @llvm.maximum.v8f32(<8 x float>, <8 x float>)
declare <8 x float> @llvm.roundeven.v8f32(<8 x float>)
declare float @llvm.arithmetic.fence.f32(float)
declare float @llvm.maximum.f32(float, float)
declare float @llvm.roundeven.f32(float)
declare float @llvm.vector.reduce.fmaximum.v8f32(<8 x float>)
declare i64 @llvm.smin.i64(i64, i64)
declare void @contract.4x2x8.0.0(ptr, ptr, ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i1)

define void @attention(ptr %buffers, ptr %scratch, i64 %begin, i64 %end) {
entry:
  %at0 = getelementptr ptr, ptr %buffers, i64 0
  %buffer0 = load ptr, ptr %at0
  %at1 = getelementptr ptr, ptr %buffers, i64 1
  %buffer1 = load ptr, ptr %at1
  %at2 = getelementptr ptr, ptr %buffers, i64 2
  %buffer2 = load ptr, ptr %at2
  %at3 = getelementptr ptr, ptr %buffers, i64 3
  %buffer3 = load ptr, ptr %at3
  %buffer4 = getelementptr float, ptr %scratch, i64 0
  %buffer5 = getelementptr float, ptr %scratch, i64 64
  %buffer6 = getelementptr float, ptr %scratch, i64 128
  %r24 = alloca [1 x <8 x float>], align 64
  %r36 = alloca [1 x <8 x float>], align 64
  %r207 = alloca [1 x float], align 64
  %r215 = alloca [1 x float], align 64
  %r220 = alloca [1 x float], align 64
  %r256 = alloca [1 x <8 x float>], align 64
  %r261 = alloca [1 x <8 x float>], align 64
  %r340 = alloca [1 x float], align 64
  %r362 = alloca [1 x float], align 64
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
  %p5 = getelementptr float, ptr %buffer6, i64 %i3
  store float 0xFFF0000000000000, ptr %p5, align 4
  %p6 = getelementptr float, ptr %p5, i64 4
  store float 0x0000000000000000, ptr %p6, align 4
  br label %head3.latch
head3.latch:
  %n4 = add nuw nsw i64 %i3, 1
  %more3 = icmp slt i64 %n4, 4
  br i1 %more3, label %head3, label %end3
end3:
  br label %before7
before7:
  br label %head7
head7:
  %i7 = phi i64 [ 0, %before7 ], [ %n8, %head7.latch ]
  %v9 = mul nsw i64 %i7, 8
  %p10 = getelementptr float, ptr %buffer5, i64 %v9
  store <8 x float> splat (float 0x0000000000000000), ptr %p10, align 4
  br label %head7.latch
head7.latch:
  %n8 = add nuw nsw i64 %i7, 1
  %more7 = icmp slt i64 %n8, 8
  br i1 %more7, label %head7, label %end7
end7:
  %v11 = call i64 @llvm.smin.i64(i64 1, i64 1)
  %v14 = urem i64 %i1, 4
  %v15 = mul nsw i64 %v14, 128
  %v16 = udiv i64 %i1, 4
  %v17 = mul nsw i64 %v16, 16
  %p18 = getelementptr float, ptr %buffer0, i64 %v15
  %p19 = getelementptr float, ptr %p18, i64 %v17
  %v20 = mul nsw i64 %v16, 256
  %p21 = getelementptr float, ptr %buffer1, i64 %v20
  %more12.some = icmp slt i64 0, %v11
  br i1 %more12.some, label %before12, label %end12
before12:
  br label %head12
head12:
  %i12 = phi i64 [ 0, %before12 ], [ %n13, %head12.latch ]
  call void @contract.4x2x8.0.0(ptr %buffer4, ptr %p19, ptr %p21, i64 1, i64 1, i64 16, i64 0, i64 0, i64 1, i64 0, i64 0, i64 16, i64 32, i64 8, i1 true)
  br label %head12.latch
head12.latch:
  %n13 = add nuw nsw i64 %i12, 1
  %more12 = icmp slt i64 %n13, %v11
  br i1 %more12, label %head12, label %end12
end12:
  %v29 = mul nsw i64 %v14, 4
  br label %before22
before22:
  br label %head22
head22:
  %i22 = phi i64 [ 0, %before22 ], [ %n23, %head22.latch ]
  %s25 = getelementptr <8 x float>, ptr %r24, i64 0
  store <8 x float> splat (float 0xFFF0000000000000), ptr %s25
  %v26 = call i64 @llvm.smin.i64(i64 1, i64 1)
  %v30 = add nsw i64 %v29, %i22
  %v31 = add nsw i64 %v30, -15
  %v32 = icmp sge i64 %v31, 0
  %v38 = mul nsw i64 %i22, 16
  %p39 = getelementptr float, ptr %buffer4, i64 %v38
  %p46 = getelementptr float, ptr %p39, i64 8
  %v53 = icmp sge i64 %v30, 0
  %v55 = add nsw i64 %v30, -1
  %v56 = icmp sge i64 %v55, 0
  %v58 = add nsw i64 %v30, -2
  %v59 = icmp sge i64 %v58, 0
  %v61 = add nsw i64 %v30, -3
  %v62 = icmp sge i64 %v61, 0
  %v64 = add nsw i64 %v30, -4
  %v65 = icmp sge i64 %v64, 0
  %v67 = add nsw i64 %v30, -5
  %v68 = icmp sge i64 %v67, 0
  %v70 = add nsw i64 %v30, -6
  %v71 = icmp sge i64 %v70, 0
  %v73 = add nsw i64 %v30, -7
  %v74 = icmp sge i64 %v73, 0
  %p84 = select i1 %v53, ptr %p39, ptr %buffer4
  %p87 = getelementptr float, ptr %p39, i64 1
  %p88 = select i1 %v56, ptr %p87, ptr %buffer4
  %p91 = getelementptr float, ptr %p39, i64 2
  %p92 = select i1 %v59, ptr %p91, ptr %buffer4
  %p95 = getelementptr float, ptr %p39, i64 3
  %p96 = select i1 %v62, ptr %p95, ptr %buffer4
  %p99 = getelementptr float, ptr %p39, i64 4
  %p100 = select i1 %v65, ptr %p99, ptr %buffer4
  %p103 = getelementptr float, ptr %p39, i64 5
  %p104 = select i1 %v68, ptr %p103, ptr %buffer4
  %p107 = getelementptr float, ptr %p39, i64 6
  %p108 = select i1 %v71, ptr %p107, ptr %buffer4
  %p111 = getelementptr float, ptr %p39, i64 7
  %p112 = select i1 %v74, ptr %p111, ptr %buffer4
  %v131 = add nsw i64 %v30, -8
  %v132 = icmp sge i64 %v131, 0
  %v134 = add nsw i64 %v30, -9
  %v135 = icmp sge i64 %v134, 0
  %v137 = add nsw i64 %v30, -10
  %v138 = icmp sge i64 %v137, 0
  %v140 = add nsw i64 %v30, -11
  %v141 = icmp sge i64 %v140, 0
  %v143 = add nsw i64 %v30, -12
  %v144 = icmp sge i64 %v143, 0
  %v146 = add nsw i64 %v30, -13
  %v147 = icmp sge i64 %v146, 0
  %v149 = add nsw i64 %v30, -14
  %v150 = icmp sge i64 %v149, 0
  %p161 = select i1 %v132, ptr %p46, ptr %buffer4
  %p164 = getelementptr float, ptr %p39, i64 9
  %p165 = select i1 %v135, ptr %p164, ptr %buffer4
  %p168 = getelementptr float, ptr %p39, i64 10
  %p169 = select i1 %v138, ptr %p168, ptr %buffer4
  %p172 = getelementptr float, ptr %p39, i64 11
  %p173 = select i1 %v141, ptr %p172, ptr %buffer4
  %p176 = getelementptr float, ptr %p39, i64 12
  %p177 = select i1 %v144, ptr %p176, ptr %buffer4
  %p180 = getelementptr float, ptr %p39, i64 13
  %p181 = select i1 %v147, ptr %p180, ptr %buffer4
  %p184 = getelementptr float, ptr %p39, i64 14
  %p185 = select i1 %v150, ptr %p184, ptr %buffer4
  %p188 = getelementptr float, ptr %p39, i64 15
  %p189 = select i1 %v32, ptr %p188, ptr %buffer4
  %more27.some = icmp slt i64 0, %v26
  br i1 %more27.some, label %before27, label %end27
before27:
  br label %head27
head27:
  %i27 = phi i64 [ 0, %before27 ], [ %n28, %head27.latch ]
  br i1 %v32, label %yes33, label %no34
yes33:
  %s37 = getelementptr <8 x float>, ptr %r36, i64 0
  store <8 x float> splat (float 0x0000000000000000), ptr %s37
  %v40 = load <8 x float>, ptr %p39, align 4
  %v41 = fmul contract <8 x float> %v40, splat (float 0x3FD0000000000000)
  store <8 x float> %v41, ptr %r36
  %v42 = load <8 x float>, ptr %r36 ; score 2
  store <8 x float> %v42, ptr %p39, align 4
  %v43 = load <8 x float>, ptr %r24 ; best 1
  %v44 = call <8 x float> @llvm.maximum.v8f32(<8 x float> %v43, <8 x float> %v42)
  store <8 x float> %v44, ptr %r24
  %s45 = getelementptr <8 x float>, ptr %r36, i64 0
  store <8 x float> splat (float 0x0000000000000000), ptr %s45
  %v47 = load <8 x float>, ptr %p46, align 4
  %v48 = fmul contract <8 x float> %v47, splat (float 0x3FD0000000000000)
  store <8 x float> %v48, ptr %r36
  %v49 = load <8 x float>, ptr %r36 ; score 4
  store <8 x float> %v49, ptr %p46, align 4
  %v50 = load <8 x float>, ptr %r24 ; best 2
  %v51 = call <8 x float> @llvm.maximum.v8f32(<8 x float> %v50, <8 x float> %v49)
  store <8 x float> %v51, ptr %r24
  br label %done35
no34:
  %s52 = getelementptr <8 x float>, ptr %r36, i64 0
  store <8 x float> splat (float 0x0000000000000000), ptr %s52
  %v54 = select i1 %v53, float 0x3FF0000000000000, float 0x0000000000000000
  %v57 = select i1 %v56, float 0x3FF0000000000000, float 0x0000000000000000
  %v60 = select i1 %v59, float 0x3FF0000000000000, float 0x0000000000000000
  %v63 = select i1 %v62, float 0x3FF0000000000000, float 0x0000000000000000
  %v66 = select i1 %v65, float 0x3FF0000000000000, float 0x0000000000000000
  %v69 = select i1 %v68, float 0x3FF0000000000000, float 0x0000000000000000
  %v72 = select i1 %v71, float 0x3FF0000000000000, float 0x0000000000000000
  %v75 = select i1 %v74, float 0x3FF0000000000000, float 0x0000000000000000
  %v76 = insertelement <8 x float> poison, float %v54, i64 0
  %v77 = insertelement <8 x float> %v76, float %v57, i64 1
  %v78 = insertelement <8 x float> %v77, float %v60, i64 2
  %v79 = insertelement <8 x float> %v78, float %v63, i64 3
  %v80 = insertelement <8 x float> %v79, float %v66, i64 4
  %v81 = insertelement <8 x float> %v80, float %v69, i64 5
  %v82 = insertelement <8 x float> %v81, float %v72, i64 6
  %v83 = insertelement <8 x float> %v82, float %v75, i64 7
  %v85 = load float, ptr %p84, align 4
  %v86 = select i1 %v53, float %v85, float zeroinitializer
  %v89 = load float, ptr %p88, align 4
  %v90 = select i1 %v56, float %v89, float zeroinitializer
  %v93 = load float, ptr %p92, align 4
  %v94 = select i1 %v59, float %v93, float zeroinitializer
  %v97 = load float, ptr %p96, align 4
  %v98 = select i1 %v62, float %v97, float zeroinitializer
  %v101 = load float, ptr %p100, align 4
  %v102 = select i1 %v65, float %v101, float zeroinitializer
  %v105 = load float, ptr %p104, align 4
  %v106 = select i1 %v68, float %v105, float zeroinitializer
  %v109 = load float, ptr %p108, align 4
  %v110 = select i1 %v71, float %v109, float zeroinitializer
  %v113 = load float, ptr %p112, align 4
  %v114 = select i1 %v74, float %v113, float zeroinitializer
  %v115 = insertelement <8 x float> poison, float %v86, i64 0
  %v116 = insertelement <8 x float> %v115, float %v90, i64 1
  %v117 = insertelement <8 x float> %v116, float %v94, i64 2
  %v118 = insertelement <8 x float> %v117, float %v98, i64 3
  %v119 = insertelement <8 x float> %v118, float %v102, i64 4
  %v120 = insertelement <8 x float> %v119, float %v106, i64 5
  %v121 = insertelement <8 x float> %v120, float %v110, i64 6
  %v122 = insertelement <8 x float> %v121, float %v114, i64 7
  %v123 = fmul contract <8 x float> %v122, splat (float 0x3FD0000000000000)
  %v124 = fcmp une <8 x float> %v83, zeroinitializer
  %v125 = select <8 x i1> %v124, <8 x float> %v123, <8 x float> splat (float 0x0000000000000000)
  %v126 = select <8 x i1> %v124, <8 x float> %v125, <8 x float> splat (float 0xFFF0000000000000)
  store <8 x float> %v126, ptr %r36
  %v127 = load <8 x float>, ptr %r36 ; score 6
  store <8 x float> %v127, ptr %p39, align 4
  %v128 = load <8 x float>, ptr %r24 ; best 3
  %v129 = call <8 x float> @llvm.maximum.v8f32(<8 x float> %v128, <8 x float> %v127)
  store <8 x float> %v129, ptr %r24
  %s130 = getelementptr <8 x float>, ptr %r36, i64 0
  store <8 x float> splat (float 0x0000000000000000), ptr %s130
  %v133 = select i1 %v132, float 0x3FF0000000000000, float 0x0000000000000000
  %v136 = select i1 %v135, float 0x3FF0000000000000, float 0x0000000000000000
  %v139 = select i1 %v138, float 0x3FF0000000000000, float 0x0000000000000000
  %v142 = select i1 %v141, float 0x3FF0000000000000, float 0x0000000000000000
  %v145 = select i1 %v144, float 0x3FF0000000000000, float 0x0000000000000000
  %v148 = select i1 %v147, float 0x3FF0000000000000, float 0x0000000000000000
  %v151 = select i1 %v150, float 0x3FF0000000000000, float 0x0000000000000000
  %v152 = select i1 %v32, float 0x3FF0000000000000, float 0x0000000000000000
  %v153 = insertelement <8 x float> poison, float %v133, i64 0
  %v154 = insertelement <8 x float> %v153, float %v136, i64 1
  %v155 = insertelement <8 x float> %v154, float %v139, i64 2
  %v156 = insertelement <8 x float> %v155, float %v142, i64 3
  %v157 = insertelement <8 x float> %v156, float %v145, i64 4
  %v158 = insertelement <8 x float> %v157, float %v148, i64 5
  %v159 = insertelement <8 x float> %v158, float %v151, i64 6
  %v160 = insertelement <8 x float> %v159, float %v152, i64 7
  %v162 = load float, ptr %p161, align 4
  %v163 = select i1 %v132, float %v162, float zeroinitializer
  %v166 = load float, ptr %p165, align 4
  %v167 = select i1 %v135, float %v166, float zeroinitializer
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
  %v191 = select i1 %v32, float %v190, float zeroinitializer
  %v192 = insertelement <8 x float> poison, float %v163, i64 0
  %v193 = insertelement <8 x float> %v192, float %v167, i64 1
  %v194 = insertelement <8 x float> %v193, float %v171, i64 2
  %v195 = insertelement <8 x float> %v194, float %v175, i64 3
  %v196 = insertelement <8 x float> %v195, float %v179, i64 4
  %v197 = insertelement <8 x float> %v196, float %v183, i64 5
  %v198 = insertelement <8 x float> %v197, float %v187, i64 6
  %v199 = insertelement <8 x float> %v198, float %v191, i64 7
  %v200 = fmul contract <8 x float> %v199, splat (float 0x3FD0000000000000)
  %v201 = fcmp une <8 x float> %v160, zeroinitializer
  %v202 = select <8 x i1> %v201, <8 x float> %v200, <8 x float> splat (float 0x0000000000000000)
  %v203 = select <8 x i1> %v201, <8 x float> %v202, <8 x float> splat (float 0xFFF0000000000000)
  store <8 x float> %v203, ptr %r36
  %v204 = load <8 x float>, ptr %r36 ; score 8
  store <8 x float> %v204, ptr %p46, align 4
  %v205 = load <8 x float>, ptr %r24 ; best 4
  %v206 = call <8 x float> @llvm.maximum.v8f32(<8 x float> %v205, <8 x float> %v204)
  store <8 x float> %v206, ptr %r24
  br label %done35
done35:
  br label %head27.latch
head27.latch:
  %n28 = add nuw nsw i64 %i27, 1
  %more27 = icmp slt i64 %n28, %v26
  br i1 %more27, label %head27, label %end27
end27:
  %s208 = getelementptr float, ptr %r207, i64 0
  store float 0x0000000000000000, ptr %s208
  %v209 = load <8 x float>, ptr %r24
  %v210 = call float @llvm.vector.reduce.fmaximum.v8f32(<8 x float> %v209)
  store float %v210, ptr %r207
  %v211 = load float, ptr %r207 ; largest 2
  %p212 = getelementptr float, ptr %buffer6, i64 %i22
  %v213 = load float, ptr %p212, align 4
  %v214 = call float @llvm.maximum.f32(float %v211, float %v213)
  store float %v214, ptr %r207
  %s216 = getelementptr float, ptr %r215, i64 0
  store float 0x0000000000000000, ptr %s216
  %v217 = load float, ptr %r207 ; largest 3
  %v218 = fcmp oeq float %v217, 0xFFF0000000000000
  %v219 = select i1 %v218, float 0x0000000000000000, float %v217
  store float %v219, ptr %r215
  %s221 = getelementptr float, ptr %r220, i64 0
  store float 0x0000000000000000, ptr %s221
  %v222 = load float, ptr %r215 ; base 2
  %v223 = fsub contract float %v213, %v222
  %v224 = fcmp ogt float 0xC055E66660000000, %v223
  %v225 = select i1 %v224, float 0xC055E66660000000, float %v223
  %v226 = fcmp ogt float %v225, 0x4056400000000000
  %v227 = select i1 %v226, float 0x4056400000000000, float %v225
  %v228 = fmul contract float %v227, 0x3FF7154760000000
  %v229 = call float @llvm.roundeven.f32(float %v228)
  %v230 = fmul contract float %v229, 0x3FE6300000000000
  %v231 = fsub contract float %v227, %v230
  %v232 = fmul contract float %v229, 0xBF2BD01060000000
  %v233 = fsub contract float %v231, %v232
  %v234 = fmul contract float %v233, %v233
  %v235 = fmul contract float 0x3F2A16A540000000, %v233
  %v236 = fadd contract float %v235, 0x3F56D20E40000000
  %v237 = fmul contract float %v236, %v234
  %v238 = fmul contract float 0x3F81110BA0000000, %v233
  %v239 = fadd contract float %v238, 0x3FA5555100000000
  %v240 = fadd contract float %v237, %v239
  %v241 = fmul contract float %v240, %v234
  %v242 = fmul contract float 0x3FC5555560000000, %v233
  %v243 = fadd contract float %v242, 0x3FE0000000000000
  %v244 = fadd contract float %v241, %v243
  %v245 = fmul contract float %v234, %v244
  %v246 = fadd contract float %v233, %v245
  %v247 = fadd contract float 0x3FF0000000000000, %v246
  %v248 = fadd contract float %v247, %v247
  %v249 = fsub contract float %v229, 0x3FF0000000000000
  %v250 = fadd float %v249, 0x4168000000000000
  %v251 = bitcast float %v250 to i32
  %v252 = shl i32 %v251, 23
  %v253 = add i32 %v252, 1065353216
  %v254 = bitcast i32 %v253 to float
  %v255 = fmul float %v248, %v254
  store float %v255, ptr %r220
  %s257 = getelementptr <8 x float>, ptr %r256, i64 0
  store <8 x float> splat (float 0x0000000000000000), ptr %s257
  %v258 = call i64 @llvm.smin.i64(i64 1, i64 1)
  %v264 = insertelement <8 x float> poison, float %v222, i64 0
  %v265 = shufflevector <8 x float> %v264, <8 x float> poison, <8 x i32> zeroinitializer
  %more259.some = icmp slt i64 0, %v258
  br i1 %more259.some, label %before259, label %end259
before259:
  br label %head259
head259:
  %i259 = phi i64 [ 0, %before259 ], [ %n260, %head259.latch ]
  %s262 = getelementptr <8 x float>, ptr %r261, i64 0
  store <8 x float> splat (float 0x0000000000000000), ptr %s262
  %v263 = load <8 x float>, ptr %p39, align 4
  %v266 = fsub contract <8 x float> %v263, %v265
  %v267 = fcmp ogt <8 x float> splat (float 0xC055E66660000000), %v266
  %v268 = select <8 x i1> %v267, <8 x float> splat (float 0xC055E66660000000), <8 x float> %v266
  %v269 = fcmp ogt <8 x float> %v268, splat (float 0x4056400000000000)
  %v270 = select <8 x i1> %v269, <8 x float> splat (float 0x4056400000000000), <8 x float> %v268
  %v271 = fmul contract <8 x float> %v270, splat (float 0x3FF7154760000000)
  %v272 = call <8 x float> @llvm.roundeven.v8f32(<8 x float> %v271)
  %v273 = fmul contract <8 x float> %v272, splat (float 0x3FE6300000000000)
  %v274 = fsub contract <8 x float> %v270, %v273
  %v275 = fmul contract <8 x float> %v272, splat (float 0xBF2BD01060000000)
  %v276 = fsub contract <8 x float> %v274, %v275
  %v277 = fmul contract <8 x float> %v276, %v276
  %v278 = fmul contract <8 x float> splat (float 0x3F2A16A540000000), %v276
  %v279 = fadd contract <8 x float> %v278, splat (float 0x3F56D20E40000000)
  %v280 = fmul contract <8 x float> %v279, %v277
  %v281 = fmul contract <8 x float> splat (float 0x3F81110BA0000000), %v276
  %v282 = fadd contract <8 x float> %v281, splat (float 0x3FA5555100000000)
  %v283 = fadd contract <8 x float> %v280, %v282
  %v284 = fmul contract <8 x float> %v283, %v277
  %v285 = fmul contract <8 x float> splat (float 0x3FC5555560000000), %v276
  %v286 = fadd contract <8 x float> %v285, splat (float 0x3FE0000000000000)
  %v287 = fadd contract <8 x float> %v284, %v286
  %v288 = fmul contract <8 x float> %v277, %v287
  %v289 = fadd contract <8 x float> %v276, %v288
  %v290 = fadd contract <8 x float> splat (float 0x3FF0000000000000), %v289
  %v291 = fadd contract <8 x float> %v290, %v290
  %v292 = fsub contract <8 x float> %v272, splat (float 0x3FF0000000000000)
  %v293 = fadd <8 x float> %v292, splat (float 0x4168000000000000)
  %v294 = bitcast <8 x float> %v293 to <8 x i32>
  %v295 = shl <8 x i32> %v294, splat (i32 23)
  %v296 = add <8 x i32> %v295, splat (i32 1065353216)
  %v297 = bitcast <8 x i32> %v296 to <8 x float>
  %v298 = fmul <8 x float> %v291, %v297
  store <8 x float> %v298, ptr %r261
  %v299 = load <8 x float>, ptr %r261 ; weight 2
  store <8 x float> %v299, ptr %p39, align 4
  %v300 = load <8 x float>, ptr %r256 ; lane_sums 1
  %v301 = fadd contract <8 x float> %v300, %v299
  store <8 x float> %v301, ptr %r256
  %s302 = getelementptr <8 x float>, ptr %r261, i64 0
  store <8 x float> splat (float 0x0000000000000000), ptr %s302
  %v303 = load <8 x float>, ptr %p46, align 4
  %v304 = fsub contract <8 x float> %v303, %v265
  %v305 = fcmp ogt <8 x float> splat (float 0xC055E66660000000), %v304
  %v306 = select <8 x i1> %v305, <8 x float> splat (float 0xC055E66660000000), <8 x float> %v304
  %v307 = fcmp ogt <8 x float> %v306, splat (float 0x4056400000000000)
  %v308 = select <8 x i1> %v307, <8 x float> splat (float 0x4056400000000000), <8 x float> %v306
  %v309 = fmul contract <8 x float> %v308, splat (float 0x3FF7154760000000)
  %v310 = call <8 x float> @llvm.roundeven.v8f32(<8 x float> %v309)
  %v311 = fmul contract <8 x float> %v310, splat (float 0x3FE6300000000000)
  %v312 = fsub contract <8 x float> %v308, %v311
  %v313 = fmul contract <8 x float> %v310, splat (float 0xBF2BD01060000000)
  %v314 = fsub contract <8 x float> %v312, %v313
  %v315 = fmul contract <8 x float> %v314, %v314
  %v316 = fmul contract <8 x float> splat (float 0x3F2A16A540000000), %v314
  %v317 = fadd contract <8 x float> %v316, splat (float 0x3F56D20E40000000)
  %v318 = fmul contract <8 x float> %v317, %v315
  %v319 = fmul contract <8 x float> splat (float 0x3F81110BA0000000), %v314
  %v320 = fadd contract <8 x float> %v319, splat (float 0x3FA5555100000000)
  %v321 = fadd contract <8 x float> %v318, %v320
  %v322 = fmul contract <8 x float> %v321, %v315
  %v323 = fmul contract <8 x float> splat (float 0x3FC5555560000000), %v314
  %v324 = fadd contract <8 x float> %v323, splat (float 0x3FE0000000000000)
  %v325 = fadd contract <8 x float> %v322, %v324
  %v326 = fmul contract <8 x float> %v315, %v325
  %v327 = fadd contract <8 x float> %v314, %v326
  %v328 = fadd contract <8 x float> splat (float 0x3FF0000000000000), %v327
  %v329 = fadd contract <8 x float> %v328, %v328
  %v330 = fsub contract <8 x float> %v310, splat (float 0x3FF0000000000000)
  %v331 = fadd <8 x float> %v330, splat (float 0x4168000000000000)
  %v332 = bitcast <8 x float> %v331 to <8 x i32>
  %v333 = shl <8 x i32> %v332, splat (i32 23)
  %v334 = add <8 x i32> %v333, splat (i32 1065353216)
  %v335 = bitcast <8 x i32> %v334 to <8 x float>
  %v336 = fmul <8 x float> %v329, %v335
  store <8 x float> %v336, ptr %r261
  %v337 = load <8 x float>, ptr %r261 ; weight 4
  store <8 x float> %v337, ptr %p46, align 4
  %v338 = load <8 x float>, ptr %r256 ; lane_sums 2
  %v339 = fadd contract <8 x float> %v338, %v337
  store <8 x float> %v339, ptr %r256
  br label %head259.latch
head259.latch:
  %n260 = add nuw nsw i64 %i259, 1
  %more259 = icmp slt i64 %n260, %v258
  br i1 %more259, label %head259, label %end259
end259:
  %s341 = getelementptr float, ptr %r340, i64 0
  store float 0x0000000000000000, ptr %s341
  %v342 = load <8 x float>, ptr %r256
  %v343 = shufflevector <8 x float> %v342, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v344 = shufflevector <8 x float> %v342, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v345 = fadd <4 x float> %v343, %v344
  %v346 = shufflevector <4 x float> %v345, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v347 = shufflevector <4 x float> %v345, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v348 = fadd <2 x float> %v346, %v347
  %v349 = shufflevector <2 x float> %v348, <2 x float> poison, <1 x i32> <i32 0>
  %v350 = shufflevector <2 x float> %v348, <2 x float> poison, <1 x i32> <i32 1>
  %v351 = fadd <1 x float> %v349, %v350
  %v352 = extractelement <1 x float> %v351, i64 0
  store float %v352, ptr %r340
  %p353 = getelementptr float, ptr %p212, i64 4
  %v354 = load float, ptr %p353, align 4
  %v355 = load float, ptr %r220 ; shrink 2
  %v356 = load float, ptr %r340 ; part_sum 2
  %v357 = fmul contract float %v354, %v355
  %v358 = fadd contract float %v357, %v356
  store float %v358, ptr %p353, align 4
  store float %v217, ptr %p212, align 4
  br label %head22.latch
head22.latch:
  %n23 = add nuw nsw i64 %i22, 1
  %more22 = icmp slt i64 %n23, 4
  br i1 %more22, label %head22, label %end22
end22:
  %p359 = getelementptr float, ptr %buffer2, i64 %v20
  call void @contract.4x2x8.0.0(ptr %buffer5, ptr %buffer4, ptr %p359, i64 1, i64 1, i64 16, i64 0, i64 64, i64 1, i64 0, i64 256, i64 16, i64 16, i64 8, i1 false)
  %p379 = getelementptr float, ptr %buffer3, i64 %v15
  %p380 = getelementptr float, ptr %p379, i64 %v17
  %v446 = mul nsw i64 %i1, 4
  %p447 = getelementptr float, ptr %buffer3, i64 %v446
  br label %before360
before360:
  br label %head360
head360:
  %i360 = phi i64 [ 0, %before360 ], [ %n361, %head360.latch ]
  %s363 = getelementptr float, ptr %r362, i64 0
  store float 0x0000000000000000, ptr %s363
  %p364 = getelementptr float, ptr %buffer6, i64 %i360
  %p365 = getelementptr float, ptr %p364, i64 4
  %v366 = load float, ptr %p365, align 4
  %v367 = fcmp oeq float %v366, 0x0000000000000000
  %v368 = select i1 %v367, float 0x3FF0000000000000, float %v366
  %v369 = fdiv float 0x3FF0000000000000, %v368
  %v370 = call float @llvm.arithmetic.fence.f32(float %v369)
  store float %v370, ptr %r362
  %v371 = mul nsw i64 %i360, 16
  %p372 = getelementptr float, ptr %buffer5, i64 %v371
  %v373 = load <8 x float>, ptr %p372, align 4
  %v374 = load float, ptr %r362 ; share 2
  %v375 = insertelement <8 x float> poison, float %v374, i64 0
  %v376 = shufflevector <8 x float> %v375, <8 x float> poison, <8 x i32> zeroinitializer
  %v377 = fmul contract <8 x float> %v373, %v376
  %v378 = mul nsw i64 %i360, 32
  %p381 = getelementptr float, ptr %p380, i64 %v378
  store <8 x float> %v377, ptr %p381, align 4
  %p382 = getelementptr float, ptr %p372, i64 8
  %v383 = load <8 x float>, ptr %p382, align 4
  %v384 = fmul contract <8 x float> %v383, %v376
  %p385 = getelementptr float, ptr %p381, i64 8
  store <8 x float> %v384, ptr %p385, align 4
  %v386 = load float, ptr %p364, align 4
  %v387 = load float, ptr %p365, align 4
  %v388 = fcmp oeq float %v386, 0xFFF0000000000000
  %v389 = select i1 %v388, float 0x0000000000000000, float %v386
  %v390 = fmul contract float %v387, 0x4160000000000000
  %v391 = fmul contract float %v387, 0x3FD0000000000000
  %v392 = fcmp ogt float %v387, 0x47D2CED320000000
  %v393 = select i1 %v392, float %v391, float %v387
  %v394 = fcmp ogt float 0x3810000000000000, %v387
  %v395 = select i1 %v394, float %v390, float %v393
  %v396 = bitcast float %v395 to i32
  %v397 = sub i32 %v396, 1060439283
  %v398 = ashr i32 %v397, 23
  %v399 = sitofp i32 %v398 to float
  %v400 = fneg float %v399
  %v401 = fadd float %v400, 0x4168000000000000
  %v402 = bitcast float %v401 to i32
  %v403 = shl i32 %v402, 23
  %v404 = add i32 %v403, 1065353216
  %v405 = bitcast i32 %v404 to float
  %v406 = fmul float %v395, %v405
  %v407 = fsub contract float %v406, 0x3FF0000000000000
  %v408 = fmul contract float %v407, %v407
  %v409 = fmul contract float %v408, %v407
  %v410 = fmul contract float 0x3FB1B58E00000000, %v408
  %v411 = fmul contract float 0xBFBE27EAA0000000, %v407
  %v412 = fadd contract float %v411, 0x3FBE609FE0000000
  %v413 = fadd contract float %v410, %v412
  %v414 = fmul contract float %v413, %v408
  %v415 = fmul contract float 0xBFBFB529E0000000, %v407
  %v416 = fadd contract float %v415, 0x3FC2339380000000
  %v417 = fadd contract float %v414, %v416
  %v418 = fmul contract float %v417, %v408
  %v419 = fmul contract float 0xBFC5562980000000, %v407
  %v420 = fadd contract float %v419, 0x3FC99A4E20000000
  %v421 = fadd contract float %v418, %v420
  %v422 = fmul contract float %v421, %v408
  %v423 = fmul contract float 0xBFCFFFFEE0000000, %v407
  %v424 = fadd contract float %v423, 0x3FD5555460000000
  %v425 = fadd contract float %v422, %v424
  %v426 = fmul contract float %v409, %v425
  %v427 = select i1 %v392, float 0x4000000000000000, float 0x0000000000000000
  %v428 = select i1 %v394, float 0xC037000000000000, float %v427
  %v429 = fadd contract float %v399, %v428
  %v430 = fmul contract float %v429, 0xBF2BD01060000000
  %v431 = fadd contract float %v426, %v430
  %v432 = fmul contract float 0x3FE0000000000000, %v408
  %v433 = fsub contract float %v431, %v432
  %v434 = fadd contract float %v407, %v433
  %v435 = fmul contract float %v429, 0x3FE6300000000000
  %v436 = fadd contract float %v434, %v435
  %v437 = fcmp oeq float %v387, 0x7FF0000000000000
  %v438 = select i1 %v437, float 0x7FF0000000000000, float %v436
  %v439 = fcmp oeq float %v387, 0x0000000000000000
  %v440 = select i1 %v439, float 0xFFF0000000000000, float %v438
  %v441 = fcmp oeq float %v387, %v387
  %v442 = select i1 %v441, float %v440, float %v387
  %v443 = fcmp ogt float 0x0000000000000000, %v387
  %v444 = select i1 %v443, float 0x7FF8000000000000, float %v442
  %v445 = fadd contract float %v389, %v444
  %p448 = getelementptr float, ptr %p447, i64 %i360
  %p449 = getelementptr float, ptr %p448, i64 512
  store float %v445, ptr %p449, align 4
  br label %head360.latch
head360.latch:
  %n361 = add nuw nsw i64 %i360, 1
  %more360 = icmp slt i64 %n361, 4
  br i1 %more360, label %head360, label %end360
end360:
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
