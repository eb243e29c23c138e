"""End record of a call (`--out-record FILE`): one JSON document with the verdict on each minion.

Scripts can learn from it how a call ended without parsing the output. The file is replaced atomically when
the command ends, however it ends; until then an existing file is left unchanged.
Shapes: docs/end-record.schema.json, explained in docs/jobs.md, "The end record".
Errors: CannotRecord before anything runs, if the file cannot be written.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from salt_g.cli import exit_codes, interrupt
from salt_g.errors import SaltGError

#: Version of the record format; adding a field does not change it.
FORM = 1
#: Verdicts on minions that returned.
OK, CHANGED, WOULD_CHANGE, FAILED = "ok", "changed", "would change", "failed"
ENDED_BY_SIGNAL = "ended by signal"
#: Verdict on a minion whose answer the command did not wait for (Ctrl-C, `--async`).
NOT_AWAITED = "not awaited"
#: Maximum number of failed states named per minion.
_MAX_NAMED = 100
#: Mode of a new record file, to which the umask applies as to any file that a user creates.
_MODE = 0o644


class CannotRecord(SaltGError):
    """Raised when the file of `--out-record` cannot be written."""


class Ending:
    """End of a command: its exit code, and the message of an error that prevented it from running."""

    def __init__(self) -> None:
        self.code = exit_codes.FAILED
        self.error = ""


class EndRecord:
    """End record of one call; without a path nothing is recorded."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._began = _now() if path else ""
        self._about: dict[str, Any] = {"jid": "", "fun": "", "target": ""}
        self._minions: dict[str, dict[str, Any]] = {}
        #: Why the function could not run or raised, '' if it returned.
        self.error = ""
        if path:
            _check(path)

    def begin(self, *, jid: str, fun: Any, target: Any = "", minions: Iterable[str] = ()) -> None:
        """Record the job and its minions, none of which has returned yet."""
        self._about = {"jid": jid, "fun": fun, "target": target}
        self.expect(minions)

    def expect(self, minions: Iterable[str]) -> None:
        """Add minions that have not returned yet; keep verdicts that are already recorded."""
        for id in minions:
            self._minions.setdefault(id, {"verdict": NOT_AWAITED, "retcode": None})

    def returned(self, id: str, value: Any, retcode: int) -> None:
        """Record the verdict on a minion (or resource) from its return."""
        if not self._path:
            return
        from salt_g.report.ended_jobs import signal_of  # Imported lazily: most calls have no record.

        number = signal_of(value, retcode)
        verdict = {"verdict": ENDED_BY_SIGNAL if number else _verdict(value, retcode), "retcode": retcode}
        self._minions[id] = {**verdict, **({"signal": number} if number else {}), **_states(value)}

    def ended_here(self, number: int) -> None:
        """Record that a signal ended this call, and with it the job on all minions without a return."""
        for id, one in self._minions.items():
            if one["verdict"] == NOT_AWAITED:
                self._minions[id] = {"verdict": ENDED_BY_SIGNAL, "retcode": None, "signal": number}

    def silent(self, id: str, verdict: str, known: Mapping[str, Any] | None = None) -> None:
        """Record the verdict on a minion that did not return, with the master's data about it (`known`)."""
        about = {key: known[key] for key in ("heard", "received", "step")} if known else {}
        self._minions[id] = {"verdict": verdict, "retcode": None, **about}

    @contextlib.contextmanager
    def writing(self) -> Iterator[Ending]:
        """Write the file when the block ends, with the exit code and error that the block sets or raises.

        Within the block, terminating signals raise SystemExit unless another handler is installed.
        """
        ending = Ending()
        if self._path:
            interrupt.exit_on_termination()
        try:
            yield ending
        except BaseException as exc:
            ending.code, ending.error = _end_of(exc)
            raise
        finally:
            self.write(ending.code, ending.error)

    def write(self, exit_code: int, error: str = "") -> None:
        """Write the file."""
        if not self._path:
            return
        counts: dict[str, int] = {}
        for one in self._minions.values():
            counts[one["verdict"]] = counts.get(one["verdict"], 0) + 1
        record = {
            "form": FORM,
            **self._about,
            "began": self._began,
            "ended": _now(),
            "exit_code": exit_code,
            "error": error,
            "counts": counts,
            "minions": dict(sorted(self._minions.items())),
        }
        import json  # Imported lazily, like the others: most calls have no record.

        from salt_g.process import disk
        from salt_g.process.secret_hiding import hide

        text = json.dumps(hide(record), indent=1, default=str)
        try:
            disk.write_whole(self._path, f"{text}\n", mode=_MODE & ~disk.current_umask())
        except OSError as exc:
            raise CannotRecord(f"--out-record: cannot write {self._path}: {exc.strerror}") from exc


def _end_of(exc: BaseException) -> tuple[int, str]:
    """Return the exit code and message of a command that ends with this exception; see `cli/dispatch.py`."""
    if isinstance(exc, SystemExit):
        if exc.code is None or isinstance(exc.code, int):
            return exc.code or exit_codes.OK, ""
        return exit_codes.FAILED, str(exc.code)
    if isinstance(exc, KeyboardInterrupt):
        return interrupt.exit_code(exc), ""
    if isinstance(exc, BrokenPipeError):
        return exit_codes.BROKEN_PIPE, ""
    return exit_codes.FAILED, str(exc) or type(exc).__name__


def _check(path: str) -> None:
    """Raise CannotRecord if a file cannot be created at `path`."""
    directory = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise CannotRecord(f"--out-record: {path} is a directory; name a file")
    if not os.path.isdir(directory):
        raise CannotRecord(f"--out-record: the directory {directory} does not exist; create it")
    if not os.access(directory, os.W_OK):
        raise CannotRecord(f"--out-record: {directory} is not writable; choose another directory")


def _verdict(value: Any, retcode: int) -> str:
    if retcode:
        return FAILED
    states = _running(value)
    if any(state.get("changes") for state in states if state["result"] is not None):
        return CHANGED
    return WOULD_CHANGE if any(state["result"] is None for state in states) else OK


def _states(value: Any) -> dict[str, Any]:
    """Return the counts of a state run and the IDs of its failed states; {} for other returns."""
    states = _running(value)
    if not states:
        return {}
    failed = [str(state.get("__id__") or state.get("name")) for state in states if state["result"] is False]
    return {
        "states": {
            "total": len(states),
            "changed": sum(bool(state.get("changes")) for state in states),
            "failed": len(failed),
            "failed_ids": failed[:_MAX_NAMED],
        }
    }


def _running(value: Any) -> list[Mapping[str, Any]]:
    """Return the state returns of a running dict, [] for other values."""
    if not isinstance(value, Mapping):
        return []
    entries = [entry for entry in value.values() if isinstance(entry, Mapping)]
    is_run = bool(entries) and len(entries) == len(value)
    return entries if is_run and all("result" in one and "changes" in one for one in entries) else []


def _now() -> str:
    import datetime

    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
