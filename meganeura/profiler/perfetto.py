"""A trace in Perfetto's format.

Tracks: a thread of the host for each thread that made spans; the device with a slice for each
dispatch; below it a track for each of its threads, with gaps where it waited for others; a counter
for each number that was counted.

A dispatch's slice on the device lasts from the first thread that began it to the last that ended
it. Threads may begin a dispatch while others end the one before; slices of one track must not
cross, so there the later one begins where the earlier one ends. The tracks of threads tell it as it
was.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import count

import numpy as np
from numpy.typing import NDArray
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import (
    TracePacket,
    TrackDescriptor,
    TrackEvent,
)
from perfetto.trace_builder.proto_builder import TraceProtoBuilder

from ..trace import DeviceStep, Span, Trace, Work

SEQUENCE = 1
PART = 10_000
"""Packets that are held before they become bytes."""
MONOTONIC = 3
"""Perfetto's number for the clock of all times."""


class _Writer:
    """One trace on its way into packets."""

    def __init__(self) -> None:
        self.builder = TraceProtoBuilder()
        self.parts: list[bytes] = []
        self.numbers = count(1)
        self.process = next(self.numbers)
        self.tracks: dict[tuple[int, str], int] = {}
        descriptor = self.descriptor(self.process)
        descriptor.process.pid = os.getpid()
        descriptor.process.process_name = "meganeura"

    def packet(self) -> TracePacket:
        # Packets take over ten times the memory of their bytes; traces can be joined end to end.
        if len(self.builder.trace.packet) >= PART:
            self.finish_part()
        packet = self.builder.add_packet()
        packet.trusted_packet_sequence_id = SEQUENCE
        return packet

    def finish_part(self) -> None:
        self.parts.append(self.builder.serialize())
        self.builder = TraceProtoBuilder()

    def descriptor(self, uuid: int) -> TrackDescriptor:
        descriptor = self.packet().track_descriptor
        descriptor.uuid = uuid
        return descriptor

    def track(self, name: str, parent: int, is_counter: bool = False) -> int:
        """The number of a track, which is declared when it is first used."""
        if (parent, name) not in self.tracks:
            uuid = self.tracks[parent, name] = next(self.numbers)
            descriptor = self.descriptor(uuid)
            descriptor.parent_uuid, descriptor.name = parent, name
            if is_counter:
                descriptor.counter.SetInParent()
        return self.tracks[parent, name]

    def event(self, track: int, kind: int, at_ns: int) -> TrackEvent:
        packet = self.packet()
        packet.timestamp, packet.timestamp_clock_id = at_ns, MONOTONIC
        event = packet.track_event
        event.type, event.track_uuid = kind, track
        return event

    def begin(self, track: int, name: str, at_ns: int, arguments: Mapping[str, object]) -> None:
        event = self.event(track, TrackEvent.TYPE_SLICE_BEGIN, at_ns)
        event.name = name
        for key, value in arguments.items():
            annotation = event.debug_annotations.add()
            annotation.name = key
            if isinstance(value, int):
                annotation.int_value = value
            else:
                annotation.string_value = str(value)

    def end(self, track: int, at_ns: int) -> None:
        self.event(track, TrackEvent.TYPE_SLICE_END, at_ns)

    # What is written

    def spans(self, spans: list[Span]) -> None:
        """Spans of each thread, as they lie in each other."""
        by_thread: dict[str, list[Span]] = {}
        for span in spans:
            by_thread.setdefault(span.thread, []).append(span)
        for thread, mine in by_thread.items():
            track = self.track(thread, self.process)
            open_ends: list[int] = []
            for span in sorted(mine, key=lambda s: (s.start_ns, -s.end_ns)):
                while open_ends and open_ends[-1] <= span.start_ns:
                    self.end(track, open_ends.pop())
                self.begin(track, span.name, span.start_ns, span.arguments)
                open_ends.append(span.end_ns)
            while open_ends:
                self.end(track, open_ends.pop())

    def slice(self, track: int, work: Work, start_ns: int, end_ns: int, tasks: int) -> None:
        arguments = {"bytes": work.moved_bytes, "flops": work.flops, "tasks": tasks}
        self.begin(track, work.label, start_ns, arguments)
        self.end(track, end_ns)

    def device_step(self, step: DeviceStep) -> None:
        """A slice for each dispatch, and for what each thread had of it."""
        device = self.track(step.device, self.process)
        starts, ends = bounds(step.times)
        tasks = step.times[:, :, 2].sum(axis=0)
        for i, work in enumerate(step.works):
            self.slice(device, work, int(starts[i]), int(ends[i]), int(tasks[i]))
        if len(step.times) == 1:
            return
        for number, rows in enumerate(step.times):
            track = self.track(f"{step.device} thread {number}", device)
            for work, (start, end, ran) in zip(step.works, rows.tolist(), strict=True):
                if ran:
                    self.slice(track, work, start, end, ran)


def bounds(times: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """When each dispatch began and ended on the device; none begins before the last one ended. A
    late thread that ran no task of it has no say."""
    ran = times[:, :, 2] > 0
    ends = np.maximum.accumulate(np.where(ran, times[:, :, 1], 0).max(axis=0))
    starts = np.where(ran, times[:, :, 0], times[:, :, 1].max()).min(axis=0)
    starts[1:] = np.maximum(starts[1:], ends[:-1])
    return starts, np.maximum(ends, starts)


def encode(trace: Trace) -> bytes:
    """The bytes of a trace's file."""
    writer = _Writer()
    writer.spans(trace.spans)
    for step in trace.steps:
        writer.device_step(step)
    for name, at_ns, value in trace.counts:
        track = writer.track(name, writer.process, is_counter=True)
        writer.event(track, TrackEvent.TYPE_COUNTER, at_ns).double_counter_value = value
    if trace.left_out:
        words = f"{trace.left_out} more were not recorded: there was no room for them"
        track = writer.track("note", writer.process)
        writer.event(track, TrackEvent.TYPE_INSTANT, trace.spans[-1].end_ns).name = words
    writer.finish_part()
    return b"".join(writer.parts)
