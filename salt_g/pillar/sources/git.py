"""External pillar `git`: pillar trees in git repositories, through the `git` program.

Shapes: each repository is `"<branch> <url>"`, or that as the key of a list of options:
`root` (folder of the tree) and `env` (environment of the branch). The branch `__env__` is
that of the pillar environment. Without `env` a branch is the environment of its name, and
`git_pillar_base` (master) is `base`.
Cache: one work tree for each branch, below `<cachedir>/git_pillar`.
Errors: CommandExecutionError with what git said. When a fetch fails the last state is used.
"""

from __future__ import annotations

import dataclasses
import hashlib
import logging
import os
from collections.abc import Iterable, Mapping
from typing import Any

from salt_g import api
from salt_g.command import Finished, run
from salt_g.disk import make_private_directory
from salt_g.errors import CommandExecutionError, CommandTimeout
from salt_g.formats.urls import without_password
from salt_g.pillar.merging import Merging

log = logging.getLogger(__name__)

#: Longest run of one git command, in seconds.
TIMEOUT = 120


@dataclasses.dataclass(frozen=True)
class Repository:
    """A branch of a repository that serves pillar for one environment."""

    url: str
    branch: str
    env: str
    root: str = ""


def git(minion_id: str, pillar: dict[str, Any], *repositories: Any) -> dict[str, Any]:
    """Return the pillar of all repositories, later ones merged over earlier ones."""
    opts = api.opts
    pillarenv = opts.get("pillarenv")
    top = os.path.join(str(opts["cachedir"]), "git_pillar")
    merging = Merging.from_opts(opts)
    found: dict[str, Any] = {}
    for repository in read_repositories(repositories, opts):
        if pillarenv and repository.env != pillarenv:
            continue
        tree = checkout(repository, top)
        data = api.services().pillars.compile(
            roots={repository.env: [tree]},
            pillarenv=repository.env if repository.env != "base" else None,
            earlier={},
        )
        found = merging.merge(found, data)
    return found


def read_repositories(repositories: Iterable[Any], opts: Mapping[str, Any]) -> list[Repository]:
    """Return what the settings say; raises CommandExecutionError for what cannot be read."""
    read = []
    for item in repositories:
        spec, options = next(iter(item.items())) if isinstance(item, Mapping) else (item, [])
        branch, _, url = str(spec).strip().partition(" ")
        if not url.strip():
            raise CommandExecutionError(f"git_pillar repository {spec!r} is not '<branch> <url>'")
        read.append(_repository(branch, url.strip(), _joined(options), opts))
    return read


def checkout(repository: Repository, top: str) -> str:
    """Fetch a repository into the cache and return the folder that holds the pillar tree."""
    digest = hashlib.sha256(f"{repository.url}\n{repository.branch}".encode()).hexdigest()[:32]
    tree = os.path.join(top, digest)
    if not os.path.isdir(os.path.join(tree, ".git")):
        make_private_directory(tree)
        _git(tree, "init", "--quiet")
    _fetch(repository, tree)
    _git(tree, "reset", "--quiet", "--hard", "refs/salt-g/pillar")
    _git(tree, "clean", "--quiet", "-ffdx")
    return os.path.join(tree, repository.root) if repository.root else tree


def _repository(branch: str, url: str, options: Mapping[str, Any], opts: Mapping[str, Any]) -> Repository:
    base = str(opts.get("git_pillar_base") or "master")
    if branch == "__env__":
        env = str(opts.get("pillarenv") or "base")
        branch = str(opts.get("git_pillar_branch") or base) if env == "base" else env
    else:
        env = str(options.get("env") or ("base" if branch == base else branch))
    root = str(options.get("root") or opts.get("git_pillar_root") or "").strip("/")
    if os.path.isabs(root) or os.pardir in root.split("/"):
        raise CommandExecutionError(
            f"root {root!r} of git_pillar repository {without_password(url)} leaves it"
        )
    return Repository(url, branch, env, root)


def _joined(options: Any) -> dict[str, Any]:
    joined: dict[str, Any] = {}
    for option in options or []:
        joined.update(option)
    return joined


def _fetch(repository: Repository, tree: str) -> None:
    source = f"+refs/heads/{repository.branch}:refs/salt-g/pillar"
    tag = f"+refs/tags/{repository.branch}:refs/salt-g/pillar"
    problem = ""
    for refspec in (source, tag):
        try:
            _git(tree, "fetch", "--quiet", "--depth=1", "--", repository.url, refspec)
            return
        except CommandExecutionError as exc:
            problem = problem or str(exc)
    if _run(tree, "rev-parse", "--quiet", "--verify", "refs/salt-g/pillar").retcode != 0:
        raise CommandExecutionError(problem)
    log.error("git_pillar uses the last state of %s: %s", without_password(repository.url), problem)


def _git(tree: str, *words: str) -> None:
    done = _run(tree, *words)
    if done.retcode != 0:
        raise CommandExecutionError(f"git {words[0]}: {without_password(done.err.strip())}")


def _run(tree: str, *words: str) -> Finished:
    # Never ask a terminal for a password, and take no hooks from what was fetched.
    env = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        return run(["git", "-c", "core.hooksPath=/dev/null", *words], cwd=tree, env=env, timeout=TIMEOUT)
    except CommandTimeout as exc:
        raise CommandExecutionError(f"git {words[0]} did not end within {TIMEOUT} s") from exc
