"""Deployment of the public key to hosts (`--key-deploy`), before the function of the command.

The connection is an ordinary login of the user, with the key if the host already accepts it, else with the
password. The key is added for that user, without sudo.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from salt_g.cli import exit_codes
from salt_g.cli.ssh.host_calls import HostReturn, Work
from salt_g.cli.ssh.host_contexts import HostContexts
from salt_g.cli.ssh.host_log import lines_of
from salt_g.errors import CommandExecutionError
from salt_g.process.command import run
from salt_g.shapes import Opts

#: Time limit of `ssh-keygen` (s).
_TIMEOUT = 30


@contextlib.contextmanager
def after_deployment(contexts: HostContexts, opts: Opts, work: Work) -> Iterator[Work]:
    """Yield a `Work` that first adds the public key to a host."""
    plain = {id: {**own, "sudo": False} for id, own in contexts.hosts.items()}
    logins = HostContexts(opts, plain, {}) if plain != contexts.hosts else contexts

    def deploy_and_work(id: str) -> HostReturn:
        try:
            with lines_of(id):
                line = public_key(str(plain[id].get("priv") or ""))
                logins.connection(id, "authorize", line)
        except CommandExecutionError as exc:
            return HostReturn(id, f"the public key cannot be added: {exc}", exit_codes.FAILED)
        return work(id)

    try:
        yield deploy_and_work
    finally:
        if logins is not contexts:
            logins.close()


def public_key(path: str) -> str:
    """Return the authorized_keys line for a private key; raise CommandExecutionError if it cannot be read."""
    if not path:
        raise CommandExecutionError("no private key is set; name one (--priv)")
    beside = f"{os.path.expanduser(path)}.pub"
    if os.path.isfile(beside):
        try:
            with open(beside, encoding="utf-8") as file:
                return file.read().strip()
        except (OSError, UnicodeDecodeError) as exc:
            raise CommandExecutionError(f"{beside} cannot be read: {exc}") from exc
    done = run(["ssh-keygen", "-y", "-P", "", "-f", os.path.expanduser(path)], timeout=_TIMEOUT)
    if done.retcode:
        raise CommandExecutionError(f"{beside} does not exist, and {path} cannot be read: {done.err.strip()}")
    return done.out.strip()
