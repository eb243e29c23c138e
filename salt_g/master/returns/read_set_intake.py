"""Intake of the read-sets of minions' state runs, for the index behind `salt-g impact`.

A read-set is queued for the store before its return, and is acknowledged with the return.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from salt_g.cache.read_sets import Ran, ReadSets
from salt_g.loader.job_arguments import split_arguments
from salt_g.report import state_calls
from salt_g.report.recording.read_sets import opened
from salt_g.shapes.loads import ReturnLoad

#: Key in the metadata of jobs that only try out another environment.
TRIAL = "impact_trial"
log = logging.getLogger(__name__)


class ReadSetIntake:
    """Intake of read-sets; `take` is called for each return with one."""

    def __init__(self, read_sets: ReadSets, *, now: Callable[[], float] = time.time) -> None:
        self._read_sets = read_sets
        self._now = now

    def take(self, load: ReturnLoad, read_set: bytes) -> None:
        """Queue the read-set of a return; log a damaged one.

        StoreBusy propagates, so that the return is sent again.
        """
        if not state_calls.is_recorded(load.get("fun")):
            return
        fun_args = load.get("fun_args")
        args, kwargs = split_arguments(fun_args if isinstance(fun_args, list) else [])
        # Kept even for a trial, which says nothing about the minion's states, because the minion does not
        # send the set again.
        call = "" if is_trial(load) else state_calls.text_of(load.get("fun"), args, kwargs)
        try:
            digest, body = opened(read_set)
            self._read_sets.add(Ran(load["id"], call, self._now(), load["jid"], digest, body))
        except ValueError as exc:
            log.warning("%s: the read-set of its run %s is not kept: %s", load["id"], load["jid"], exc)


def is_trial(load: ReturnLoad) -> bool:
    """Return whether a run was a test of another environment, by `salt-g impact --verify`."""
    metadata = load.get("metadata")
    return isinstance(metadata, dict) and metadata.get(TRIAL) is True
