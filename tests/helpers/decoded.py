"""A Perfetto trace read back: its slices by track, which must lie in each other."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent


@dataclass
class Slice:
    name: str
    start_ns: int
    end_ns: int = 0
    arguments: dict[str, int | str] = field(default_factory=dict)


def track_names(trace: Trace) -> dict[int, str]:
    found = [p.track_descriptor for p in trace.packet if p.HasField("track_descriptor")]
    return {d.uuid: d.name or d.process.process_name for d in found}


def read_slices(trace: Trace) -> dict[str, list[Slice]]:
    """All slices by the name of their track, in the order they begin. Fails where a slice ends that
    never began, begins before its track's time, or never ends."""
    names = track_names(trace)
    slices: dict[str, list[Slice]] = defaultdict(list)
    open_slices: dict[str, list[Slice]] = defaultdict(list)
    times: dict[str, int] = defaultdict(int)
    for packet in trace.packet:
        event = packet.track_event
        if event.type not in (TrackEvent.TYPE_SLICE_BEGIN, TrackEvent.TYPE_SLICE_END):
            continue
        track = names[event.track_uuid]
        assert packet.timestamp >= times[track], f"{track} goes back in time"
        times[track] = packet.timestamp
        if event.type == TrackEvent.TYPE_SLICE_END:
            open_slices[track].pop().end_ns = packet.timestamp
            continue
        arguments = {
            a.name: a.int_value if a.HasField("int_value") else a.string_value
            for a in event.debug_annotations
        }
        found = Slice(event.name, packet.timestamp, arguments=arguments)
        slices[track].append(found)
        open_slices[track].append(found)
    assert not any(open_slices.values()), "a slice never ends"
    return slices


def counters(trace: Trace) -> dict[str, list[float]]:
    """All values of each counter."""
    names, found = track_names(trace), defaultdict(list)
    for packet in trace.packet:
        event = packet.track_event
        if event.type == TrackEvent.TYPE_COUNTER:
            found[names[event.track_uuid]].append(event.double_counter_value)
    return found
