"""The state system, from SLS to results: read, compile, order, run. Begin with `engine.py`.

`compile/` turns SLS names into ordered low chunks: `sls` (names to rendered files, with `declarations` and
`includes`), `extend`, `requisite_in` (`*_in`, `use`), `exclude`, `verify`, `low`, `order` (the dependency
graph). `run/` walks the graph: `requisites` (verdicts), `state_call` (one call), `conditions`, `slots`,
`retry`, `parallel`, `refresh`; `listen` comes last. Nothing here opens a socket or prints; files, rendering,
function tables and the clock are passed in.
"""

from salt_g.state.engine import StateEngine

__all__ = ["StateEngine"]
