declare i64 @llvm.smin.i64(i64, i64)

define void @stream(ptr %buffers, ptr %scratch, i64 %begin, i64 %end) {
entry:
  %at0 = getelementptr ptr, ptr %buffers, i64 0
  %buffer0 = load ptr, ptr %at0
  %at1 = getelementptr ptr, ptr %buffers, i64 1
  %buffer1 = load ptr, ptr %at1
  %at2 = getelementptr ptr, ptr %buffers, i64 2
  %buffer2 = load ptr, ptr %at2
  br label %before1
before1:
  br label %head1
head1:
  %i1 = phi i64 [ %begin, %before1 ], [ %n2, %head1.latch ]
  %v3 = load i32, ptr %buffer2, align 4
  %v4 = zext i32 %v3 to i64
  %v5 = udiv i64 %v4, 8
  %v6 = mul nsw i64 %i1, -1024
  %v7 = add nsw i64 %v5, %v6
  %v8 = call i64 @llvm.smin.i64(i64 %v7, i64 1024)
  %v12 = mul nsw i64 %i1, 8192
  %p13 = getelementptr float, ptr %buffer0, i64 %v12
  %p18 = getelementptr float, ptr %buffer1, i64 %v12
  %more9.some = icmp slt i64 0, %v8
  br i1 %more9.some, label %before9, label %end9
before9:
  br label %head9
head9:
  %i9 = phi i64 [ 0, %before9 ], [ %n10, %head9.latch ]
  %v11 = mul nsw i64 %i9, 8
  %p14 = getelementptr float, ptr %p13, i64 %v11
  %v15 = load <8 x float>, ptr %p14, align 4
  %v16 = fcmp oge <8 x float> splat (float 0x0000000000000000), %v15
  %v17 = select <8 x i1> %v16, <8 x float> splat (float 0x0000000000000000), <8 x float> %v15
  %p19 = getelementptr float, ptr %p18, i64 %v11
  store <8 x float> %v17, ptr %p19, align 4
  br label %head9.latch
head9.latch:
  %n10 = add nuw nsw i64 %i9, 1
  %more9 = icmp slt i64 %n10, %v8
  br i1 %more9, label %head9, label %end9
end9:
  %v20 = load i32, ptr %buffer2, align 4
  %v21 = zext i32 %v20 to i64
  %v22 = mul nsw i64 %i1, -8192
  %v23 = add nsw i64 %v21, %v22
  %v24 = icmp sge i64 %v23, 0
  %v25 = icmp slt i64 %v23, 8192
  %v26 = and i1 %v24, %v25
  br i1 %v26, label %yes27, label %no28
yes27:
  %v30 = load i32, ptr %buffer2, align 4
  %v31 = zext i32 %v30 to i64
  %v32 = urem i64 %v31, 8
  %v33 = call i64 @llvm.smin.i64(i64 %v32, i64 7)
  %more34.some = icmp slt i64 0, %v33
  br i1 %more34.some, label %before34, label %end34
before34:
  br label %head34
head34:
  %i34 = phi i64 [ 0, %before34 ], [ %n35, %head34.latch ]
  %v36 = load i32, ptr %buffer2, align 4
  %v37 = zext i32 %v36 to i64
  %v38 = udiv i64 %v37, 8
  %v39 = mul nsw i64 %v38, 8
  %p40 = getelementptr float, ptr %buffer0, i64 %v39
  %p41 = getelementptr float, ptr %p40, i64 %i34
  %v42 = load float, ptr %p41, align 4
  %v43 = fcmp oge float 0x0000000000000000, %v42
  %v44 = select i1 %v43, float 0x0000000000000000, float %v42
  %v45 = load i32, ptr %buffer2, align 4
  %v46 = zext i32 %v45 to i64
  %v47 = udiv i64 %v46, 8
  %v48 = mul nsw i64 %v47, 8
  %p49 = getelementptr float, ptr %buffer1, i64 %v48
  %p50 = getelementptr float, ptr %p49, i64 %i34
  store float %v44, ptr %p50, align 4
  br label %head34.latch
head34.latch:
  %n35 = add nuw nsw i64 %i34, 1
  %more34 = icmp slt i64 %n35, %v33
  br i1 %more34, label %head34, label %end34
end34:
  br label %done29
no28:
  br label %done29
done29:
  br label %head1.latch
head1.latch:
  %n2 = add nuw nsw i64 %i1, 1
  %more1 = icmp slt i64 %n2, %end
  br i1 %more1, label %head1, label %end1
end1:
  ret void
}
