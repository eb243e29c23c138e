"""Output of runners: progress and results, in stock's forms.

Used for runners on the master and for runners in this process.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from salt_g.cli import exit_codes
from salt_g.cli.stdio import notices

if TYPE_CHECKING:
    from salt_g.shapes import Opts

#: Progress events that are not printed: the start of a runner, and requests of an orchestration.
_SILENT = ("new", "args")


class Printer:
    """Printer for one run; with `is_quiet` it prints neither progress nor results."""

    #: `retcode` of a function that does not exist or rejects its arguments.
    REFUSED = 254

    def __init__(self, opts: Opts, *, is_quiet: bool) -> None:
        self._opts = opts
        self._is_quiet = is_quiet

    def progress(self, suffix: str, data: Mapping[str, Any]) -> None:
        """Print progress: text unchanged, warnings on standard error, data through the outputter."""
        if self._is_quiet or suffix in _SILENT:
            return
        if suffix == "output":
            print(data.get("text", ""), file=notices(self._opts), flush=True)
        elif suffix == "warning":
            print(data.get("text", ""), file=sys.stderr, flush=True)
        else:
            self._present_progress({"suffix": suffix, "event": dict(data)}, data.get("outputter"))

    def show_jid(self, jid: str) -> None:
        """Print the job id (`show_jid`)."""
        print(f"jid: {jid}", file=notices(self._opts), flush=True)

    def result(self, outcome: Mapping[str, Any]) -> int:
        """Print the result of a runner; return the exit code."""
        value, outputter = outcome.get("return"), None
        if isinstance(value, dict) and "outputter" in value:
            outputter = value["outputter"]
            value = value["data"] if value.keys() == {"data", "outputter"} else value
        code = exit_codes.OK if self._is_quiet else self._present(value, outputter)
        return code or _exit_code(outcome)

    def refused(self, outcome: Mapping[str, Any], docs: Mapping[str, str]) -> int:
        """Print why a function was not called, and its usage if known; return the exit code."""
        why = str(outcome.get("return"))
        if self._is_quiet or not docs:
            if not self._is_quiet:
                self._present(why, None)
            return self.REFUSED
        print(why, file=sys.stderr)
        self._present(dict(docs), "nested")
        return self.REFUSED

    def detached(self, begun: Mapping[str, Any]) -> int:
        """Print the jid of an asynchronous runner if a program reads the output; return the exit code."""
        if notices(self._opts) is sys.stderr:
            return self._present({"jid": begun["jid"], "tag": begun["tag"]}, None)
        return exit_codes.OK

    def documentation(self, docs: Mapping[str, str]) -> int:
        """Print documentation; return the exit code."""
        if self._opts.get("output"):
            self._present(docs, None)
            return exit_codes.OK if docs else exit_codes.FAILED
        for name in sorted(docs):
            print(f"{name}:\n\n{textwrap.indent(docs[name], '    ')}\n")
        return exit_codes.OK if docs else exit_codes.FAILED

    def _present_progress(self, data: Any, outputter: str | None) -> None:
        """Print progress data, as plain text on standard error if a program reads the result."""
        stream = notices(self._opts)
        if stream is sys.stderr:
            print(data, file=stream, flush=True)
        else:
            self._present(data, outputter)

    def _present(self, data: Any, outputter: str | None) -> int:
        # Imported lazily: takes most of a command's start-up time, and --quiet does not need it.
        from salt_g.cli import printing

        return printing.present(data, outputter, self._opts)


def _exit_code(outcome: Mapping[str, Any]) -> int:
    """Return the retcode of the outcome or of its result, else a code for success or failure."""
    value = outcome.get("return")
    data = value.get("data") if isinstance(value, dict) else None
    for place in (outcome, value, data):
        if isinstance(place, dict) and isinstance(place.get("retcode"), int):
            return int(place["retcode"])
    return exit_codes.OK if outcome.get("success", True) else exit_codes.FAILED
