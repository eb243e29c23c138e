"""Stock's `salt.modules.cmdmod`: the functions of `cmd`, and those that run a program quietly."""

import importlib
from typing import Any

_cmd = importlib.import_module("salt_g.modules.cmd")
globals().update({name: getattr(_cmd, name) for name in _cmd.__all__})
DEFAULT_SHELL: str = importlib.import_module("salt_g.modules.cmd.options").DEFAULT_SHELL
_QUIET = {"output_loglevel": "quiet", "ignore_retcode": True}


def _run_quiet(cmd: Any, *args: Any, **kwargs: Any) -> str:
    """Run a program and return its output; log nothing."""
    return str(_cmd.run(cmd, *args, **{**kwargs, **_QUIET}))


def _run_all_quiet(cmd: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
    """Run a program and return its output and exit code; log nothing."""
    return dict(_cmd.run_all(cmd, *args, **{**kwargs, **_QUIET}))


def _retcode_quiet(cmd: Any, *args: Any, **kwargs: Any) -> int:
    """Run a program and return its exit code; log nothing."""
    return int(_cmd.retcode(cmd, *args, **{**kwargs, **_QUIET}))


__all__ = ["DEFAULT_SHELL", *_cmd.__all__]
