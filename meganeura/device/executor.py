"""The native executor, as LLVM IR: every thread walks the same list of dispatches.

A thread takes its fixed share of each dispatch's tasks, then what slower threads have left of
theirs, and meets the others only where the list says so. Which thread runs a task does not change
its result. Between steps, idle threads wait a little awake and then sleep in the kernel until the
next step wakes them.

The list is an array of ``{kernel, buffers, tasks, barrier}``, 8 bytes each. What threads share is
the control block below.
"""

from __future__ import annotations

CONTROL = (
    "dispatches",
    "count",
    "threads",
    "claims",
    "arrived",
    "phase",
    "step",
    "sleepers",
    "stop",
    "times",
)
"""Fields of the control block, each alone on a cache line so that threads do not disturb each
other. ``times`` is where threads note when they began and ended each dispatch, and how many tasks
they ran (`TIME_NUMBERS` numbers each), or null."""
LINE_BYTES = 64
TIME_NUMBERS = 3

AWAKE_SPINS = 40_000
"""How long an idle thread stays awake: about a millisecond, the pause between two steps."""
BARRIER_SPINS = 4_000
"""How long a barrier is waited for before the core is offered to others: a tenth of that."""

PIECES = 8
"""Parts in which a thread claims its share of a dispatch: others can take what is left."""

_FUTEX_NUMBERS = {"x86_64": 202, "aarch64": 98}


def offset_bytes(field: str) -> int:
    """Where a field lies in the control block."""
    return CONTROL.index(field) * LINE_BYTES


def executor_text(machine: str, system: str) -> str:
    """The executor's module for a machine (``x86_64``) and a system (``Linux``)."""
    futex = _FUTEX_NUMBERS.get(machine) if system == "Linux" else None
    now = _now(6 if system == "Darwin" else 1)
    parts = (_DECLARATIONS, _pause(machine), now, _waiting(futex), _RUN, _BARRIER, _STEP, _WORKER)
    return "\n".join(parts)


def _field(name: str) -> str:
    return f"getelementptr i8, ptr %control, i64 {offset_bytes(name)}"


_DECLARATIONS = """
declare i32 @sched_yield()
declare i32 @usleep(i32)
declare i64 @syscall(i64, ...)
declare i64 @llvm.umin.i64(i64, i64)
"""


def _pause(machine: str) -> str:
    """A hint to the core that this thread only waits; machines without one do nothing."""
    call = {
        "x86_64": "call void @llvm.x86.sse2.pause()",
        "AMD64": "call void @llvm.x86.sse2.pause()",
        "aarch64": "call void @llvm.aarch64.hint(i32 1)",
        "arm64": "call void @llvm.aarch64.hint(i32 1)",
    }.get(machine)
    if call is None:
        return "define internal void @pause() {\n  ret void\n}\n"
    declare = call.replace("call", "declare", 1).replace("i32 1", "i32")
    return f"{declare}\ndefine internal void @pause() {{\n  {call}\n  ret void\n}}\n"


def _now(clock: int) -> str:
    """The time in nanoseconds, by the system's monotonic clock, whose number differs."""
    return f"""
declare i32 @clock_gettime(i32, ptr)
define internal i64 @now() {{
  %time = alloca [2 x i64]
  %ignored = call i32 @clock_gettime(i32 {clock}, ptr %time)
  %seconds = load i64, ptr %time
  %at.rest = getelementptr i64, ptr %time, i64 1
  %rest = load i64, ptr %at.rest
  %whole = mul i64 %seconds, 1000000000
  %all = add i64 %whole, %rest
  ret i64 %all
}}
"""


def _waiting(futex: int | None) -> str:
    """Sleep until a step begins, and wake the sleepers. Without futexes, sleep in small doses."""
    if futex is None:
        return """
define internal void @sleep_until_step(ptr %step, i64 %seen) {
  %ignored = call i32 @usleep(i32 50)
  ret void
}
define internal void @wake(ptr %step) {
  ret void
}
"""
    return f"""
define internal void @sleep_until_step(ptr %step, i64 %seen) {{
  %seen32 = trunc i64 %seen to i32
  %ignored = call i64 (i64, ...) @syscall(i64 {futex}, ptr %step, i64 128, i32 %seen32, ptr null)
  ret void
}}
define internal void @wake(ptr %step) {{
  %ignored = call i64 (i64, ...) @syscall(i64 {futex}, ptr %step, i64 129, i32 2147483647)
  ret void
}}
"""


