"""Print what a runner says and returns, in stock's forms.

Why its own file: it is the same whether the runner ran on the master or in this process.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Mapping
from typing import Any

from salt_g.cli import exit_codes

#: What a runner says that is not for people: its beginning, and what an orchestration asks for.
_SILENT = ("new", "args")


class Printer:
    """Prints one run; with `is_quiet` nothing."""

    #: `retcode` of a function that is not there, or that does not take these arguments.
    REFUSED = 254

    def __init__(self, opts: Mapping[str, Any], *, is_quiet: bool) -> None:
        self._opts = opts
        self._is_quiet = is_quiet

    def progress(self, suffix: str, data: Mapping[str, Any]) -> None:
        """Print what a runner says on its way: text as it is, warnings to stderr, data by its outputter."""
        if self._is_quiet or suffix in _SILENT:
            return
        if suffix == "output":
            print(data.get("text", ""), flush=True)
        elif suffix == "warning":
            print(data.get("text", ""), file=sys.stderr, flush=True)
        else:
            self._present({"suffix": suffix, "event": dict(data)}, data.get("outputter"))

    def result(self, outcome: Mapping[str, Any]) -> int:
        """Print what a runner returned; return the exit code."""
        value, outputter = outcome.get("return"), None
        if isinstance(value, dict) and "outputter" in value:
            outputter = value["outputter"]
            value = value["data"] if value.keys() == {"data", "outputter"} else value
        code = exit_codes.OK if self._is_quiet else self._present(value, outputter)
        return code or _exit_code(outcome)

    def refused(self, outcome: Mapping[str, Any], docs: Mapping[str, str]) -> int:
        """Print why a function was not called, or how it is called; return the exit code."""
        why = str(outcome.get("return"))
        if self._is_quiet or not docs:
            if not self._is_quiet:
                self._present(why, None)
            return self.REFUSED
        print(why, file=sys.stderr)
        self._present(dict(docs), "nested")
        return self.REFUSED

    def documentation(self, docs: Mapping[str, str]) -> int:
        """Print documentation; return the exit code."""
        for name in sorted(docs):
            print(f"{name}:\n\n{textwrap.indent(docs[name], '    ')}\n")
        return exit_codes.OK if docs else exit_codes.FAILED

    def _present(self, data: Any, outputter: str | None) -> int:
        # Late: most of a command's start, and --quiet needs none of it.
        from salt_g.cli import printing

        return printing.present(data, outputter, self._opts)


def _exit_code(outcome: Mapping[str, Any]) -> int:
    """Return the exit code: the call's, else what its result says, else whether it succeeded."""
    value = outcome.get("return")
    data = value.get("data") if isinstance(value, dict) else None
    for place in (outcome, value, data):
        if isinstance(place, dict) and isinstance(place.get("retcode"), int):
            return int(place["retcode"])
    return exit_codes.OK if outcome.get("success", True) else exit_codes.FAILED
