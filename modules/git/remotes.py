"""Remote repositories: cloning, fetching, pushing, and their refs and URLs."""

from __future__ import annotations

import os
import re
from typing import Any

from salt_g import safe_files
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules.git._run import check_place, expand, git, redacted, text, with_login, words_of

#: Line about an update in the output of `git fetch`.
_UPDATE = re.compile(r"[\s*]*(?:([0-9a-f]+)\.\.([0-9a-f]+)|\[(?:new (tag|branch)|tag update)\])\s+(.+)->")


def clone(
    cwd: str,
    url: str | None = None,
    name: str | None = None,
    opts: Any = "",
    git_opts: Any = "",
    https_user: str | None = None,
    https_pass: str | None = None,
    **how: Any,
) -> bool:
    """Clone a repository to `cwd`, or to `name` in it; return True.

    Example::

        salt-g git.clone /srv/repo https://example.org/repo.git
    """
    if not url:
        raise InvocationError("Missing 'url' argument")
    target = expand(cwd, how.get("user"))
    words = [*words_of(git_opts), "clone", *words_of(opts), "--", with_login(url, https_user, https_pass)]
    if name is None:
        git([*words, target], "/tmp", how)
    else:
        safe_files.make_directories(target)
        check_place(os.path.join(target, name), how.get("user"))
        git([*words, name], target, how)
    return True


def fetch(
    cwd: str,
    remote: str | None = None,
    force: bool = False,
    refspecs: Any = None,
    opts: Any = "",
    git_opts: Any = "",
    **how: Any,
) -> dict[str, Any]:
    """Fetch from a remote; return the updates.

    The result has some of `new branches`, `new tags` and `updated tags` (lists of names), and
    `updated branches`, {name: {"old", "new"}}. `refspecs` is a list or comma-separated text.

    Example::

        salt-g git.fetch /srv/repo origin
    """
    specs = refspecs.split(",") if isinstance(refspecs, str) else [str(each) for each in refspecs or []]
    options = [*(["--force"] if force else []), *words_of(opts)]
    words = [*words_of(git_opts), "fetch", *options, *([remote] if remote else []), *specs]
    said = text(words, expand(cwd, how.get("user")), how, redirect_stderr=True)
    return _news(said)


def pull(cwd: str, opts: Any = "", git_opts: Any = "", **how: Any) -> str:
    """Fetch and merge; return git's output.

    Example::

        salt-g git.pull /srv/repo
    """
    return text([*words_of(git_opts), "pull", *words_of(opts)], expand(cwd, how.get("user")), how)


def push(
    cwd: str,
    remote: str | None = None,
    ref: str | None = None,
    opts: Any = "",
    git_opts: Any = "",
    **how: Any,
) -> str:
    """Push to a remote; return git's output.

    Example::

        salt-g git.push /srv/repo origin main
    """
    target = [each for each in (remote, ref) if each]
    words = [*words_of(git_opts), "push", *words_of(opts), *target]
    return text(words, expand(cwd, how.get("user")), how, redirect_stderr=True)


def ls_remote(
    cwd: str | None = None,
    remote: str = "origin",
    ref: str | None = None,
    opts: Any = "",
    git_opts: Any = "",
    https_user: str | None = None,
    https_pass: str | None = None,
    **how: Any,
) -> dict[str, str]:
    """Return {ref: SHA1} of a remote, or only of `ref`.

    `remote` is a URL, or the name of a remote of the checkout `cwd`.

    Example::

        salt-g git.ls_remote remote=https://example.org/repo.git
    """
    where = None if cwd is None else expand(cwd, how.get("user"))
    words = [*words_of(git_opts), "ls-remote", *words_of(opts), with_login(remote, https_user, https_pass)]
    return _refs(text([*words, *([ref] if ref else [])], where, how))


def remote_refs(
    url: str,
    heads: bool = False,
    tags: bool = False,
    https_user: str | None = None,
    https_pass: str | None = None,
    **how: Any,
) -> dict[str, str]:
    """Return {ref: SHA1} of the repository at a URL; `heads`, `tags` and `filter` restrict the result.

    Example::

        salt-g git.remote_refs https://example.org/repo.git
    """
    pattern = how.pop("filter", None)
    options = [*(["--heads"] if heads else []), *(["--tags"] if tags else [])]
    words = ["ls-remote", *options, with_login(url, https_user, https_pass), *([pattern] if pattern else [])]
    return _refs(text(words, None, how))


def remotes(cwd: str, redact_auth: bool = True, **how: Any) -> dict[str, dict[str, str]]:
    """Return {name: {"fetch": URL, "push": URL}} of the remotes of a checkout.

    Logins in the URLs are removed unless `redact_auth` is False.

    Example::

        salt-g git.remotes /srv/repo
    """
    found: dict[str, dict[str, str]] = {}
    for line in text(["remote", "--verbose"], expand(cwd, how.get("user")), how).splitlines():
        words = line.split()
        if len(words) >= 3 and words[-1] in ("(fetch)", "(push)"):
            url = redacted(words[1]) if redact_auth else words[1]
            found.setdefault(words[0], {})[words[-1].strip("()")] = url
    return found


def remote_get(cwd: str, remote: str = "origin", redact_auth: bool = True, **how: Any) -> dict[str, str]:
    """Return {"fetch": URL, "push": URL} of one remote; `redact_auth` is that of `git.remotes`.

    Example::

        salt-g git.remote_get /srv/repo
    """
    found = remotes(cwd, redact_auth=redact_auth, **how)
    if remote not in found:
        raise CommandExecutionError(f"Remote '{remote}' not present in git checkout located at {cwd}")
    return found[remote]


def remote_set(
    cwd: str,
    url: str,
    remote: str = "origin",
    https_user: str | None = None,
    https_pass: str | None = None,
    push_url: str | None = None,
    push_https_user: str | None = None,
    push_https_pass: str | None = None,
    **how: Any,
) -> dict[str, str]:
    """Set the URL of a remote, and `push_url` for pushes; return the result of `git.remote_get`.

    An existing remote is removed first, with its remote-tracking branches and settings.

    Example::

        salt-g git.remote_set /srv/repo https://example.org/repo.git
    """
    where = expand(cwd, how.get("user"))
    if remote in remotes(cwd, **how):
        git(["remote", "rm", remote], where, how)
    git(["remote", "add", remote, with_login(url, https_user, https_pass)], where, how)
    if push_url:
        there = with_login(str(push_url), push_https_user, push_https_pass)
        git(["remote", "set-url", "--push", remote, there], where, how)
    return remote_get(cwd, remote, **how)


def _refs(said: str) -> dict[str, str]:
    pairs = (line.split(None, 1) for line in said.splitlines())
    return {pair[1]: pair[0] for pair in pairs if len(pair) == 2}


def _news(said: str) -> dict[str, Any]:
    news: dict[str, Any] = {}
    for old, new, kind, ref in (found.groups() for found in map(_UPDATE.match, said.splitlines()) if found):
        name = ref.rstrip()
        if kind:
            news.setdefault("new tags" if kind == "tag" else "new branches", []).append(name)
        elif old:
            news.setdefault("updated branches", {})[name] = {"old": old, "new": new}
        else:
            news.setdefault("updated tags", []).append(name)
    return news
