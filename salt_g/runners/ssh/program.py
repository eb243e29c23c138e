"""`salt-g ssh` in a separate process, for the runner `ssh.cmd` and for users' programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.api import SSH_SETTINGS, opts
from salt_g.errors import CommandExecutionError
from salt_g.process.command import own_python, run

#: Exit codes of `salt-g ssh` if there are results: nothing failed, or something failed on a host.
_WITH_RESULTS = (0, 20)
#: {target type: option of `salt-g ssh`}
_OPTIONS = {
    "compound": "-C",
    "grain": "-G",
    "grain_pcre": "-P",
    "ipcidr": "-S",
    "list": "-L",
    "nodegroup": "-N",
    "pcre": "-E",
    "pillar": "-I",
    "pillar_pcre": "-J",
    "range": "-R",
}
#: {setting with a value: option of `salt-g ssh`}
_VALUES = {
    "roster": "--roster",
    "roster_file": "--roster-file",
    "ssh_max_procs": "--max-procs",
    "ssh_options": "--ssh-option",
    "ssh_priv": "--priv",
    "ssh_scan_ports": "--scan-ports",
    "ssh_scan_timeout": "--scan-timeout",
    "ssh_user": "--user",
}
#: {setting that is true or false: option of `salt-g ssh`}
_FLAGS = {
    "ignore_host_keys": "-i",
    "no_host_keys": "--no-host-keys",
    "ssh_identities_only": "--identities-only",
    "ssh_run_pre_flight": "--pre-flight",
    "ssh_sudo": "--sudo",
}


def called(
    tgt: Any,
    tgt_type: str,
    options: Sequence[str],
    words: Sequence[str],
    lines: Sequence[str],
    timeout: float | None,
) -> dict[str, Any]:
    """Run `salt-g ssh` on hosts with the settings of the running call and return {id: result}.

    `words` follow the target on the command line; `lines` are passed on stdin, where other users of this
    machine cannot read them; `timeout` (s) limits the whole call.
    """
    target = ",".join(map(str, tgt)) if isinstance(tgt, (list, tuple)) else str(tgt)
    kind = [*_settings(opts.get(SSH_SETTINGS) or {}), *_option(tgt_type)]
    all_words = ["ssh", "-c", str(opts["config_dir"]), "--static", "--out=json", "--no-color"]
    all_words += [*options, *kind, "--args-stdin", "--", target, *words]
    # Use a separate process, so that its connections end with it in any case.
    done = run(
        [*own_python("from salt_g.cli import main; main()"), *all_words],
        stdin="\n".join(lines).encode("utf-8", "surrogateescape"),
        timeout=timeout,
        is_logged=False,
    )
    if done.retcode not in _WITH_RESULTS:
        raise CommandExecutionError(done.err.strip() or f"salt-g ssh ended with exit code {done.retcode}")
    found: dict[str, Any] = json.loads(done.out or "{}")
    if not found:
        raise CommandExecutionError(done.err.strip() or "no host matches the target")
    return found


def _settings(given: Mapping[str, Any]) -> list[str]:
    """Return the options of `salt-g ssh` for settings of a call.

    These settings are not arguments of `cmd`, because with `ssh_options` or `roster_file` a user who may only
    call that function could run programs on this machine.
    """
    words: list[str] = []
    for name, value in given.items():
        if name in _FLAGS:
            words += [_FLAGS[name]] if value else []
        elif name in _VALUES:
            values = value if isinstance(value, (list, tuple)) else [value]
            words += [f"{_VALUES[name]}={one}" for one in values if one is not None]
        else:
            known = ", ".join(sorted((*_VALUES, *_FLAGS)))
            raise CommandExecutionError(
                f"a call on hosts does not accept {name!r} (passwords belong in the roster); known: {known}"
            )
    return words


def _option(tgt_type: str) -> list[str]:
    """Return the option of `salt-g ssh` for a target type."""
    if tgt_type == "glob":
        return []
    if tgt_type not in _OPTIONS:
        raise CommandExecutionError(
            f"target type {tgt_type!r} does not exist; known: glob, {', '.join(_OPTIONS)}"
        )
    return [_OPTIONS[tgt_type]]
