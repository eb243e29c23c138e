"""Options common to all functions of `cmd`.

All functions that run something share these thirty options; unknown options are ignored, as in stock.

Units: `timeout` in seconds, `umask` in octal digits, as text or int.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from salt_g.api import current, opts
from salt_g.errors import CommandExecutionError, InvocationError

log = logging.getLogger(__name__)

#: The shell of the user who started salt-g (stock's grain `shell`).
DEFAULT_SHELL = os.environ.get("SHELL", "/bin/sh")


class Options(NamedTuple):
    """Options of one command, as given; the properties validate them."""

    cwd: Any = None
    stdin: Any = None
    runas: str | None = None
    group: str | None = None
    shell: str | None = DEFAULT_SHELL
    python_shell: bool | None = None
    env: Any = None
    clean_env: bool = False
    prepend_path: str | None = None
    template: str | None = None
    rstrip: bool = True
    umask: Any = None
    output_encoding: str | None = None
    output_loglevel: str = "debug"
    log_callback: Callable[[str], str] | None = None
    hide_output: bool = False
    timeout: Any = None
    reset_system_locale: bool = True
    ignore_retcode: bool = False
    saltenv: str | None = None
    pillarenv: str | None = None
    pillar: Mapping[str, Any] | None = None
    use_vt: bool = False
    redirect_stderr: bool = False
    bg: bool = False
    raise_err: bool = False
    success_retcodes: Any = None
    success_stdout: Any = None
    success_stderr: Any = None
    stdin_raw_newlines: bool = False
    jid: str = ""

    def settled(self) -> Options:
        """Return the options with caller-dependent and interdependent defaults resolved."""
        shell = bool(self.jid) or opts.get("cmd_safe", True) is False
        return self._replace(
            # By default the user of the state that runs this command, however deeply nested the call is.
            runas=self.runas or current().run_as.user,
            python_shell=shell if self.python_shell is None else self.python_shell,
            ignore_retcode=self.ignore_retcode or self.bg,
        )

    def shown(self, text: str) -> str:
        """Return the loggable form of a text, as `log_callback` decides."""
        return self.log_callback(text) if callable(self.log_callback) else text

    @property
    def level(self) -> int | None:
        """The number of `output_loglevel`, None for `quiet`."""
        name = str(self.output_loglevel).lower()
        if name == "quiet":
            return None
        level = logging.getLevelName(name.upper())
        if isinstance(level, int):
            return level
        log.error("Invalid output_loglevel '%s'. Falling back to 'info'.", self.output_loglevel)
        return logging.INFO

    @property
    def umask_number(self) -> int:
        """The umask as a number, -1 to leave it unchanged."""
        if self.umask is None:
            return -1
        digits = str(self.umask).lstrip("0")
        if not digits:
            raise CommandExecutionError("Zero umask is not allowed.")
        try:
            return int(digits, 8)
        except ValueError:
            raise CommandExecutionError(f"Invalid umask: '{self.umask}'") from None

    @property
    def retcodes_of_success(self) -> list[int]:
        """Exit codes that count as success."""
        if self.success_retcodes is None:
            return [0]
        try:
            return [int(code) for code in split_words(self.success_retcodes)]
        except ValueError:
            raise InvocationError("success_retcodes must be a list of integers") from None

    @property
    def input(self) -> bytes | None:
        r"""Standard input of the command; `\n` written out on a command line becomes a newline."""
        if self.stdin is None:
            return None
        text = str(self.stdin)
        return (text if self.stdin_raw_newlines else text.replace("\\n", "\n")).encode()


def options_of(given: Mapping[str, Any]) -> Options:
    """Return the options among keyword arguments, `__pub_jid` and `pillar_override` included."""
    known = {name: given[name] for name in given if name in _NAMES}
    known.setdefault("pillar", given.get("pillar_override"))
    return Options(**known, jid=given.get("__pub_jid", "")).settled()


def split_words(value: Any) -> list[Any]:
    """Return a list unchanged and a text split at commas; [] for None."""
    if value is None:
        return []
    return value if isinstance(value, list) else [word.strip() for word in str(value).split(",")]


_NAMES = set(Options._fields) - {"jid"}
