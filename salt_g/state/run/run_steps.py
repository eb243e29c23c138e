"""Reports of a run's chunks to a record of live steps.

Shapes: the record is `services.plugins.StepRecord`; without one nothing is reported.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from salt_g.process.observed_output import observed
from salt_g.shapes import LowChunk, StateReturn

if TYPE_CHECKING:
    from salt_g.services.protocols import StepRecord
    from salt_g.state.run.low_digests import LowDigests

_UNOBSERVED = contextlib.nullcontext()


class RunSteps:
    """Live steps of one run; `place_of(sls, id)` returns the location of a state."""

    def __init__(
        self,
        record: StepRecord | None = None,
        place_of: Callable[[str, str], str] = lambda sls, id: "",
        digests: LowDigests | None = None,
    ) -> None:
        self._digests = digests
        #: Tags of running chunks whose `watch` has fired.
        self._fired: set[str] = set()
        self._record = record
        self._place_of = place_of
        self._begun = 0
        self._numbers: dict[str, int] = {}

    def begin_run(self, total: int) -> None:
        """Report how many chunks will run."""
        if self._record is not None:
            self._begun = self._record.begin_run(total)

    def running(self, low: LowChunk, tag: str) -> contextlib.AbstractContextManager[None]:
        """Report that a chunk begins; return a context manager that reports the output of its programs."""
        if self._record is None:
            return _UNOBSERVED
        self._begun += 1
        self._numbers[tag] = self._begun
        take = self._record.begin(self._begun, low["__id__"], f"{low['state']}.{low['fun']}")
        return observed(None if low.get("no_log") else take)

    def fired(self, tag: str) -> None:
        """Record that the `watch` of a running chunk has fired."""
        if self._digests is not None:
            self._fired.add(tag)

    def end(self, low: LowChunk, tag: str, ret: StateReturn) -> None:
        """Report that a chunk has ended or was skipped, and record its digest."""
        if self._digests is not None:
            has_fired = tag in self._fired
            self._fired.discard(tag)
            self._digests.add(low, ret.get("__run_num__", -1), has_fired=has_fired)
        if self._record is None:
            return
        number = self._numbers.pop(tag, 0)
        if not number:
            self._begun += 1
            number = self._begun
        name = f"{low['state']}.{low['fun']}"
        place = self._place_of(low.get("__sls__", ""), low["__id__"])
        self._record.end(number, low["__id__"], name, place, ret)
