"""Text lines about a rollout, formatted from its status.

Shapes: a status is the result of `rollout.status`, see `shapes/rollouts.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from salt_g.shapes.rollouts import RolloutState, RolloutWave

#: Maximum number of minions named in a line.
_NAMED = 3
#: Prefix of the reason if a check failed, and reason if a minion did not answer; others mean a failed job.
CHECK, SILENT = "check ", "no answer"


def summary_line(status: RolloutState) -> str:
    """Return the summary line of a whole rollout.

    Example: `wave 2 of 4: 7 done, 1 failed check (web8) · stopped: 10 % > 5 % · 90 untouched · undone on 10`.
    """
    waves = status["waves"]
    begun = [number for number, wave in enumerate(waves, 1) if wave["state"] != "waiting"]
    parts = [wave_line(waves[begun[-1] - 1], begun[-1], len(waves))] if begun else ["not begun"]
    if status["state"] in ("stopped", "undone"):
        parts.append(f"stopped: {status['stopped']}")
    elif status["state"] == "paused":
        parts.append("paused")
    elif status["state"] == "done":
        parts.append(f"done: {status['reached']} of {status['total']}")
    if status["away"]:
        parts.append(f"{len(status['away'])} away {_named(status['away'])}")
    if status["untouched"]:
        parts.append(f"{status['untouched']} untouched")
    if status["undone"] or status["state"] == "undone":
        parts.append(f"undone on {status['undone']}")
    if status["undo_failed"]:
        parts.append(f"not undone on {len(status['undo_failed'])} {_named(sorted(status['undo_failed']))}")
    return " · ".join(parts)


def wave_line(wave: RolloutWave, number: int, count: int) -> str:
    """Return the summary line of one wave: `wave 2 of 4: 10 done, 1 failed check (web8)`."""
    head = f"wave {number} of {count}:"
    if wave["state"] in ("running", "soaking", "checking"):
        head = f"{head} {wave['state']},"
    parts = [f"{wave['done']} done"]
    for label, ids in _kinds(wave["failed"]).items():
        if ids:
            parts.append(f"{len(ids)} {label} {_named(ids)}")
    return f"{head} {', '.join(parts)}"


def failure_lines(status: RolloutState) -> list[str]:
    """Return a line for each minion that failed or was not undone: `web8: check http.query ...: ...`."""
    failed = {id: why for wave in status["waves"] for id, why in wave["failed"].items()}
    failed.update({id: f"not undone: {why}" for id, why in status["undo_failed"].items()})
    return [f"{id}: {why}" for id, why in sorted(failed.items())]


def list_line(status: RolloutState) -> str:
    """Return the line of a rollout in a list."""
    target = status["target"] if isinstance(status["target"], str) else ",".join(map(str, status["target"]))
    parts = [status["jid"], status["user"], status["state"], f"{status['function']} {target}"]
    return "  ".join([*parts, summary_line(status)])


def _kinds(failed: Mapping[str, str]) -> dict[str, list[str]]:
    kinds: dict[str, list[str]] = {"failed": [], "failed check": [], "without answer": []}
    for id, why in sorted(failed.items()):
        kind = "failed check" if why.startswith(CHECK) else "without answer" if why == SILENT else "failed"
        kinds[kind].append(id)
    return kinds


def _named(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return f"({', '.join(ids[:_NAMED])}{more})"
