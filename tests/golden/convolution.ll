declare void @contract.6x2x8.0.0_1.1_2.2(ptr, ptr, ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i1)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

define void @convolution(ptr %buffers, ptr %scratch, i64 %begin, i64 %end) {
entry:
  %at0 = getelementptr ptr, ptr %buffers, i64 0
  %buffer0 = load ptr, ptr %at0
  %at1 = getelementptr ptr, ptr %buffers, i64 1
  %buffer1 = load ptr, ptr %at1
  %at2 = getelementptr ptr, ptr %buffers, i64 2
  %buffer2 = load ptr, ptr %at2
  %buffer3 = getelementptr float, ptr %scratch, i64 0
  %buffer4 = getelementptr float, ptr %scratch, i64 224
  %v56 = and i1 true, true
  %v60 = icmp slt i64 2, 10
  %v65 = icmp slt i64 3, 10
  %v70 = icmp slt i64 4, 10
  %v75 = icmp slt i64 5, 10
  %v80 = icmp slt i64 6, 10
  %v85 = icmp slt i64 7, 10
  %v101 = icmp slt i64 10, 10
  %v106 = icmp slt i64 11, 10
  %v111 = icmp slt i64 12, 10
  %v116 = icmp slt i64 13, 10
  %v121 = icmp slt i64 14, 10
  %v126 = icmp slt i64 15, 10
  br label %before1
before1:
  br label %head1
head1:
  %i1 = phi i64 [ %begin, %before1 ], [ %n2, %head1.latch ]
  %v7 = urem i64 %i1, 6
  %v20 = mul nsw i64 %v7, 10
  %v21 = udiv i64 %i1, 6
  %v22 = mul nsw i64 %v21, 240
  %p25 = getelementptr float, ptr %buffer0, i64 %v20
  %p26 = getelementptr float, ptr %p25, i64 %v22
  br label %before3
before3:
  br label %head3
head3:
  %i3 = phi i64 [ 0, %before3 ], [ %n4, %head3.latch ]
  %v8 = add nsw i64 %v7, %i3
  %v9 = add nsw i64 %v8, -1
  %v10 = icmp sge i64 %v9, 0
  %v11 = icmp slt i64 %v9, 6
  %v12 = and i1 %v10, %v11
  %v17 = mul nsw i64 %i3, 72
  %p18 = getelementptr float, ptr %buffer3, i64 %v17
  %v24 = mul nsw i64 %i3, 10
  %p27 = getelementptr float, ptr %p26, i64 %v24
  br label %before5
before5:
  br label %head5
head5:
  %i5 = phi i64 [ 0, %before5 ], [ %n6, %head5.latch ]
  %v16 = mul nsw i64 %i5, 18
  %p19 = getelementptr float, ptr %p18, i64 %v16
  %v23 = mul nsw i64 %i5, 60
  %p28 = getelementptr float, ptr %p27, i64 %v23
  %p29 = getelementptr float, ptr %p28, i64 -10
  %p31 = getelementptr float, ptr %p19, i64 1
  br i1 %v12, label %yes13, label %no14
yes13:
  store float 0x0000000000000000, ptr %p19, align 4
  %v30 = load <8 x float>, ptr %p29, align 4
  store <8 x float> %v30, ptr %p31, align 4
  br label %before32
before32:
  br label %head32
head32:
  %i32 = phi i64 [ 0, %before32 ], [ %n33, %head32.latch ]
  %p34 = getelementptr float, ptr %p28, i64 %i32
  %p35 = getelementptr float, ptr %p34, i64 -2
  %v36 = load float, ptr %p35, align 4
  %p37 = getelementptr float, ptr %p19, i64 %i32
  %p38 = getelementptr float, ptr %p37, i64 9
  store float %v36, ptr %p38, align 4
  br label %head32.latch
head32.latch:
  %n33 = add nuw nsw i64 %i32, 1
  %more32 = icmp slt i64 %n33, 2
  br i1 %more32, label %head32, label %end32
end32:
  br label %before39
before39:
  br label %head39
head39:
  %i39 = phi i64 [ 0, %before39 ], [ %n40, %head39.latch ]
  %p41 = getelementptr float, ptr %p19, i64 %i39
  %p42 = getelementptr float, ptr %p41, i64 11
  store float 0x0000000000000000, ptr %p42, align 4
  br label %head39.latch
head39.latch:
  %n40 = add nuw nsw i64 %i39, 1
  %more39 = icmp slt i64 %n40, 7
  br i1 %more39, label %head39, label %end39
end39:
  br label %done15
no14:
  br label %before43
before43:
  br label %head43
head43:
  %i43 = phi i64 [ 0, %before43 ], [ %n44, %head43.latch ]
  %v45 = mul nsw i64 %i43, 8
  %p46 = getelementptr float, ptr %p19, i64 %v45
  store <8 x float> splat (float 0x0000000000000000), ptr %p46, align 4
  br label %head43.latch
head43.latch:
  %n44 = add nuw nsw i64 %i43, 1
  %more43 = icmp slt i64 %n44, 2
  br i1 %more43, label %head43, label %end43
end43:
  br label %before47
before47:
  br label %head47
head47:
  %i47 = phi i64 [ 0, %before47 ], [ %n48, %head47.latch ]
  %p49 = getelementptr float, ptr %p19, i64 %i47
  %p50 = getelementptr float, ptr %p49, i64 16
  store float 0x0000000000000000, ptr %p50, align 4
  br label %head47.latch
head47.latch:
  %n48 = add nuw nsw i64 %i47, 1
  %more47 = icmp slt i64 %n48, 2
  br i1 %more47, label %head47, label %end47
end47:
  br label %done15
done15:
  br label %head5.latch
head5.latch:
  %n6 = add nuw nsw i64 %i5, 1
  %more5 = icmp slt i64 %n6, 4
  br i1 %more5, label %head5, label %end5
end5:
  br label %head3.latch
head3.latch:
  %n4 = add nuw nsw i64 %i3, 1
  %more3 = icmp slt i64 %n4, 3
  br i1 %more3, label %head3, label %end3
end3:
  call void @contract.6x2x8.0.0_1.1_2.2(ptr %buffer4, ptr %buffer1, ptr %buffer3, i64 1, i64 3, i64 4, i64 0, i64 3, i64 9, i64 0, i64 72, i64 18, i64 36, i64 8, i1 true)
  %v58 = add nsw i64 %v20, 1
  %v61 = add nsw i64 %v20, 2
  %v62 = icmp slt i64 %v61, 60
  %v63 = and i1 %v60, %v62
  %v66 = add nsw i64 %v20, 3
  %v67 = icmp slt i64 %v66, 60
  %v68 = and i1 %v65, %v67
  %v71 = add nsw i64 %v20, 4
  %v72 = icmp slt i64 %v71, 60
  %v73 = and i1 %v70, %v72
  %v76 = add nsw i64 %v20, 5
  %v77 = icmp slt i64 %v76, 60
  %v78 = and i1 %v75, %v77
  %v81 = add nsw i64 %v20, 6
  %v82 = icmp slt i64 %v81, 60
  %v83 = and i1 %v80, %v82
  %v86 = add nsw i64 %v20, 7
  %v87 = icmp slt i64 %v86, 60
  %v88 = and i1 %v85, %v87
  %v90 = mul nsw i64 %v21, 360
  %p92 = getelementptr float, ptr %buffer2, i64 %v20
  %p93 = getelementptr float, ptr %p92, i64 %v90
  %v97 = add nsw i64 %v20, 8
  %v99 = add nsw i64 %v20, 9
  %v102 = add nsw i64 %v20, 10
  %v103 = icmp slt i64 %v102, 60
  %v104 = and i1 %v101, %v103
  %v107 = add nsw i64 %v20, 11
  %v108 = icmp slt i64 %v107, 60
  %v109 = and i1 %v106, %v108
  %v112 = add nsw i64 %v20, 12
  %v113 = icmp slt i64 %v112, 60
  %v114 = and i1 %v111, %v113
  %v117 = add nsw i64 %v20, 13
  %v118 = icmp slt i64 %v117, 60
  %v119 = and i1 %v116, %v118
  %v122 = add nsw i64 %v20, 14
  %v123 = icmp slt i64 %v122, 60
  %v124 = and i1 %v121, %v123
  %v127 = add nsw i64 %v20, 15
  %v128 = icmp slt i64 %v127, 60
  %v129 = and i1 %v126, %v128
  br label %before51
before51:
  br label %head51
head51:
  %i51 = phi i64 [ 0, %before51 ], [ %n52, %head51.latch ]
  %v53 = mul nsw i64 %i51, 16
  %p54 = getelementptr float, ptr %buffer4, i64 %v53
  %v55 = load <8 x float>, ptr %p54, align 4
  %v57 = insertelement <8 x i1> poison, i1 %v56, i64 0
  %v59 = insertelement <8 x i1> %v57, i1 %v56, i64 1
  %v64 = insertelement <8 x i1> %v59, i1 %v63, i64 2
  %v69 = insertelement <8 x i1> %v64, i1 %v68, i64 3
  %v74 = insertelement <8 x i1> %v69, i1 %v73, i64 4
  %v79 = insertelement <8 x i1> %v74, i1 %v78, i64 5
  %v84 = insertelement <8 x i1> %v79, i1 %v83, i64 6
  %v89 = insertelement <8 x i1> %v84, i1 %v88, i64 7
  %v91 = mul nsw i64 %i51, 60
  %p94 = getelementptr float, ptr %p93, i64 %v91
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v55, ptr %p94, i32 4, <8 x i1> %v89)
  %p95 = getelementptr float, ptr %p54, i64 8
  %v96 = load <8 x float>, ptr %p95, align 4
  %v98 = insertelement <8 x i1> poison, i1 %v56, i64 0
  %v100 = insertelement <8 x i1> %v98, i1 %v56, i64 1
  %v105 = insertelement <8 x i1> %v100, i1 %v104, i64 2
  %v110 = insertelement <8 x i1> %v105, i1 %v109, i64 3
  %v115 = insertelement <8 x i1> %v110, i1 %v114, i64 4
  %v120 = insertelement <8 x i1> %v115, i1 %v119, i64 5
  %v125 = insertelement <8 x i1> %v120, i1 %v124, i64 6
  %v130 = insertelement <8 x i1> %v125, i1 %v129, i64 7
  %p131 = getelementptr float, ptr %p94, i64 8
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v96, ptr %p131, i32 4, <8 x i1> %v130)
  br label %head51.latch
