"""The native executor, as LLVM IR: every thread walks the same list of dispatches.

A thread takes its fixed share of each dispatch's tasks, then what slower threads have left of
theirs. Which thread runs a task does not change its result. At a barrier a thread waits until all
*tasks* before it are completed, not until all threads are there: a thread that the system has taken
off its core holds nobody up unless it is in a task, and skips what was done meanwhile. A wait
begins awake and goes on asleep in the kernel, so that the core is free for who is waited for.

All counters only grow, from one step to the next, so a thread that is late by a step or more finds
nothing to claim: ``completed`` counts the tasks of all steps, and the claims of a thread's share of
a dispatch are those of all steps too. After step n (from 1) they are n times those of one step.

The list is an array of ``{kernel, buffers, tasks, through}``, 8 bytes each. ``through`` counts the
tasks of a step to the end of the dispatch's group, in which there is no barrier: they must be
completed before the next group begins. What threads share is the control block below.
"""

from __future__ import annotations

CONTROL = (
    "dispatches",
    "count",
    "threads",
    "claims",
    "completed",
    "waiting",
    "step",
    "first",
    "sleepers",
    "idle",
    "stop",
    "times",
)
"""Fields of the control block, each alone on a cache line so that threads do not disturb each
other. ``waiting`` are threads that sleep at a barrier, ``sleepers`` those that sleep between steps.
``first`` is the step after which the counters began at zero. ``idle`` is where each thread notes
the last step it is through with, on a cache line of its own. ``times`` is where threads note when
they began and ended each dispatch, and how many tasks they ran (`TIME_NUMBERS` numbers each), or
null."""
LINE_BYTES = 64
TIME_NUMBERS = 3

AWAKE_SPINS = 40_000
"""How long an idle thread stays awake: about a millisecond, the pause between two steps."""
BARRIER_SPINS = 4_000
"""How long a thread waits awake at a barrier: a tenth of that."""

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
    waits = _pause(machine), _waiting(futex), _WAIT
    parts = (_DECLARATIONS, now, *waits, _RUN, _BARRIER, _STEP, _WORKER)
    return "\n".join(parts)


_ROW = "{ptr, ptr, i64, i64}"


def _field(name: str) -> str:
    return f"getelementptr i8, ptr %control, i64 {offset_bytes(name)}"


_DECLARATIONS = """
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
    """Sleep while a word is as it was seen, and wake who sleeps so. Without futexes, sleep in small
    doses."""
    if futex is None:
        return """
define internal void @sleep_while(ptr %word, i64 %seen) {
  %ignored = call i32 @usleep(i32 50)
  ret void
}
define internal void @wake(ptr %word) {
  ret void
}
"""
    return f"""
