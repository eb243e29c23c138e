"""Stock's `Caller`: run execution functions on this machine from a Python program.

It needs no master and no connection, only a call context with the minion's settings.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from salt_g import api, config
from salt_g.loader.arguments import parse_words
from salt_g.local_call import local_context

if TYPE_CHECKING:
    from salt_g.shapes import Opts, OptsDraft


class Caller:
    """Execution functions of this machine, with local files and pillar."""

    def __init__(self, c_path: str = "", mopts: Mapping[str, Any] | None = None) -> None:
        """Use the minion's config file `c_path`, or the settings `mopts`."""
        self.opts: Opts = _settings(c_path) if mopts is None else mopts

    def cmd(self, fun: str, *args: Any, **kwargs: Any) -> Any:
        """Call a function and return its value."""
        with api.use(local_context(dict(self.opts))) as context:
            return context.table("modules")[fun](*args, **kwargs)

    def function(self, fun: str, *args: Any, **kwargs: Any) -> Any:
        """Call a function; text arguments are parsed as on the command line (`name=value` is a keyword)."""
        plain: list[Any] = []
        named: dict[str, Any] = {}
        for one in args:
            values, keywords = parse_words([one]) if isinstance(one, str) else ([one], {})
            plain.extend(values)
            named.update(keywords)
        return self.cmd(fun, *plain, **{**named, **kwargs})


def _settings(c_path: str) -> OptsDraft:
    directory = os.path.dirname(c_path) if c_path and not os.path.isdir(c_path) else c_path
    return config.load("minion", directory or None, {"file_client": "local"}).opts