head51.latch:
  %n52 = add nuw nsw i64 %i51, 1
  %more51 = icmp slt i64 %n52, 6
  br i1 %more51, label %head51, label %end51
end51:
  br label %head1.latch
head1.latch:
  %n2 = add nuw nsw i64 %i1, 1
  %more1 = icmp slt i64 %n2, %end
  br i1 %more1, label %head1, label %end1
end1:
  ret void
}

define void @contract.6x2x8.0.0_1.1_2.2(ptr %sums, ptr %a, ptr %b, i64 %extent0, i64 %extent1, i64 %extent2, i64 %a.step0, i64 %a.step1, i64 %a.step2, i64 %b.step0, i64 %b.step1, i64 %b.step2, i64 %number.step, i64 %vector.step, i1 %fresh) {
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
  %sum.4.0 = alloca <8 x float>
  store <8 x float> zeroinitializer, ptr %sum.4.0
  %sum.4.1 = alloca <8 x float>
  store <8 x float> zeroinitializer, ptr %sum.4.1
  %sum.5.0 = alloca <8 x float>
  store <8 x float> zeroinitializer, ptr %sum.5.0
  %sum.5.1 = alloca <8 x float>
  store <8 x float> zeroinitializer, ptr %sum.5.1
  %far.a0 = mul i64 %number.step, 0
  %far.a1 = mul i64 %number.step, 1
  %far.a2 = mul i64 %number.step, 2
  %far.a3 = mul i64 %number.step, 3
  %far.a4 = mul i64 %number.step, 4
  %far.a5 = mul i64 %number.step, 5
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
  %row.a4 = getelementptr float, ptr %a1, i64 %far.a4
  %row.a5 = getelementptr float, ptr %a1, i64 %far.a5
  %row.b0 = getelementptr float, ptr %b1, i64 %far.b0
  %row.b1 = getelementptr float, ptr %b1, i64 %far.b1
  br label %part
part:
  %i.part = phi i64 [ 0, %head1 ], [ %i.next, %whole ]
  %a.part = phi i64 [ 0, %head1 ], [ %a.next, %whole ]
  %b.part = phi i64 [ 0, %head1 ], [ %b.next, %whole ]
  %most = add nuw nsw i64 %i.part, 10
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
  %sum0.4.0 = load <8 x float>, ptr %sum.4.0
  %sum0.4.1 = load <8 x float>, ptr %sum.4.1
  %sum0.5.0 = load <8 x float>, ptr %sum.5.0
  %sum0.5.1 = load <8 x float>, ptr %sum.5.1
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
  %np0.4 = getelementptr float, ptr %row.a4, i64 %a.at
  %nq0.4 = getelementptr float, ptr %np0.4, i64 0
  %number0.4 = load float, ptr %nq0.4, align 4
  %one0.4 = insertelement <8 x float> poison, float %number0.4, i64 0
  %all0.4 = shufflevector <8 x float> %one0.4, <8 x float> poison, <8 x i32> zeroinitializer
  %product0.4.0 = fmul contract <8 x float> %all0.4, %vector0.0
  %sum1.4.0 = fadd contract <8 x float> %sum0.4.0, %product0.4.0
  %product0.4.1 = fmul contract <8 x float> %all0.4, %vector0.1
  %sum1.4.1 = fadd contract <8 x float> %sum0.4.1, %product0.4.1
  %np0.5 = getelementptr float, ptr %row.a5, i64 %a.at
  %nq0.5 = getelementptr float, ptr %np0.5, i64 0
  %number0.5 = load float, ptr %nq0.5, align 4
  %one0.5 = insertelement <8 x float> poison, float %number0.5, i64 0
  %all0.5 = shufflevector <8 x float> %one0.5, <8 x float> poison, <8 x i32> zeroinitializer
  %product0.5.0 = fmul contract <8 x float> %all0.5, %vector0.0
  %sum1.5.0 = fadd contract <8 x float> %sum0.5.0, %product0.5.0
  %product0.5.1 = fmul contract <8 x float> %all0.5, %vector0.1
  %sum1.5.1 = fadd contract <8 x float> %sum0.5.1, %product0.5.1
  %vp1.0 = getelementptr float, ptr %row.b0, i64 %b.at
  %vq1.0 = getelementptr float, ptr %vp1.0, i64 1
  %vector1.0 = load <8 x float>, ptr %vq1.0, align 4
  %vp1.1 = getelementptr float, ptr %row.b1, i64 %b.at
  %vq1.1 = getelementptr float, ptr %vp1.1, i64 1
  %vector1.1 = load <8 x float>, ptr %vq1.1, align 4
  %np1.0 = getelementptr float, ptr %row.a0, i64 %a.at
  %nq1.0 = getelementptr float, ptr %np1.0, i64 1
  %number1.0 = load float, ptr %nq1.0, align 4
  %one1.0 = insertelement <8 x float> poison, float %number1.0, i64 0
  %all1.0 = shufflevector <8 x float> %one1.0, <8 x float> poison, <8 x i32> zeroinitializer
  %product1.0.0 = fmul contract <8 x float> %all1.0, %vector1.0
  %sum2.0.0 = fadd contract <8 x float> %sum1.0.0, %product1.0.0
  %product1.0.1 = fmul contract <8 x float> %all1.0, %vector1.1
  %sum2.0.1 = fadd contract <8 x float> %sum1.0.1, %product1.0.1
  %np1.1 = getelementptr float, ptr %row.a1, i64 %a.at
  %nq1.1 = getelementptr float, ptr %np1.1, i64 1
  %number1.1 = load float, ptr %nq1.1, align 4
  %one1.1 = insertelement <8 x float> poison, float %number1.1, i64 0
  %all1.1 = shufflevector <8 x float> %one1.1, <8 x float> poison, <8 x i32> zeroinitializer
  %product1.1.0 = fmul contract <8 x float> %all1.1, %vector1.0
  %sum2.1.0 = fadd contract <8 x float> %sum1.1.0, %product1.1.0
  %product1.1.1 = fmul contract <8 x float> %all1.1, %vector1.1
  %sum2.1.1 = fadd contract <8 x float> %sum1.1.1, %product1.1.1
  %np1.2 = getelementptr float, ptr %row.a2, i64 %a.at
  %nq1.2 = getelementptr float, ptr %np1.2, i64 1
  %number1.2 = load float, ptr %nq1.2, align 4
  %one1.2 = insertelement <8 x float> poison, float %number1.2, i64 0
  %all1.2 = shufflevector <8 x float> %one1.2, <8 x float> poison, <8 x i32> zeroinitializer
  %product1.2.0 = fmul contract <8 x float> %all1.2, %vector1.0
  %sum2.2.0 = fadd contract <8 x float> %sum1.2.0, %product1.2.0
  %product1.2.1 = fmul contract <8 x float> %all1.2, %vector1.1
  %sum2.2.1 = fadd contract <8 x float> %sum1.2.1, %product1.2.1
  %np1.3 = getelementptr float, ptr %row.a3, i64 %a.at
  %nq1.3 = getelementptr float, ptr %np1.3, i64 1
  %number1.3 = load float, ptr %nq1.3, align 4
  %one1.3 = insertelement <8 x float> poison, float %number1.3, i64 0
  %all1.3 = shufflevector <8 x float> %one1.3, <8 x float> poison, <8 x i32> zeroinitializer
  %product1.3.0 = fmul contract <8 x float> %all1.3, %vector1.0
  %sum2.3.0 = fadd contract <8 x float> %sum1.3.0, %product1.3.0
  %product1.3.1 = fmul contract <8 x float> %all1.3, %vector1.1
  %sum2.3.1 = fadd contract <8 x float> %sum1.3.1, %product1.3.1
  %np1.4 = getelementptr float, ptr %row.a4, i64 %a.at
  %nq1.4 = getelementptr float, ptr %np1.4, i64 1
  %number1.4 = load float, ptr %nq1.4, align 4
  %one1.4 = insertelement <8 x float> poison, float %number1.4, i64 0
  %all1.4 = shufflevector <8 x float> %one1.4, <8 x float> poison, <8 x i32> zeroinitializer
  %product1.4.0 = fmul contract <8 x float> %all1.4, %vector1.0
  %sum2.4.0 = fadd contract <8 x float> %sum1.4.0, %product1.4.0
  %product1.4.1 = fmul contract <8 x float> %all1.4, %vector1.1
  %sum2.4.1 = fadd contract <8 x float> %sum1.4.1, %product1.4.1
  %np1.5 = getelementptr float, ptr %row.a5, i64 %a.at
  %nq1.5 = getelementptr float, ptr %np1.5, i64 1
  %number1.5 = load float, ptr %nq1.5, align 4
  %one1.5 = insertelement <8 x float> poison, float %number1.5, i64 0
  %all1.5 = shufflevector <8 x float> %one1.5, <8 x float> poison, <8 x i32> zeroinitializer
  %product1.5.0 = fmul contract <8 x float> %all1.5, %vector1.0
  %sum2.5.0 = fadd contract <8 x float> %sum1.5.0, %product1.5.0
  %product1.5.1 = fmul contract <8 x float> %all1.5, %vector1.1
  %sum2.5.1 = fadd contract <8 x float> %sum1.5.1, %product1.5.1
  %vp2.0 = getelementptr float, ptr %row.b0, i64 %b.at
  %vq2.0 = getelementptr float, ptr %vp2.0, i64 2
  %vector2.0 = load <8 x float>, ptr %vq2.0, align 4
  %vp2.1 = getelementptr float, ptr %row.b1, i64 %b.at
  %vq2.1 = getelementptr float, ptr %vp2.1, i64 2
  %vector2.1 = load <8 x float>, ptr %vq2.1, align 4
  %np2.0 = getelementptr float, ptr %row.a0, i64 %a.at
  %nq2.0 = getelementptr float, ptr %np2.0, i64 2
  %number2.0 = load float, ptr %nq2.0, align 4
  %one2.0 = insertelement <8 x float> poison, float %number2.0, i64 0
  %all2.0 = shufflevector <8 x float> %one2.0, <8 x float> poison, <8 x i32> zeroinitializer
  %product2.0.0 = fmul contract <8 x float> %all2.0, %vector2.0
  %sum3.0.0 = fadd contract <8 x float> %sum2.0.0, %product2.0.0
  %product2.0.1 = fmul contract <8 x float> %all2.0, %vector2.1
  %sum3.0.1 = fadd contract <8 x float> %sum2.0.1, %product2.0.1
  %np2.1 = getelementptr float, ptr %row.a1, i64 %a.at
  %nq2.1 = getelementptr float, ptr %np2.1, i64 2
  %number2.1 = load float, ptr %nq2.1, align 4
  %one2.1 = insertelement <8 x float> poison, float %number2.1, i64 0
  %all2.1 = shufflevector <8 x float> %one2.1, <8 x float> poison, <8 x i32> zeroinitializer
  %product2.1.0 = fmul contract <8 x float> %all2.1, %vector2.0
  %sum3.1.0 = fadd contract <8 x float> %sum2.1.0, %product2.1.0
  %product2.1.1 = fmul contract <8 x float> %all2.1, %vector2.1
  %sum3.1.1 = fadd contract <8 x float> %sum2.1.1, %product2.1.1
  %np2.2 = getelementptr float, ptr %row.a2, i64 %a.at
  %nq2.2 = getelementptr float, ptr %np2.2, i64 2
  %number2.2 = load float, ptr %nq2.2, align 4
  %one2.2 = insertelement <8 x float> poison, float %number2.2, i64 0
  %all2.2 = shufflevector <8 x float> %one2.2, <8 x float> poison, <8 x i32> zeroinitializer
  %product2.2.0 = fmul contract <8 x float> %all2.2, %vector2.0
  %sum3.2.0 = fadd contract <8 x float> %sum2.2.0, %product2.2.0
  %product2.2.1 = fmul contract <8 x float> %all2.2, %vector2.1
  %sum3.2.1 = fadd contract <8 x float> %sum2.2.1, %product2.2.1
  %np2.3 = getelementptr float, ptr %row.a3, i64 %a.at
  %nq2.3 = getelementptr float, ptr %np2.3, i64 2
  %number2.3 = load float, ptr %nq2.3, align 4
  %one2.3 = insertelement <8 x float> poison, float %number2.3, i64 0
  %all2.3 = shufflevector <8 x float> %one2.3, <8 x float> poison, <8 x i32> zeroinitializer
  %product2.3.0 = fmul contract <8 x float> %all2.3, %vector2.0
  %sum3.3.0 = fadd contract <8 x float> %sum2.3.0, %product2.3.0
  %product2.3.1 = fmul contract <8 x float> %all2.3, %vector2.1
  %sum3.3.1 = fadd contract <8 x float> %sum2.3.1, %product2.3.1
  %np2.4 = getelementptr float, ptr %row.a4, i64 %a.at
  %nq2.4 = getelementptr float, ptr %np2.4, i64 2
  %number2.4 = load float, ptr %nq2.4, align 4
  %one2.4 = insertelement <8 x float> poison, float %number2.4, i64 0
  %all2.4 = shufflevector <8 x float> %one2.4, <8 x float> poison, <8 x i32> zeroinitializer
  %product2.4.0 = fmul contract <8 x float> %all2.4, %vector2.0
  %sum3.4.0 = fadd contract <8 x float> %sum2.4.0, %product2.4.0
  %product2.4.1 = fmul contract <8 x float> %all2.4, %vector2.1
  %sum3.4.1 = fadd contract <8 x float> %sum2.4.1, %product2.4.1
  %np2.5 = getelementptr float, ptr %row.a5, i64 %a.at
  %nq2.5 = getelementptr float, ptr %np2.5, i64 2
  %number2.5 = load float, ptr %nq2.5, align 4
  %one2.5 = insertelement <8 x float> poison, float %number2.5, i64 0
  %all2.5 = shufflevector <8 x float> %one2.5, <8 x float> poison, <8 x i32> zeroinitializer
  %product2.5.0 = fmul contract <8 x float> %all2.5, %vector2.0
  %sum3.5.0 = fadd contract <8 x float> %sum2.5.0, %product2.5.0
  %product2.5.1 = fmul contract <8 x float> %all2.5, %vector2.1
  %sum3.5.1 = fadd contract <8 x float> %sum2.5.1, %product2.5.1
  store <8 x float> %sum3.0.0, ptr %sum.0.0
  store <8 x float> %sum3.0.1, ptr %sum.0.1
  store <8 x float> %sum3.1.0, ptr %sum.1.0
  store <8 x float> %sum3.1.1, ptr %sum.1.1
  store <8 x float> %sum3.2.0, ptr %sum.2.0
  store <8 x float> %sum3.2.1, ptr %sum.2.1
  store <8 x float> %sum3.3.0, ptr %sum.3.0
  store <8 x float> %sum3.3.1, ptr %sum.3.1
  store <8 x float> %sum3.4.0, ptr %sum.4.0
  store <8 x float> %sum3.4.1, ptr %sum.4.1
  store <8 x float> %sum3.5.0, ptr %sum.5.0
  store <8 x float> %sum3.5.1, ptr %sum.5.1
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
  %enough = icmp uge i64 %turns.now, 10
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
  %new.at.full.4.0 = getelementptr float, ptr %sums, i64 64
  %new.sum.full.4.0 = load <8 x float>, ptr %sum.4.0
  store <8 x float> %new.sum.full.4.0, ptr %new.at.full.4.0, align 4
  %new.at.full.4.1 = getelementptr float, ptr %sums, i64 72
  %new.sum.full.4.1 = load <8 x float>, ptr %sum.4.1
  store <8 x float> %new.sum.full.4.1, ptr %new.at.full.4.1, align 4
  %new.at.full.5.0 = getelementptr float, ptr %sums, i64 80
  %new.sum.full.5.0 = load <8 x float>, ptr %sum.5.0
  store <8 x float> %new.sum.full.5.0, ptr %new.at.full.5.0, align 4
  %new.at.full.5.1 = getelementptr float, ptr %sums, i64 88
  %new.sum.full.5.1 = load <8 x float>, ptr %sum.5.1
  store <8 x float> %new.sum.full.5.1, ptr %new.at.full.5.1, align 4
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
  %add.at.full.4.0 = getelementptr float, ptr %sums, i64 64
  %add.sum.full.4.0 = load <8 x float>, ptr %sum.4.0
  %old.full.4.0 = load <8 x float>, ptr %add.at.full.4.0, align 4
  %both.full.4.0 = fadd <8 x float> %old.full.4.0, %add.sum.full.4.0
  store <8 x float> %both.full.4.0, ptr %add.at.full.4.0, align 4
  %add.at.full.4.1 = getelementptr float, ptr %sums, i64 72
  %add.sum.full.4.1 = load <8 x float>, ptr %sum.4.1
  %old.full.4.1 = load <8 x float>, ptr %add.at.full.4.1, align 4
  %both.full.4.1 = fadd <8 x float> %old.full.4.1, %add.sum.full.4.1
  store <8 x float> %both.full.4.1, ptr %add.at.full.4.1, align 4
  %add.at.full.5.0 = getelementptr float, ptr %sums, i64 80
  %add.sum.full.5.0 = load <8 x float>, ptr %sum.5.0
  %old.full.5.0 = load <8 x float>, ptr %add.at.full.5.0, align 4
  %both.full.5.0 = fadd <8 x float> %old.full.5.0, %add.sum.full.5.0
  store <8 x float> %both.full.5.0, ptr %add.at.full.5.0, align 4
  %add.at.full.5.1 = getelementptr float, ptr %sums, i64 88
  %add.sum.full.5.1 = load <8 x float>, ptr %sum.5.1
  %old.full.5.1 = load <8 x float>, ptr %add.at.full.5.1, align 4
  %both.full.5.1 = fadd <8 x float> %old.full.5.1, %add.sum.full.5.1
  store <8 x float> %both.full.5.1, ptr %add.at.full.5.1, align 4
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
  store <8 x float> zeroinitializer, ptr %sum.4.0
  store <8 x float> zeroinitializer, ptr %sum.4.1
  store <8 x float> zeroinitializer, ptr %sum.5.0
  store <8 x float> zeroinitializer, ptr %sum.5.1
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
  %new.at.last.4.0 = getelementptr float, ptr %sums, i64 64
  %new.sum.last.4.0 = load <8 x float>, ptr %sum.4.0
  store <8 x float> %new.sum.last.4.0, ptr %new.at.last.4.0, align 4
  %new.at.last.4.1 = getelementptr float, ptr %sums, i64 72
  %new.sum.last.4.1 = load <8 x float>, ptr %sum.4.1
  store <8 x float> %new.sum.last.4.1, ptr %new.at.last.4.1, align 4
  %new.at.last.5.0 = getelementptr float, ptr %sums, i64 80
  %new.sum.last.5.0 = load <8 x float>, ptr %sum.5.0
  store <8 x float> %new.sum.last.5.0, ptr %new.at.last.5.0, align 4
  %new.at.last.5.1 = getelementptr float, ptr %sums, i64 88
  %new.sum.last.5.1 = load <8 x float>, ptr %sum.5.1
  store <8 x float> %new.sum.last.5.1, ptr %new.at.last.5.1, align 4
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
  %add.at.last.4.0 = getelementptr float, ptr %sums, i64 64
  %add.sum.last.4.0 = load <8 x float>, ptr %sum.4.0
  %old.last.4.0 = load <8 x float>, ptr %add.at.last.4.0, align 4
  %both.last.4.0 = fadd <8 x float> %old.last.4.0, %add.sum.last.4.0
  store <8 x float> %both.last.4.0, ptr %add.at.last.4.0, align 4
  %add.at.last.4.1 = getelementptr float, ptr %sums, i64 72
  %add.sum.last.4.1 = load <8 x float>, ptr %sum.4.1
  %old.last.4.1 = load <8 x float>, ptr %add.at.last.4.1, align 4
  %both.last.4.1 = fadd <8 x float> %old.last.4.1, %add.sum.last.4.1
  store <8 x float> %both.last.4.1, ptr %add.at.last.4.1, align 4
  %add.at.last.5.0 = getelementptr float, ptr %sums, i64 80
  %add.sum.last.5.0 = load <8 x float>, ptr %sum.5.0
  %old.last.5.0 = load <8 x float>, ptr %add.at.last.5.0, align 4
  %both.last.5.0 = fadd <8 x float> %old.last.5.0, %add.sum.last.5.0
  store <8 x float> %both.last.5.0, ptr %add.at.last.5.0, align 4
  %add.at.last.5.1 = getelementptr float, ptr %sums, i64 88
  %add.sum.last.5.1 = load <8 x float>, ptr %sum.5.1
  %old.last.5.1 = load <8 x float>, ptr %add.at.last.5.1, align 4
  %both.last.5.1 = fadd <8 x float> %old.last.5.1, %add.sum.last.5.1
  store <8 x float> %both.last.5.1, ptr %add.at.last.5.1, align 4
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
  store <8 x float> zeroinitializer, ptr %sum.4.0
  store <8 x float> zeroinitializer, ptr %sum.4.1
  store <8 x float> zeroinitializer, ptr %sum.5.0
  store <8 x float> zeroinitializer, ptr %sum.5.1
  br label %return
return:
  ret void
}