_RUN = f"""
; One thread's walk over the list. Tasks are claimed in pieces: first those of the thread's own
; share, then what others have left of theirs. There are two sets of counters; while one is in use,
; the other is made zero for the next step.
define internal void @run(ptr %control, i64 %worker, ptr %scratch) {{
entry:
  %at.dispatches = {_field("dispatches")}
  %dispatches = load ptr, ptr %at.dispatches
  %at.count = {_field("count")}
  %count = load i64, ptr %at.count
  %at.threads = {_field("threads")}
  %threads = load i64, ptr %at.threads
  %at.claims = {_field("claims")}
  %claims = load ptr, ptr %at.claims
  %at.step = {_field("step")}
  %step = load atomic i64, ptr %at.step acquire, align 8
  %odd = and i64 %step, 1
  %set.length = mul i64 %threads, %count
  %now.at = mul i64 %odd, %set.length
  %now = getelementptr i64, ptr %claims, i64 %now.at
  %even = xor i64 %odd, 1
  %later.at = mul i64 %even, %set.length
  %later = getelementptr i64, ptr %claims, i64 %later.at
  %own.at = mul i64 %worker, %count
  %later.own = getelementptr i64, ptr %later, i64 %own.at
  %round = sub i64 %threads, 1
  ; Without a place for times, the number of tasks is noted here, where nobody looks.
  %nowhere = alloca [{TIME_NUMBERS} x i64]
  store [{TIME_NUMBERS} x i64] zeroinitializer, ptr %nowhere
  %at.times = {_field("times")}
  %times = load ptr, ptr %at.times
  %timed = icmp ne ptr %times, null
  %times.own.at = mul i64 %own.at, {TIME_NUMBERS * 8}
  %times.own = getelementptr i8, ptr %times, i64 %times.own.at
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %dispatch, label %done
dispatch:
  %entry.at = getelementptr {{ptr, ptr, i64, i64}}, ptr %dispatches, i64 %i
  %kernel = load ptr, ptr %entry.at
  %at.buffers = getelementptr i8, ptr %entry.at, i64 8
  %buffers = load ptr, ptr %at.buffers
  %at.tasks = getelementptr i8, ptr %entry.at, i64 16
  %tasks = load i64, ptr %at.tasks
  %at.barrier = getelementptr i8, ptr %entry.at, i64 24
  %barrier = load i64, ptr %at.barrier
  %zeroed = getelementptr i64, ptr %later.own, i64 %i
  store atomic i64 0, ptr %zeroed monotonic, align 8
  %waits = icmp ne i64 %barrier, 0
  br i1 %waits, label %meet, label %first
meet:
  call void @meet(ptr %control)
  br label %first
first:
  %times.at = mul i64 %i, {TIME_NUMBERS * 8}
  %times.row = getelementptr i8, ptr %times.own, i64 %times.at
  %noted = select i1 %timed, ptr %times.row, ptr %nowhere
  %at.end = getelementptr i64, ptr %noted, i64 1
  %at.ran = getelementptr i64, ptr %noted, i64 2
  br i1 %timed, label %begin.noted, label %owners
begin.noted:
  %begun = call i64 @now()
  store i64 %begun, ptr %noted
  store i64 0, ptr %at.ran
  br label %owners
owners:
  br label %owner
owner:
  %turn = phi i64 [ 0, %owners ], [ %turn.next, %next.owner ]
  %whose.sum = add i64 %worker, %turn
  %beyond = icmp uge i64 %whose.sum, %threads
  %whose.less = sub i64 %whose.sum, %threads
  %whose = select i1 %beyond, i64 %whose.less, i64 %whose.sum
  ; From ⌈tasks·whose/threads⌉: a single task is the calling thread's own.
  %from = mul i64 %tasks, %whose
  %from.up = add i64 %from, %round
  %begin = udiv i64 %from.up, %threads
  %whose.next = add i64 %whose, 1
  %to = mul i64 %tasks, %whose.next
  %to.up = add i64 %to, %round
  %end = udiv i64 %to.up, %threads
  %share = sub i64 %end, %begin
  %some = icmp ne i64 %share, 0
  %piece.down = udiv i64 %share, {PIECES}
  %piece = add i64 %piece.down, 1
  %counter.at = mul i64 %whose, %count
  %counter.base = getelementptr i64, ptr %now, i64 %counter.at
  %counter = getelementptr i64, ptr %counter.base, i64 %i
  br i1 %some, label %claim, label %next.owner
claim:
  %claimed = atomicrmw add ptr %counter, i64 %piece monotonic
  %start = add i64 %begin, %claimed
  %left = icmp ult i64 %start, %end
  br i1 %left, label %work, label %next.owner
work:
  %stop.far = add i64 %start, %piece
  %stop = call i64 @llvm.umin.i64(i64 %stop.far, i64 %end)
  call void %kernel(ptr %buffers, ptr %scratch, i64 %start, i64 %stop)
  %ran = load i64, ptr %at.ran
  %now.ran = sub i64 %stop, %start
  %ran.all = add i64 %ran, %now.ran
  store i64 %ran.all, ptr %at.ran
  br label %claim
next.owner:
  %turn.next = add i64 %turn, 1
  %others = icmp ult i64 %turn.next, %threads
  br i1 %others, label %owner, label %over
over:
  br i1 %timed, label %end.noted, label %latch
end.noted:
  %ended = call i64 @now()
  store i64 %ended, ptr %at.end
  br label %latch
latch:
  %i.next = add i64 %i, 1
  br label %head
done:
  call void @meet(ptr %control)
  ret void
}}
"""

