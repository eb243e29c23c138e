"""Steps of an orchestration, recorded as they are done, so that another master can resume after them.

A chunk that was done is not called again. A `salt.*` chunk that was running is called again, because the
calls that it starts are recorded separately and waited for. Any other chunk that was running fails, because
it may already have made changes.
Shapes: the record has `step/<digest of the low tag>` (the state return) and `begun/<digest>`.
Errors: RunTaken once another master has taken over the orchestration.
"""

from __future__ import annotations

import hashlib
import logging
from typing import TYPE_CHECKING

from salt_g.errors import RunTaken, StoreError, WireError

if TYPE_CHECKING:
    from salt_g.services.protocols import RunKeeping
    from salt_g.shapes import StateReturn
    from salt_g.state.compile.node import Node

log = logging.getLogger(__name__)

#: Module whose states can be called again, because they find the jobs that they have started.
_REPEATED = "salt"
#: Failure of a chunk that is not called a second time.
INTERRUPTED = "the master ended while this state ran; it is not run again"


class KeptSteps:
    """Steps of one run; without a record nothing is kept."""

    def __init__(self, record: RunKeeping | None = None) -> None:
        self._record = record

    def recall(self, node: Node) -> StateReturn | None:
        """Return the return of a chunk that was done before the run was resumed, None if it was not."""
        if self._record is None or node.is_preview:
            return None
        done: StateReturn | None = self._record.recall(f"step/{_digest(node)}")
        return done

    def was_interrupted(self, node: Node) -> bool:
        """Return whether a chunk that must not be called twice is recorded as begun."""
        return self._record is not None and bool(self._record.recall(f"begun/{_digest(node)}"))

    def begin(self, node: Node, *, is_test: bool) -> str:
        """Record that a chunk begins; return the reason why it must not, or ''."""
        if self._record is None or is_test or node.low["state"] == _REPEATED:
            return ""
        if self.was_interrupted(node):
            return INTERRUPTED
        try:
            self._record.keep(f"begun/{_digest(node)}", True)
        except (StoreError, TimeoutError) as exc:
            return f"not begun: {exc}"
        return ""

    def end(self, node: Node, ret: StateReturn) -> None:
        """Record the return of a chunk; raise RunTaken, but only log other failures to record it."""
        if self._record is None or node.is_preview:
            return
        try:
            self._record.keep(f"step/{_digest(node)}", ret)
        except RunTaken:
            raise
        except (StoreError, TimeoutError, WireError) as exc:
            log.warning("cannot record the end of state %r for other masters: %s", node.low["__id__"], exc)


def _digest(node: Node) -> str:
    return hashlib.sha256(node.tag.encode("utf-8", "surrogateescape")).hexdigest()[:32]
