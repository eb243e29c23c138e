"""Formatting of one frame of `salt-g top`: a sample of the master as lines of text.

All functions are pure; `top.py` writes to the terminal.
Shapes: a sample is the master's answer (`master/background/dashboard.py`); with `--all` it also has
{masters: {id: {...}}}.
Units: seconds, bytes; rates are per second between two samples.
"""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from salt_g.data import jid as jids

#: Sort orders of jobs; jobs still running come first.
SORTS = ("newest", "oldest", "left", "function")
#: Minimum width (columns) at which the job table shows targets, and at which it also shows job ids.
_NARROW, _WIDE = 64, 80
Sample = Mapping[str, Any]


def frame(
    sample: Sample, before: Sample | None, *, sort: str = SORTS[0], width: int = 80, height: int = 0
) -> list[str]:
    """Return the lines of a frame; `before` is an earlier sample, for rates; `height` 0 shows everything."""
    lines = [*_figures(sample["metrics"], sample, _Rates(sample, before)), *_masters(sample), ""]
    jobs = _jobs(sample["jobs"], sample["time"], sort, width)
    commands = _commands(sample["metrics"].get("salt_g_request_seconds", {}), _Rates(sample, before))
    if height:
        # The table of commands gets the lines left by the jobs, and at least four if possible; in a
        # low window two jobs take precedence over it.
        left = max(0, height - len(lines))
        for_jobs = min(len(jobs), max(left - len(commands) - 1, left - 5, min(left, 3)))
        jobs, commands = jobs[:for_jobs], commands[: max(0, left - for_jobs - 1)]
    return [cut(line, width) for line in [*lines, *jobs, "", *commands]][: height or None]


def cut(text: str, width: int) -> str:
    """Return a line cut to `width`; control characters, as in names from users and peers, are replaced."""
    clean = "".join(character if character.isprintable() else "�" for character in text)
    if clean.isascii():
        return clean if len(clean) <= width else f"{clean[: max(0, width - 1)]}…"
    if sum(map(_cells, clean)) <= width:
        return clean
    taken, kept = 0, 0
    while taken + _cells(clean[kept]) <= width - 1:
        taken += _cells(clean[kept])
        kept += 1
    return f"{clean[:kept]}…"