_BARRIER = f"""
; Wait until every thread is here.
define internal void @meet(ptr %control) {{
entry:
  %at.threads = {_field("threads")}
  %threads = load i64, ptr %at.threads
  %alone = icmp eq i64 %threads, 1
  br i1 %alone, label %done, label %arrive
arrive:
  %at.arrived = {_field("arrived")}
  %at.phase = {_field("phase")}
  %phase = load atomic i64, ptr %at.phase acquire, align 8
  %before = atomicrmw add ptr %at.arrived, i64 1 acq_rel
  %here = add i64 %before, 1
  %last = icmp eq i64 %here, %threads
  br i1 %last, label %release, label %wait
release:
  store atomic i64 0, ptr %at.arrived release, align 8
  %ignored = atomicrmw add ptr %at.phase, i64 1 acq_rel
  br label %done
wait:
  %spins = phi i64 [ 0, %arrive ], [ %spins.next, %again ]
  %now = load atomic i64, ptr %at.phase acquire, align 8
  %moved = icmp ne i64 %now, %phase
  br i1 %moved, label %done, label %spin
spin:
  call void @pause()
  %spins.next = add i64 %spins, 1
  %long = icmp ugt i64 %spins, {BARRIER_SPINS}
  br i1 %long, label %yield, label %again
yield:
  %ignored2 = call i32 @sched_yield()
  br label %again
again:
  br label %wait
done:
  ret void
}}
"""

_STEP = f"""
; The calling thread is worker 0: it starts a step, works on it, and returns when all are done.
define void @step(ptr %control, ptr %scratch) {{
  %at.step = {_field("step")}
  %ignored = atomicrmw add ptr %at.step, i64 1 acq_rel
  %at.sleepers = {_field("sleepers")}
  %sleepers = load atomic i64, ptr %at.sleepers seq_cst, align 8
  %some = icmp ne i64 %sleepers, 0
  br i1 %some, label %wake, label %work
wake:
  call void @wake(ptr %at.step)
  br label %work
work:
  call void @run(ptr %control, i64 0, ptr %scratch)
  ret void
}}
"""

_WORKER = f"""
; Every other thread: a step after another, until told to stop.
define void @worker(ptr %control, i64 %worker, ptr %scratch) {{
entry:
  %at.step = {_field("step")}
  %at.sleepers = {_field("sleepers")}
  %at.stop = {_field("stop")}
  br label %idle
idle:
  %seen = phi i64 [ 0, %entry ], [ %now, %work ]
  br label %look
look:
  %spins = phi i64 [ 0, %idle ], [ %spins.next, %spin ], [ 0, %awake ]
  %now = load atomic i64, ptr %at.step acquire, align 8
  %begun = icmp ne i64 %now, %seen
  br i1 %begun, label %begin, label %pause
pause:
  %long = icmp ugt i64 %spins, {AWAKE_SPINS}
  br i1 %long, label %sleep, label %spin
spin:
  call void @pause()
  %spins.next = add i64 %spins, 1
  br label %look
sleep:
  %ignored = atomicrmw add ptr %at.sleepers, i64 1 seq_cst
  call void @sleep_until_step(ptr %at.step, i64 %seen)
  %ignored2 = atomicrmw sub ptr %at.sleepers, i64 1 seq_cst
  br label %awake
awake:
  br label %look
begin:
  %stop = load atomic i64, ptr %at.stop acquire, align 8
  %stopped = icmp ne i64 %stop, 0
  br i1 %stopped, label %done, label %work
work:
  call void @run(ptr %control, i64 %worker, ptr %scratch)
  br label %idle
done:
  ret void
}}
"""
