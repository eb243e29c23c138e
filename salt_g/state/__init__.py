"""SLS to results: read, compile, order, run. Begin with `engine.py`.

Layers, each a file: `sls` (names to rendered files, with `declare` and `includes`), `extend`,
`mirror` (`*_in`, `use`), `exclude`, `verify`, `low`, `order` (the dependency graph) make the
compiler; `run` walks the graph with `requisites` (verdicts), `chunk` (one call), `conditions`,
`slots`, `retry`, `parallel`, `refresh`; `listen` comes after it. Nothing here opens a socket or
prints; files, rendering, function tables and the clock are handed over.
"""

from salt_g.state.engine import Engine

__all__ = ["Engine"]
