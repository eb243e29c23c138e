"""Conditions of a chunk: onlyif, unless, creates and global conditions before the call, check_cmd after it.

`onlyif`, `unless` and `check_cmd` call execution functions (`cmd.retcode`, `match.compound`), `creates` only
looks for paths; nothing here starts a program.
Source: conformance area `cond`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any

from salt_g.data.nested import traverse
from salt_g.errors import CommandExecutionError
from salt_g.shapes import Arguments, LowChunk, StateReturn
from salt_g.state.run.slots import fill

log = logging.getLogger(__name__)

#: Arguments of a chunk that its shell conditions inherit, unless `cmd_opts_exclude` names them.
SHARED_OPTIONS = (
    "cwd",
    "root",
    "runas",
    "env",
    "prepend_path",
    "umask",
    "timeout",
    "success_retcodes",
    "shell",
)
#: Keys of a chunk that this module evaluates before the call.
CONDITIONS = ("onlyif", "unless", "creates")

#: (whether the condition skips the chunk, comment)
Answer = tuple[bool, str]


class Conditions:
    """Evaluator of conditions that uses the execution functions of one call.

    `scratch` is where functions leave a `retcode`; `exists` checks for a path on the system that the run
    manages.
    """

    def __init__(
        self,
        functions: Mapping[str, Callable[..., Any]],
        *,
        shell: Callable[[], str | None],
        scratch: MutableMapping[str, Any],
        exists: Callable[[str], bool] = os.path.exists,
    ) -> None:
        self._functions = functions
        self._shell = shell
        self._scratch = scratch
        self._exists = exists

    def reason_to_skip(self, low: LowChunk) -> str | None:
        """Return the comments of a chunk's conditions if one of them skips it, else None."""
        ask = {"onlyif": self._onlyif, "unless": self._unless, "creates": self._creates}
        answers = [ask[word](low) for word in CONDITIONS if word in low]
        if any(skips for skips, _ in answers):
            return "\n".join(comment for _, comment in answers)
        return None

    def check_commands(self, low: LowChunk) -> StateReturn:
        """Run a chunk's `check_cmd`; return the result and comment that replace those of its state."""
        commands = low["check_cmd"] if isinstance(low["check_cmd"], list) else [low["check_cmd"]]
        if all(self._retcode(str(command), self._shell_option({})) == 0 for command in commands):
            return {"result": True, "comment": "check_cmd determined the state succeeded"}
        return {"result": False, "comment": "check_cmd determined the state failed"}

    def meets_global(self, conditions: Any, low: LowChunk) -> bool:
        """Return whether a `global_state_conditions` entry for the function matches, or there is none."""
        if not isinstance(conditions, dict):
            return True
        meant = ("*", f"{low['state']}.{low['fun']}", low["state"])
        targets = [target for key, value in conditions.items() if key in meant for target in _as_list(value)]
        return not targets or any(self._functions["match.compound"](target) for target in targets)

    def _onlyif(self, low: LowChunk) -> Answer:
        """Decide to skip the chunk if an entry fails; a malformed entry before that lets the chunk run."""
        for entry in _as_list(low["onlyif"]):
            if isinstance(entry, str):
                if self._shell_retcode(entry, low, when_broken=100):
                    return True, "onlyif condition is false"
            elif not isinstance(entry, dict):
                return False, "onlyif execution failed, bad type passed"
            elif "fun" not in entry:
                return False, _no_function("onlyif", entry)
            elif not self._succeeds(entry):
                return True, "onlyif condition is false"
        return False, "onlyif condition is true"

    def _unless(self, low: LowChunk) -> Answer:
        """Decide to skip the chunk if all entries succeed; stop at the first one that fails.

        An entry of the wrong type counts as failed only if it is the last one, and one without `fun` ends the
        check with the answer so far.
        """
        answer: Answer = (False, "unless condition is false")
        for entry in _as_list(low["unless"]):
            if isinstance(entry, str):
                succeeds = self._shell_retcode(entry, low, when_broken=0) == 0
            elif not isinstance(entry, dict):
                answer = (False, "unless condition is false, bad type passed")
                continue
            elif "fun" not in entry:
                return answer[0], _no_function("unless", entry)
            else:
                succeeds = self._succeeds(entry)
            if not succeeds:
                return False, "unless condition is false"
            answer = (True, "unless condition is true")
        return answer

    def _creates(self, low: LowChunk) -> Answer:
        creates = low["creates"]
        if isinstance(creates, str) and self._exists(creates):
            return True, f"{creates} exists"
        if isinstance(creates, list) and all(self._exists(path) for path in creates):
            return True, "All files in creates exist"
        return False, "Creates files not found"

    def _succeeds(self, entry: Arguments) -> bool:
        """Return whether an execution function returns a true value and leaves no bad `retcode`.

        Raise KeyError if the function does not exist.
        """
        if entry["fun"] not in self._functions:
            raise KeyError(entry["fun"])
        kwargs = {
            key: fill(value, self._functions)
            for key, value in entry.items()
            if key not in ("fun", "args", "get_return")
        }
        self._scratch.pop("retcode", None)
        result = self._functions[entry["fun"]](*fill(entry.get("args", []), self._functions), **kwargs)
        if entry.get("get_return"):
            result = traverse(result, entry["get_return"])
        return not self._scratch.pop("retcode", 0) and bool(result)

    def _shell_retcode(self, command: str, low: LowChunk, *, when_broken: int) -> int:
        excluded = _as_list(low.get("cmd_opts_exclude", []))
        given: Mapping[str, Any] = low
        options = {
            key: given[key] for key in SHARED_OPTIONS if given.get(key) is not None and key not in excluded
        }
        try:
            return self._retcode(command, self._shell_option(options))
        except CommandExecutionError as exc:
            from salt_g.process.redaction import Redacted  # Imported lazily: only needed after a failure.

            log.debug("cannot run condition %s: %s", Redacted(command), exc)
            return when_broken

    def _shell_option(self, options: Arguments) -> Arguments:
        shell = options.get("shell") or self._shell()
        return {**options, "shell": shell} if shell else options

    def _retcode(self, command: str, options: Arguments) -> int:
        return int(self._functions["cmd.retcode"](command, ignore_retcode=True, python_shell=True, **options))


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _no_function(word: str, entry: Arguments) -> str:
    comment = f"no `fun` argument in {word}: {entry}"
    log.warning("%s", comment)
    return comment
