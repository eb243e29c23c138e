"""State engine of hosts, whose `state.show_sls` and `show_low_sls` show the states that a run would use.

Stock's salt-ssh compiles on this machine, so both apply extend, exclude and `*_in`, and report
requisites without a target. On a minion they show the SLS as written.
"""

from __future__ import annotations

from collections.abc import Sequence

from salt_g.shapes import LowChunk
from salt_g.shapes.high_data import HighData
from salt_g.state.engine import StateEngine


class HostEngine(StateEngine):
    """Engine of one host."""

    def verified_high_of_sls(self, names: Sequence[str]) -> HighData:
        """Return the high data of the SLS `names`, with extensions; raise CompileError if it is invalid."""
        high = self.high_of_sls(names)
        return self._compiler().extend(high)

    def low_of_sls(self, names: Sequence[str]) -> list[LowChunk]:
        """Return the chunks of the SLS `names` in running order; raise CompileError if they are invalid."""
        return self._compiler().compile(self.high_of_sls(names)).low()
