"""File server of the master: listings, updates and locks of its backends.

In all functions `backend` is one name or several (a list, or a text with commas); a backend with a
leading minus is excluded.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import own_arguments, services
from salt_g.data.word_list import split
from salt_g.errors import CommandExecutionError
from salt_g.services.daemons import FileServing, MasterServices


def envs(backend: Any = None, sources: bool = False) -> list[str]:
    """Return the file environments; with `sources` the names of the backends that have any.

    Example::

        salt-g run fileserver.envs backend=roots,git
    """
    server = _chosen(backend)
    if sources:
        return sorted(name for name in server.names() if server.chosen([name]).envs())
    return server.envs()


def file_list(saltenv: str = "base", backend: Any = None) -> list[str]:
    """Return the paths of all files of an environment.

    Example::

        salt-g run fileserver.file_list saltenv=prod
    """
    return _chosen(backend).files(saltenv)


def symlink_list(saltenv: str = "base", backend: Any = None) -> dict[str, str]:
    """Return {path: link target} of an environment.

    Example::

        salt-g run fileserver.symlink_list
    """
    return _chosen(backend).links(saltenv)


def dir_list(saltenv: str = "base", backend: Any = None) -> list[str]:
    """Return the paths of all directories of an environment.

    Example::

        salt-g run fileserver.dir_list
    """
    return _chosen(backend).directories(saltenv)


def empty_dir_list(saltenv: str = "base", backend: Any = None) -> list[str]:
    """Return the empty directories of an environment.

    Example::

        salt-g run fileserver.empty_dir_list
    """
    return _chosen(backend).empty_directories(saltenv)


def update(backend: Any = None, remotes: Any = None, **kwargs: Any) -> Any:
    """Fetch changes of all remotes of a backend or of `remotes` (names or URLs); return True.

    If signed trees (`gitfs_verify`) refuse branches or tags, return a line for each refused one instead.

    Example::

        salt-g run fileserver.update backend=git remotes=https://example.org/states.git
    """
    wanted = own_arguments(kwargs).get("remote", remotes)
    server = _chosen(backend)
    server.update(split(wanted) if wanted else ())
    return [str(refused) for refused in server.refused()] or True


def refused() -> dict[str, dict[str, dict[str, str]]]:
    """Return the branches and tags whose latest commit signed trees refuse to serve, and the reasons.

    Branches and tags of pillar are included.

    The shape is {repository: {"branch/<name>" or "tag/<name>": {`commit`, `served`, `reason`}}}; `commit` is
    empty if the branch or tag no longer exists in the repository, `served` if nothing of it is served.

    Example::

        salt-g run fileserver.refused
    """
    found: dict[str, dict[str, dict[str, str]]] = {}
    for one in [
        *services(MasterServices).fileserver.refused(),
        *services(MasterServices).git_pillars.refused(),
    ]:
        entry = {"commit": one.commit, "served": one.served, "reason": one.reason}
        found.setdefault(one.remote, {})[one.ref] = entry
    return found


def release(remote: str, ref: str) -> Any:
    """Allow a branch or tag, once, to move to any signed commit or to vanish, and fetch it.

    This is for a branch that was rewritten or deleted on purpose. Until the fetch, the current commit is
    served. `remote` is the URL or name of the repository, `ref` is `branch/<name>` or `tag/<name>`.
    Returns the result of `fileserver.refused`.

    Example::

        salt-g run fileserver.release https://example.org/states.git branch/feature
    """
    files, pillars = services(MasterServices).fileserver, services(MasterServices).git_pillars
    done = [files.release(remote, ref), pillars.release(remote, ref)]
    if not any(done):
        raise CommandExecutionError(
            f"no signed tree {remote!r} serves {ref!r}; 'salt-g run fileserver.refused' lists refused refs"
        )
    if done[0]:
        files.chosen(["gitfs"]).update([remote])
    if done[1]:
        pillars.update(repository=remote)
    return refused()


def clear_file_list_cache(saltenv: str | None = None, backend: Any = None) -> dict[str, list[str]]:
    """Discard cached file lists; return {backend: environments whose lists were discarded}.

    Example::

        salt-g run fileserver.clear_file_list_cache saltenv=base
    """
    return _chosen(backend).forget_listings(saltenv)


def clear_cache(backend: Any = None) -> dict[str, list[str]] | str:
    """Remove data fetched from repositories; return {cleared, errors}, or a message if both are empty.

    Example::

        salt-g run fileserver.clear_cache backend=git
    """
    return _result("cleared", *_chosen(backend).clear_cache()) or "No cache was cleared"


def clear_lock(backend: Any = None, remote: str | None = None) -> dict[str, list[str]] | str:
    """Remove update locks; return {cleared, errors}, or a message if both are empty.

    Example::

        salt-g run fileserver.clear_lock git
    """
    lines = _chosen(backend).clear_lock(split(remote) if remote else ())
    return _result("cleared", *lines) or "No locks were removed"


def lock(backend: Any = None, remote: str | None = None) -> dict[str, list[str]] | str:
    """Lock repositories against updates until `fileserver.clear_lock`.

    Return {locked, errors}, or a message if both are empty.

    Example::

        salt-g run fileserver.lock git
    """
    return _result("locked", *_chosen(backend).lock(split(remote) if remote else ())) or "No locks were set"


def _chosen(backend: Any) -> FileServing:
    server = services(MasterServices).fileserver
    return server.chosen([str(name) for name in split(backend)]) if backend else server


def _result(word: str, done: list[str], problems: list[str]) -> dict[str, list[str]]:
    result = {word: done, "errors": problems}
    return {name: lines for name, lines in result.items() if lines}
