"""Checks of signed trees: the signers' files, and branches and tags that do not advance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import Any

from salt_g.doctor.finding import DoctorFinding, error, good, warning
from salt_g.errors import ConfigError
from salt_g.git.repository import Repository
from salt_g.git.verified_refs import RefusedRef

#: Maximum number of refused branches and tags in one line.
_NAMED = 3


def check(opts: Mapping[str, Any]) -> Iterator[DoctorFinding]:
    """Check the repositories of the file server and of pillar that have signers."""
    if not _uses_git(opts):
        return
    # Imported lazily: few hosts have repositories.
    from salt_g.files.git import GitFs
    from salt_g.files.roots import RootsRules
    from salt_g.pillar.git_clones import GitPillars

    try:
        repositories = [
            *GitFs.from_opts(dict(opts), RootsRules()).repositories,
            *GitPillars(dict(opts)).repositories(),
        ]
    except ConfigError as exc:
        yield error("signed trees", str(exc), "correct the setting")
        return
    yield from findings([repository for repository in repositories if repository.source.verify])


def findings(repositories: Sequence[Repository]) -> Iterator[DoctorFinding]:
    """Yield the findings about repositories with signers."""
    for repository in repositories:
        name = f"signed tree {repository.source}"
        problem = repository.signers_problem()
        if problem:
            yield error(name, f"{problem}; its branches do not advance", "correct the file or the setting")
            continue
        refused = repository.refused()
        if not refused:
            yield good(name, f"{len(repository.refs())} branches and tags are signed")
            continue
        more = f"; and {len(refused) - _NAMED} more" if len(refused) > _NAMED else ""
        summary = "; ".join(map(str, refused[:_NAMED])) + more
        yield warning(name, summary, "; ".join(_advice(refused)))


def _advice(refused: Sequence[RefusedRef]) -> Iterator[str]:
    """Yield advice about refused branches: a signature, or a release of a history rewritten on purpose."""
    if not all(one.may_be_released for one in refused):
        yield "have a signer sign it"
    for one in refused:
        if one.may_be_released:
            # Quote the names, because whoever can push to the repository chooses them.
            yield f"if it is on purpose: salt-g run fileserver.release {quote(one.remote)} {quote(one.ref)}"
            return


def _uses_git(opts: Mapping[str, Any]) -> bool:
    backends = opts.get("fileserver_backend") or []
    has_pillar = any(isinstance(item, dict) and "git" in item for item in opts.get("ext_pillar") or [])
    return "git" in backends or "gitfs" in backends or has_pillar