def _cells(character: str) -> int:
    """Return the number of terminal columns of a character."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _masters(sample: Sample) -> Iterator[str]:
    """Yield a line for each master of a cluster; without `--all` yield nothing."""
    for id, one in sorted(sample.get("masters", {}).items()):
        state = "leader" if one["leader"] else "live" if one["live"] else f"AWAY since {one['seen']}"
        yield f"master    {id}   {state}   minions {one['minions']:,}   salt-g {one['release']}"


class _Rates:
    """Rates per second, from two samples."""

    def __init__(self, sample: Sample, before: Sample | None) -> None:
        self._now = sample
        self._before = before or sample
        # The counters of a restarted master begin at 0, so a negative difference counts as 0.
        self._span = sample["time"] - self._before["time"]

    def of(self, name: str, *path: str) -> str:
        """Return the rate of a counter, or of the part of it with the labels `path`, as `12.3/s`."""
        if self._span <= 0:
            return "-/s"
        grown = _at(self._now["metrics"], name, *path) - _at(self._before["metrics"], name, *path)
        return f"{max(0.0, grown) / self._span:.1f}/s"

    def share(self, name: str) -> str:
        """Return the CPU usage in percent of one processor, from a counter of CPU seconds."""
        if self._span <= 0:
            return "- %"
        grown = _at(self._now["metrics"], name) - _at(self._before["metrics"], name)
        return f"{100 * max(0.0, grown) / self._span:.0f} %"


def _figures(metrics: Mapping[str, Any], sample: Sample, rates: _Rates) -> Iterator[str]:
    def number(name: str, *path: str) -> str:
        return f"{_at(metrics, name, *path):,.0f}"

    delay = metrics["salt_g_hub_delay_lately_seconds"]
    memory = metrics["salt_g_memory_bytes"]
    up = sample["time"] - metrics["salt_g_start_time_seconds"]
    running = sum(_left(job) > 0 for job in sample["jobs"])
    clock = time.strftime("%H:%M:%S", time.localtime(sample["time"]))
    yield f"{clock}  master {sample['id']}, up {duration(up)}"
    silent = _silent(metrics, sample["silent"])
    unheard = f" and {sample['unheard']} not heard yet" if sample.get("unheard") else ""
    yield f"minions   connected {number('salt_g_minions_connected')}{unheard}   silent {silent}"
    refused = sum(
        _at(metrics, "salt_g_sign_ins_total", name) for name in ("reject", "denied", "full", "error")
    )
    yield (
        f"keys      accepted {number('salt_g_keys_accepted')}"
        f"   sign-ins {number('salt_g_sign_ins_total', 'accept')}, {refused:,.0f} refused"
    )
    yield (
        f"jobs      open {running}   returns {rates.of('salt_g_returns_total')}"
        f" ({number('salt_g_returns_total')})   calls {number('salt_g_calls_running')}"
    )
    yield (
        f"events    {rates.of('salt_g_events_total')}   waiting {number('salt_g_events_waiting')}"
        f"   dropped {number('salt_g_events_dropped_total')}"
        f"   subscribers {number('salt_g_event_subscribers')}"
    )
    yield (
        f"queues    requests {number('salt_g_requests_waiting', 'ordinary')}"
        f"   sign-ins {number('salt_g_requests_waiting', 'sign_in')}"
        f"   publications {number('salt_g_publications_waiting')}"
        f"   store {number('salt_g_store_waiting')}"
        f"   dropped {number('salt_g_requests_dropped_total')}"
    )
    yield (
        f"hub       delay p50 {_ms(delay['0.5'])}   p99 {_ms(delay['0.99'])}   longest {_ms(delay['1'])}"
        "   (last minute)"
    )
    yield (
        f"process   rss {memory['rss'] / 2**20:.1f} MiB   pss {memory['pss'] / 2**20:.1f} MiB"
        f"   cpu {rates.share('salt_g_processor_seconds_total')}"
        f"   files {number('salt_g_open_files')}   greenlets {number('salt_g_greenlets')}"
    )


def _silent(metrics: Mapping[str, Any], ids: Sequence[str]) -> str:
    many = max(len(ids), int(metrics["salt_g_keys_accepted"] - metrics["salt_g_minions_connected"]))
    return f"{many}: {', '.join(ids)}" if ids else "0"


def _jobs(jobs: Sequence[Mapping[str, Any]], now: float, sort: str, width: int) -> list[str]:
    rows = [_row("JID", "FUNCTION", "DONE", "AWAY", "AGE", "USER", "TARGET", width=width)]
    for job in sorted(jobs, key=lambda job: _place(job, sort)):
        done, away = f"{job['done']}/{job['expected']}", str(job.get("away") or "")
        age = duration(max(0.0, now - _began(job["jid"])))
        rows.append(_row(job["jid"], job["fun"], done, away, age, job["user"], str(job["tgt"]), width=width))
    return rows if jobs else [*rows, "no job yet"]


def _row(jid: str, fun: str, done: str, away: str, age: str, user: str, tgt: str, *, width: int) -> str:
    """Return a row of the job table; narrow windows omit the jid, very narrow ones also user and target."""
    if width < _NARROW:
        return f"{cut(fun, 14):<14} {done:>9} {away:>4} {age:>6}"
    if width < _WIDE:
        return f"{cut(fun, 20):<20} {done:>11} {away:>5} {age:>8}  {cut(user, 8):<8} {tgt}"
    return f"{jid:<20} {cut(fun, 18):<18} {done:>9} {away:>4} {age:>7}  {cut(user, 8):<8} {tgt}"


def _left(job: Mapping[str, Any]) -> int:
    """Return how many minions of a job are expected to return now."""
    return int(job["expected"] - job["done"] - (job.get("away") or 0))


def _place(job: Mapping[str, Any], sort: str) -> tuple[Any, ...]:
    left = _left(job)
    age = -_began(job["jid"])
    of = {"newest": (age,), "oldest": (-age,), "left": (-left, age), "function": (job["fun"], age)}
    return (left <= 0, *of[sort])


def _commands(measured: Mapping[str, Mapping[str, float]], rates: _Rates) -> list[str]:
    if not measured:
        return []
    rows = [f"{'REQUEST':<20} {'COUNT':>12} {'RATE':>10} {'P50':>10} {'P99':>10}"]
    for name, one in sorted(measured.items(), key=lambda item: -item[1]["count"]):
        rate = rates.of("salt_g_request_seconds", name, "count")
        rows.append(
            f"{name:<20} {one['count']:>12,.0f} {rate:>10} {_ms(one['p50']):>10} {_ms(one['p99']):>10}"
        )
    return rows


def duration(seconds: float) -> str:
    """Return a duration as text, such as `5 s`, `12 min`, `3.5 h`, `40 d`."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 86400 else f"{seconds / 86400:.0f} d"


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def _at(metrics: Mapping[str, Any], *path: str) -> float:
    """Return the value at the nested keys `path`, or 0 if missing."""
    found: Any = metrics
    for name in path:
        found = found.get(name, 0) if isinstance(found, Mapping) else 0
    return float(found)


def _began(jid: str) -> float:
    """Return the UTC time of a jid as a Unix timestamp."""
    import calendar

    text = jid[: jids.LENGTH]
    if not jids.is_jid(text):
        return 0.0
    try:
        return calendar.timegm(time.strptime(text[:14], "%Y%m%d%H%M%S")) + int(text[14:]) / 1e6
    except ValueError:
        return 0.0
