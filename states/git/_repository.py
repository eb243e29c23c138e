"""Git functions bound to one checkout, user and set of SSH keys."""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import call, current
from salt_g.errors import CommandExecutionError, InvocationError

#: State arguments passed to functions of `git`: to all, and to those that contact a remote.
_LOCAL = ("user", "password", "output_encoding")
_REMOTE = (*_LOCAL, "identity")


class Repository:
    """Checkout at a path, which may not exist yet."""

    def __init__(self, path: str, arguments: dict[str, Any]) -> None:
        self.path = path
        self._local = {key: arguments.get(key) for key in _LOCAL}
        saltenv = current().saltenv
        self._remote = {**{key: arguments.get(key) for key in _REMOTE}, "saltenv": saltenv}
        self._login = {key: arguments.get(key) for key in ("https_user", "https_pass")}

    def call(self, function: str, *args: Any, **options: Any) -> Any:
        """Call a function of `git` on this checkout."""
        return call(f"git.{function}", self.path, *args, **options, **self._local)

    def try_call(self, function: str, *args: Any, **options: Any) -> Any:
        """Call a function of `git` on this checkout; return None if git fails."""
        try:
            return self.call(function, *args, ignore_retcode=True, **options)
        except CommandExecutionError:
            return None

    def call_remote(self, function: str, *args: Any, **options: Any) -> Any:
        """Call a function that contacts the remote of this checkout."""
        return call(f"git.{function}", self.path, *args, **options, **self._remote)

    def refs_at(self, url: str) -> dict[str, str]:
        """Return the refs of the repository at a URL."""
        refs: dict[str, str] = call("git.remote_refs", url, **self._remote, **self._login)
        return refs

    def clone(self, url: str, opts: list[str]) -> None:
        """Clone from a URL."""
        self.call_remote("clone", url, opts=opts, **self._login)

    def set_remote(self, remote: str, url: str) -> None:
        """Set the URL of a remote."""
        self.call("remote_set", url=url, remote=remote, **self._login)

    def is_commit(self, rev: str) -> bool:
        """Return whether this checkout has a commit."""
        return self.try_call("rev_parse", f"{rev}^{{commit}}") is not None

    def upstream_of(self, branch: str | None) -> str | None:
        """Return the upstream of a local branch, or None if it has none."""
        if branch is None:
            return None
        found: str | None = self.try_call("rev_parse", f"{branch}@{{upstream}}", opts=["--abbrev-ref"])
        return found


def keys_of(identity: Any) -> list[str] | None:
    """Return the SSH keys of a state's `identity`, or None if not given; raises InvocationError."""
    if identity is None:
        return None
    if not isinstance(identity, (str, list)):
        raise InvocationError("identity must be either a list or a string")
    keys = [os.path.expanduser(each) for each in ([identity] if isinstance(identity, str) else identity)]
    for key in keys:
        if "salt://" not in key and not os.path.isabs(key):
            raise InvocationError(f"identity '{key}' is not an absolute path")
    return keys