define internal void @sleep_while(ptr %word, i64 %seen) {{
  %seen32 = trunc i64 %seen to i32
  %ignored = call i64 (i64, ...) @syscall(i64 {futex}, ptr %word, i64 128, i32 %seen32, ptr null)
  ret void
}}
define internal void @wake(ptr %word) {{
  %ignored = call i64 (i64, ...) @syscall(i64 {futex}, ptr %word, i64 129, i32 2147483647)
  ret void
}}
"""


_RUN = f"""
; One thread's walk over the list, in a certain step, until nothing is left to claim.
define internal i64 @run(ptr %control, i64 %worker, ptr %scratch, i64 %step) {{
entry:
  %at.dispatches = {_field("dispatches")}
  %dispatches = load ptr, ptr %at.dispatches
  %at.count = {_field("count")}
  %count = load i64, ptr %at.count
  %at.threads = {_field("threads")}
  %threads = load i64, ptr %at.threads
  %at.claims = {_field("claims")}
  %claims = load ptr, ptr %at.claims
  %at.first = {_field("first")}
  %first = load i64, ptr %at.first
  %steps = sub i64 %step, %first
  %steps.before = sub i64 %steps, 1
  %round = sub i64 %threads, 1
  %own.at = mul i64 %worker, %count
  %at.times = {_field("times")}
  %times = load ptr, ptr %at.times
  %timed = icmp ne ptr %times, null
  %times.own.at = mul i64 %own.at, {TIME_NUMBERS * 8}
  %times.own = getelementptr i8, ptr %times, i64 %times.own.at
  ; All tasks of a step are those through its last dispatch.
  %some = icmp ne i64 %count, 0
  br i1 %some, label %walk, label %nothing
nothing:
  ret i64 0
walk:
  %last = sub i64 %count, 1
  %at.all = getelementptr {_ROW}, ptr %dispatches, i64 %last, i32 3
  %all = load i64, ptr %at.all
  %base = mul i64 %all, %steps.before
  br label %head
head:
  %i = phi i64 [ 0, %walk ], [ %i.next, %latch ]
  ; Tasks that this thread has run and not reported, and the end of the group they belong to.
  %held = phi i64 [ 0, %walk ], [ %held.next, %latch ]
  %group = phi i64 [ %base, %walk ], [ %end.group, %latch ]
  %seen = phi i64 [ 0, %walk ], [ %seen.next, %latch ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %dispatch, label %done
dispatch:
  %entry.at = getelementptr {_ROW}, ptr %dispatches, i64 %i
  %kernel = load ptr, ptr %entry.at
  %at.buffers = getelementptr {_ROW}, ptr %entry.at, i64 0, i32 1
  %buffers = load ptr, ptr %at.buffers
  %at.tasks = getelementptr {_ROW}, ptr %entry.at, i64 0, i32 2
  %tasks = load i64, ptr %at.tasks
  %at.through = getelementptr {_ROW}, ptr %entry.at, i64 0, i32 3
  %through = load i64, ptr %at.through
  %end.group = add i64 %base, %through
  %new.group = icmp ne i64 %end.group, %group
  br i1 %new.group, label %barrier, label %enter
barrier:
  call void @report(ptr %control, i64 %held, i64 %group)
  %reached = call i64 @meet(ptr %control, i64 %group)
  br label %enter
enter:
  %held.here = phi i64 [ %held, %dispatch ], [ 0, %barrier ]
  %seen.next = phi i64 [ %seen, %dispatch ], [ %reached, %barrier ]
  %times.at = mul i64 %i, {TIME_NUMBERS * 8}
  %noted = getelementptr i8, ptr %times.own, i64 %times.at
  br i1 %timed, label %begin.noted, label %look
begin.noted:
  %begun = call i64 @now()
  store i64 %begun, ptr %noted
  br label %look
look:
  ; A late thread finds whole groups done.
  %late = icmp uge i64 %seen.next, %end.group
  br i1 %late, label %over, label %owner
owner:
  %turn = phi i64 [ 0, %look ], [ %turn.next, %next.owner ]
  %held.owner = phi i64 [ %held.here, %look ], [ %held.left, %next.owner ]
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
  %piece.down = udiv i64 %share, {PIECES}
  %piece = add i64 %piece.down, 1
  %counter.at = mul i64 %whose, %count
  %counter.base = getelementptr i64, ptr %claims, i64 %counter.at
  %counter = getelementptr i64, ptr %counter.base, i64 %i
  %claims.before = mul i64 %share, %steps.before
  %claims.after = mul i64 %share, %steps
  %claimed.first = load atomic i64, ptr %counter monotonic, align 8
  br label %claim
claim:
  %held.left = phi i64 [ %held.owner, %owner ], [ %held.left, %lost ], [ %held.more, %work ]
  %claimed = phi i64 [ %claimed.first, %owner ], [ %now.claimed, %lost ], [ %claimed.new, %work ]
  %left = icmp ult i64 %claimed, %claims.after
  br i1 %left, label %try, label %next.owner
try:
  %wanted.far = add i64 %claimed, %piece
  %wanted = call i64 @llvm.umin.i64(i64 %wanted.far, i64 %claims.after)
  %pair = cmpxchg ptr %counter, i64 %claimed, i64 %wanted monotonic monotonic
  %now.claimed = extractvalue {{i64, i1}} %pair, 0
  %mine = extractvalue {{i64, i1}} %pair, 1
  br i1 %mine, label %work, label %lost
lost:
  br label %claim
work:
  %start.at = sub i64 %claimed, %claims.before
  %start = add i64 %begin, %start.at
  %some.ran = sub i64 %wanted, %claimed
  %stop = add i64 %start, %some.ran
  call void %kernel(ptr %buffers, ptr %scratch, i64 %start, i64 %stop)
  %held.more = add i64 %held.left, %some.ran
  %claimed.new = load atomic i64, ptr %counter monotonic, align 8
  br label %claim
next.owner:
  %turn.next = add i64 %turn, 1
  %others = icmp ult i64 %turn.next, %threads
  br i1 %others, label %owner, label %over
over:
  %held.next = phi i64 [ %held.here, %look ], [ %held.left, %next.owner ]
  br i1 %timed, label %end.noted, label %latch
end.noted:
  %ended = call i64 @now()
  %at.end = getelementptr i64, ptr %noted, i64 1
  store i64 %ended, ptr %at.end
  %at.ran = getelementptr i64, ptr %noted, i64 2
  %ran = sub i64 %held.next, %held.here
  store i64 %ran, ptr %at.ran
  br label %latch
latch:
  %i.next = add i64 %i, 1
  br label %head
done:
  call void @report(ptr %control, i64 %held, i64 %group)
  ret i64 %group
}}
"""

_WAIT = """
; Wait until a word that only grows is so large, a while awake and then asleep; what it is.
define internal i64 @await(ptr %word, ptr %sleepers, i64 %needed, i64 %most.spins) {
entry:
  br label %look
look:
  %spins = phi i64 [ 0, %entry ], [ %spins.next, %spin ], [ 0, %sleep ]
  %now = load atomic i64, ptr %word acquire, align 8
  %enough = icmp uge i64 %now, %needed
  br i1 %enough, label %done, label %pause
pause:
  %long = icmp ugt i64 %spins, %most.spins
  br i1 %long, label %sleep, label %spin
spin:
  call void @pause()
  %spins.next = add i64 %spins, 1
  br label %look
sleep:
  ; Whoever changes the word sees the sleeper, or the sleeper finds it changed.
  %ignored = atomicrmw add ptr %sleepers, i64 1 seq_cst
  call void @sleep_while(ptr %word, i64 %now)
  %ignored2 = atomicrmw sub ptr %sleepers, i64 1 seq_cst
  br label %look
done:
  ret i64 %now
}

; Wake those who sleep for a word that has grown, if there are any.
define internal void @wake_sleepers(ptr %word, ptr %sleepers) {
  %sleeping = load atomic i64, ptr %sleepers seq_cst, align 8
  %some = icmp ne i64 %sleeping, 0
  br i1 %some, label %wake, label %done
wake:
  call void @wake(ptr %word)
  br label %done
done:
  ret void
}
"""

_BARRIER = f"""
; These tasks are completed. Whoever completes a group wakes those who sleep until then.
define internal void @report(ptr %control, i64 %tasks, i64 %group) {{
entry:
  %none = icmp eq i64 %tasks, 0
  br i1 %none, label %done, label %add
add:
  %at.completed = {_field("completed")}
  %old = atomicrmw add ptr %at.completed, i64 %tasks seq_cst
  %new = add i64 %old, %tasks
  %whole = icmp eq i64 %new, %group
  br i1 %whole, label %over, label %done
over:
  %at.waiting = {_field("waiting")}
  call void @wake_sleepers(ptr %at.completed, ptr %at.waiting)
  br label %done
done:
  ret void
}}

; Wait until so many tasks are completed; how many are.
define internal i64 @meet(ptr %control, i64 %needed) {{
  %at.completed = {_field("completed")}
  %at.waiting = {_field("waiting")}
  %completed = call i64 @await(
    ptr %at.completed, ptr %at.waiting, i64 %needed, i64 {BARRIER_SPINS})
  ret i64 %completed
}}
"""

_STEP = f"""
; A step begins: threads that sleep wake up.
define void @begin(ptr %control) {{
  %at.step = {_field("step")}
  %ignored = atomicrmw add ptr %at.step, i64 1 seq_cst
  %at.sleepers = {_field("sleepers")}
  call void @wake_sleepers(ptr %at.step, ptr %at.sleepers)
  ret void
}}

; The calling thread is worker 0: it begins a step, works on it, and returns when all is done.
define void @step(ptr %control, ptr %scratch) {{
  call void @begin(ptr %control)
  %at.step = {_field("step")}
  %step = load atomic i64, ptr %at.step acquire, align 8
  %all = call i64 @run(ptr %control, i64 0, ptr %scratch, i64 %step)
  %ignored = call i64 @meet(ptr %control, i64 %all)
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
  %at.idle = {_field("idle")}
  %idle.all = load ptr, ptr %at.idle
  %idle.line = mul i64 %worker, {LINE_BYTES}
  %idle.own = getelementptr i8, ptr %idle.all, i64 %idle.line
  br label %idle
idle:
  %seen = phi i64 [ 0, %entry ], [ %now, %work ]
  store atomic i64 %seen, ptr %idle.own release, align 8
  %next = add i64 %seen, 1
  %now = call i64 @await(ptr %at.step, ptr %at.sleepers, i64 %next, i64 {AWAKE_SPINS})
  %stop = load atomic i64, ptr %at.stop acquire, align 8
  %stopped = icmp ne i64 %stop, 0
  br i1 %stopped, label %done, label %work
work:
  %ignored = call i64 @run(ptr %control, i64 %worker, ptr %scratch, i64 %now)
  br label %idle
done:
  ret void
}}
"""
