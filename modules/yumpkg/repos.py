"""Repositories of dnf and yum: listing, lookup, adding, changing, removing.

Shapes: a repository is {option: text} as its `.repo` file has it, see `_repo_files`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from salt_g.api import call
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._repo_files import RepoFile, files_in
from salt_g.modules.yumpkg._yum import is_dnf, program, repo_directories, yum

#: Three ways to say where packages are; a repository has one.
_LINKS = ("baseurl", "mirrorlist", "metalink")


def list_repos(basedir: Any = None, **kwargs: Any) -> dict[str, dict[str, Any]]:
    """Return {name: repository} of all repositories, even disabled ones; each has its path as `file`.

    `basedir` is a directory, or several as a list or comma-separated text.

    Example::

        salt-g pkg.list_repos basedir=/path/to/dir
    """
    return {
        name: {**repo, "file": file.path}
        for file in files_in(repo_directories(basedir))
        for name, repo in file.repos().items()
    }


def get_repo(repo: str, basedir: Any = None, **kwargs: Any) -> dict[str, Any]:
    """Return a repository by name (`copr:user/project` too), or {} if there is none.

    Example::

        salt-g pkg.get_repo epel
    """
    found = _file_of(_real_name(repo), basedir)
    return found.repos()[_real_name(repo)] if found else {}


def del_repo(repo: str, basedir: Any = None, **kwargs: Any) -> str:
    """Remove a repository, and its file if nothing else is in it; return a message.

    Example::

        salt-g pkg.del_repo epel
    """
    name = _real_name(repo)
    file = _file_of(name, basedir)
    if file is None:
        return f"Error: the {name} repo does not exist in {repo_directories(basedir)}"
    file.remove(name)
    file.save()
    if not file.repos():
        return f"File {file.path} containing repo {name} has been removed"
    return f"Repo {name} has been removed from {file.path}"


def mod_repo(repo: str, basedir: Any = None, **kwargs: Any) -> dict[str, Any]:
    """Add a repository or change its options; return {file: {name: repository}}.

    Every keyword is an option of the `.repo` file (`name`, `baseurl`, `mirrorlist`, `gpgcheck`, `gpgkey`,
    `enabled`, ...); empty ones are removed. One of `baseurl`, `mirrorlist` and `metalink` replaces another.
    A repository `copr:user/project` is enabled with the COPR plugin of dnf or yum.

    Example::

        salt-g pkg.mod_repo test name='Test' baseurl=http://mirror.example.org/ enabled=1
    """
    given = {key: value for key, value in kwargs.items() if key[:2] != "__" and key != "saltenv"}
    given.pop("strict_config", None)
    wanted = {key: value for key, value in given.items() if value or value == 0}
    links = [link for link in _LINKS if link in given]
    if len(links) > 1:
        raise InvocationError(f"One and only one of {', '.join(_LINKS)} can be used")
    dropped = [key for key in given if key not in wanted]
    if "name" in dropped:
        raise InvocationError("The repo name cannot be deleted")
    replaced = [link for link in _LINKS if link not in wanted] if any(key in wanted for key in links) else []
    name = _real_name(repo)
    file = _file_of(name, basedir) or _new_file(repo, basedir, wanted)
    _check_links_left(file.repos().get(name, {}), wanted, dropped)
    file.change(name, wanted, [*dropped, *replaced])
    file.save()
    return {file.path: file.repos()}


def _real_name(repo: str) -> str:
    """Return the name of a repository in its file."""
    if not repo.startswith("copr:"):
        return repo
    owner, slash, project = repo[len("copr:") :].partition("/")
    if not slash:
        raise InvocationError(f"{repo!r} names no COPR project; it has the form 'copr:user/project'")
    return f"copr:copr.fedorainfracloud.org:{owner}:{project}"


def _file_of(name: str, basedir: Any) -> RepoFile | None:
    found = [file for file in files_in(repo_directories(basedir)) if name in file.repos()]
    return found[-1] if found else None


def _new_file(repo: str, basedir: Any, wanted: Mapping[str, Any]) -> RepoFile:
    """Return the file for a new repository; raise InvocationError if options are missing."""
    directories = repo_directories(basedir)
    directory = next((each for each in directories if os.path.exists(each)), None)
    if directory is None:
        raise InvocationError(
            "The repo does not exist and needs to be created, but none of the following basedir "
            f"directories exist: {directories}"
        )
    if repo.startswith("copr:"):
        return _enabled_copr(repo, basedir)
    if "name" not in wanted:
        raise InvocationError("The repo does not exist and needs to be created, but a name was not given")
    if not any(link in wanted for link in _LINKS):
        raise InvocationError(
            f"The repo does not exist and needs to be created, but none of {', '.join(_LINKS)} was given"
        )
    return RepoFile(os.path.join(directory, f"{repo}.repo"))


def _enabled_copr(repo: str, basedir: Any) -> RepoFile:
    plugin = "dnf-plugins-core" if is_dnf() else "yum-plugin-copr"
    if not call("pkg_resource.version", plugin):
        raise InvocationError(f"{plugin} must be installed to use COPR")
    project = repo[len("copr:") :]
    finished = yum(["copr", "enable", project, "-y"])
    file = None if finished["retcode"] else _file_of(_real_name(repo), basedir)
    if file is None:
        raise CommandExecutionError(
            f"Unable to add COPR '{project}'. '{program()}' exited with status "
            f"{finished['retcode']}: '{finished['stderr']}' "
        )
    return file


def _check_links_left(before: Mapping[str, Any], wanted: Mapping[str, Any], dropped: list[str]) -> None:
    """Raise if a repository would lose its last source of packages."""
    for link in (link for link in _LINKS if link in dropped):
        others = [other for other in _LINKS if other != link]
        if not any(other in wanted or other in before for other in others):
            raise InvocationError(f"Cannot delete {link} without specifying {' or '.join(others)}")
