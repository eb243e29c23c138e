"""Run of one rollout: in each wave the job, a soak and checks, then the next wave, or a stop and an undo.

Each part is recorded when it is done; a rollout that is resumed skips those parts.
Shapes: the record has `found` {waves, rest, away}; for wave N `wave/N/ran` and `wave/N/ended` (see
`RolloutProgress.keep_wave`; the end also has `stopped` and `is_too_bad`), `wave/N/soaked` (the end of its
soak), `stopped` (why), and below `wave/N`, `check/N/K` and `undo` the data of `rollout_jobs.py`.
Units: seconds; times are those of the system's clock.
Errors: RunTaken, StoreError, ClientError.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import gevent

from salt_g.client.batch_window import CLOSE, HOLD, BatchStep
from salt_g.client.publishing import JobRequest
from salt_g.client.return_collector import Return
from salt_g.client.rollout_rules import RolloutRules, failures_borne, wave_ends, why_stopped
from salt_g.data.run_record import RunRecord
from salt_g.errors import RunTaken, SaltGError
from salt_g.master.rollouts.rollout_jobs import RolloutJobs
from salt_g.master.rollouts.rollout_progress import RolloutProgress
from salt_g.master.rollouts.rollout_verdicts import why_check_failed, why_failed, why_not_undone
from salt_g.report.rollout_lines import SILENT

log = logging.getLogger(__name__)

#: Pause between two checks for orders of users (s).
LOOK = 0.5
#: Function that reverts a state run.
UNDO = "state.undo"


class RolloutCommand(NamedTuple):
    """Last command of a user for a rollout; `action` is pause, stop, or '' (resumed, or no command yet)."""

    action: str = ""
    user: str = ""


class RolloutRun:
    """One rollout. Lifecycle: `run` once.

    `find` returns the minions that take part and those that are away, `order(is_fresh)` the last order of a
    user; `report(moment, number)` reports progress, with the moment '' inside a wave; `returns` yields the
    stored returns of the job.
    """

    def __init__(
        self,
        progress: RolloutProgress,
        job: JobRequest,
        rules: RolloutRules,
        *,
        jobs: RolloutJobs,
        record: RunRecord,
        find: Callable[[], tuple[list[str], list[str]]],
        order: Callable[[bool], RolloutCommand],
        report: Callable[[str, int], None],
        returns: Callable[[], Iterator[Return]] = lambda: iter(()),
        clock: Callable[[], float] = time.time,
        rest: Callable[[float], object] = gevent.sleep,
    ) -> None:
        self._progress = progress
        self._job = job
        self._rules = rules
        self._jobs = jobs
        self._record = record
        self._find = find
        self._order = order
        self._report = report
        self._returns = returns
        self._clock = clock
        self._rest = rest
        self._is_too_bad = False
        self._is_resumed = False

    def run(self) -> None:
        """Run one wave after the other until the end."""
        waves = self._waves()
        for number, ids in enumerate(waves):
            if not self._is_passed(number, ids):
                break
        if self._progress.stopped:
            self._record.keep("stopped", self._progress.stopped)
            self._report("stopped", 0)
        is_undone = self._rules.undo and self._is_too_bad
        if is_undone:
            self._undo()
        self._progress.end(self._clock(), is_undone=is_undone)
        if is_undone:
            self._report("undone", 0)
        self._report("end", 0)

    def _waves(self) -> list[list[str]]:
        """Return the minions of each wave; a resumed rollout keeps the waves of its first run."""
        found = self._record.recall("found")
        self._is_resumed = found is not None
        if found is None:
            there, away = self._find()
            there = sorted(there)
            ends = wave_ends(self._rules.waves, len(there))
            waves = [there[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
            found = {"waves": waves, "rest": there[ends[-1] if ends else 0 :], "away": list(away)}
            self._record.keep("found", found)
        self._progress.find(found["waves"], found["rest"], found["away"])
        if not self._is_resumed:
            self._report("new", 0)
        return [list(ids) for ids in found["waves"]]

    def _may_begin(self) -> bool:
        """Wait while the rollout is paused; return whether the next wave may begin."""
        while self._gate(is_fresh=True) == HOLD:
            self._rest(LOOK)
        return not self._progress.stopped

    def _gate(self, *, is_fresh: bool = False) -> str:
        """Return '' if further minions may begin now, HOLD or CLOSE if not."""
        order = self._order(is_fresh)
        if order.action == "stop":
            self._progress.stop(f"by {order.user}")
            return CLOSE
        if self._progress.pause(is_paused=order.action == "pause"):
            self._report("paused" if order.action == "pause" else "resumed", 0)
        return HOLD if order.action == "pause" else ""

    def _is_passed(self, number: int, ids: Sequence[str]) -> bool:
        """Run a wave to its end; return whether the rollout continues.

        Waves that have ended are restored whatever the orders are now, because the rollout may be paused or
        have to be undone.
        """
        key = f"wave/{number}"
        ended = self._record.recall(f"{key}/ended")
        if ended is not None:
            self._restore(number, ended)
        elif not self._has_begun(ids) and not self._may_begin():
            return False
        else:
            self._run_wave(number, ids, key)
            self._judge()
            if not self._progress.stopped:
                self._soak(number, key)
            if not self._progress.stopped:
                self._check(number)
        self._judge()
        self._progress.set_wave(number, "failed" if self._progress.stopped else "done")
        if ended is None:
            why = {"stopped": self._progress.stopped, "is_too_bad": self._is_too_bad}
            self._record.keep(f"{key}/ended", {**self._progress.keep_wave(number), **why})
            self._report("wave", number)
        return not self._progress.stopped

    def _restore(self, number: int, ended: dict[str, Any]) -> None:
        """Restore a wave as an earlier run left it."""
        self._progress.restore_wave(number, ended)
        if ended.get("stopped") and not ended.get("is_too_bad"):
            self._progress.stop(str(ended["stopped"]))

    def _has_begun(self, ids: Sequence[str]) -> bool:
        """Return whether an earlier run has sent the job to minions of a wave that has not ended."""
        return self._is_resumed and self._jobs.is_sent(self._progress.jid, ids)

    def _judge(self) -> None:
        """Stop the rollout if too many of the minions reached so far have failed."""
        progress = self._progress
        why = why_stopped(self._rules.stop_at, progress.number_failed, len(progress.begun))
        if why and not progress.stopped:
            self._is_too_bad = True
            progress.stop(why)

    def _run_wave(self, number: int, ids: Sequence[str], key: str) -> None:
        ran = self._record.recall(f"{key}/ran")
        if ran is not None:
            self._progress.restore_wave(number, ran)
            return
        self._progress.set_wave(number, "running")
        self._report("wave", number)
        rules, already = self._rules, len(self._progress.begun)
        most = failures_borne(rules.stop_at, already + len(ids))

        def gate() -> str:
            # There are too many failures even if all other minions of the wave pass.
            return CLOSE if self._progress.number_failed > most else self._gate()

        for one in self._jobs.run(key, self._job, ids, size=rules.batch, timeout=rules.timeout, gate=gate):
            self._take(number, one)
        self._record.keep(f"{key}/ran", self._progress.keep_wave(number))

    def _take(self, number: int, one: Return | BatchStep) -> None:
        if isinstance(one, Return):
            self._progress.begin([one.id])
            self._progress.end_minion(number, one.id, why_failed(one))
        elif one.silent:
            self._progress.end_minion(number, one.silent, SILENT)
        else:
            self._progress.begin(one.started)
        self._report("", number)

    def _soak(self, number: int, key: str) -> None:
        if not self._rules.soak:
            return
        until = self._record.recall(f"{key}/soaked")
        if until is None:
            until = self._clock() + self._rules.soak
            self._record.keep(f"{key}/soaked", until)
        self._progress.set_wave(number, "soaking")
        self._report("wave", number)
        while (left := float(until) - self._clock()) > 0 and self._gate() != CLOSE:
            if left > self._rules.soak:
                # The clock was set back, but the wait must not exceed the soak.
                until = self._clock() + self._rules.soak
            self._rest(min(left, LOOK))

    def _check(self, number: int) -> None:
        """Run the checks on the minions of a wave that have passed so far."""
        if not self._rules.checks:
            return
        self._progress.set_wave(number, "checking")
        self._report("wave", number)
        for place, check in enumerate(self._rules.checks):
            kept = self._progress.keep_wave(number)
            ids = [id for id in kept["begun"] if id not in kept["failed"]]
            job = JobRequest(None, check.fun, list(check.arg))
            for one in self._run_other(f"check/{number}/{place}", job, ids, is_stopped=self._is_to_stop):
                if isinstance(one, Return):
                    why = why_check_failed(check, one)
                else:
                    why = f"check {check.name}: {SILENT}"
                if why:
                    self._progress.fail_check(number, one.id if isinstance(one, Return) else one.silent, why)
            if self._is_to_stop():
                self._gate(is_fresh=True)
                return

    def _is_to_stop(self) -> bool:
        """Return whether a user has ordered a stop, after which no check is waited for."""
        return self._order(False).action == "stop"

    def _undo(self) -> None:
        """Revert the job on the minions that got it; minions without changes count as reverted."""
        unchanged = {one.id for one in self._returns() if not _may_have_changed(one)}
        ids = [id for id in self._progress.begun if id not in unchanged]
        failed, done = {}, set(self._progress.begun) & unchanged
        try:
            for one in self._run_other("undo", JobRequest(None, UNDO, [self._progress.jid]), ids):
                id = one.id if isinstance(one, Return) else one.silent
                why = why_not_undone(one) if isinstance(one, Return) else SILENT
                if why:
                    failed[id] = why
                else:
                    done.add(id)
        except RunTaken:
            raise
        except (SaltGError, TimeoutError) as exc:
            # A lock refused the undo, or the user lost the permission; report which minions were not
            # reverted.
            log.warning("rollout %s could not be undone: %s", self._progress.jid, exc)
            failed.update({id: str(exc) for id in ids if id not in done and id not in failed})
        self._progress.undo(done, failed)

    def _run_other(
        self, key: str, job: JobRequest, ids: Sequence[str], *, is_stopped: Callable[[], bool] = lambda: False
    ) -> Iterator[Return | BatchStep]:
        """Run a check or the undo; yield returns, and steps of minions that did not return."""
        steps = (
            self._jobs.run(key, job, ids, timeout=self._rules.timeout, is_stopped=is_stopped) if ids else ()
        )
        for one in steps:
            if isinstance(one, Return) or one.silent:
                yield one


def _may_have_changed(one: Return) -> bool:
    """Return False for a state run without changes or a list of its errors, True for any other return."""
    value: Any = one.data["return"]
    if not isinstance(value, Mapping):
        return not isinstance(value, list)
    return not all(isinstance(row, Mapping) and not row.get("changes") for row in value.values())
