"""Validation of new files by a command (`check_cmd`)."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, grains


def mod_run_check_cmd(cmd: str, filename: str, **check_cmd_opts: Any) -> dict[str, Any] | bool:
    """Return True if a command accepts a file (its last argument), else the parts of a failed result.

    The state engine leaves `check_cmd` of file states to this function.
    """
    options = {**({"shell": grains["shell"]} if "shell" in grains else {}), **check_cmd_opts}
    done = call("cmd.run_all", f"{cmd} {filename}", **options)
    if done["retcode"] == 0:
        return True
    said = [text for text in (done.get("stdout"), done.get("stderr")) if text]
    return {
        "comment": "\n".join(["check_cmd execution failed", *said]),
        "skip_watch": True,
        "result": False,
    }
