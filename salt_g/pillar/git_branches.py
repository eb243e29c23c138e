"""Settings of git repositories with pillar.

Shapes: each item below `ext_pillar: - git:` is `"<branch> <url>"`, or such a text as the key of a list of
options (`OPTIONS`); `git_pillar_<option>` of the master is the default of each. The branch `__env__` follows
the pillar environment.
Errors: ConfigError for invalid settings.
Source: stock docs "salt.pillar.git_pillar" and its settings; compared with 3008.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from salt_g.errors import ConfigError
from salt_g.formats.urls import without_password
from salt_g.git.repository import is_commit_name
from salt_g.git.source import ALL_REFS, Access, RemoteSource, checked_url, folder, number, read_options, texts
from salt_g.git.verify_rules import VerifyRules, rules_of
from salt_g.shapes import Opts

#: Settings `git_pillar_<name>` that a repository can override.
_BOTH = (
    *("base", "branch", "env", "root", "fallback", "depth", "refspecs", "ref_types", "update_interval"),
    *("proxy", "user", "password", "privkey", "pubkey", "passphrase", "insecure_auth", "ssl_verify"),
    "verify",
)
#: Options of a repository.
OPTIONS = (*_BOTH, "name", "mountpoint", "all_saltenvs")
#: Branch name that stands for the environment's name.
BY_ENV = "__env__"


class Branch(NamedTuple):
    """Branch, tag or commit of a repository, with the pillar of one environment.

    `fallback` is used when `ref` does not exist. Units: seconds.
    """

    source: RemoteSource
    ref: str
    env: str
    root: str = ""
    mountpoint: str = ""
    fallback: str = ""
    ref_types: tuple[str, ...] = ("branch", "tag", "sha")
    interval: float = 60.0


def read_branches(items: Iterable[Any], opts: Opts) -> list[Branch]:
    """Return the branches listed under one `git` of `ext_pillar`, in order."""
    given = {name: opts.get(f"git_pillar_{name}") for name in _BOTH}
    defaults = {name: value for name, value in given.items() if value is not None}
    branches = []
    for item in items:
        spec, options = next(iter(item.items()), ("", [])) if isinstance(item, Mapping) else (item, [])
        ref, _, url = str(spec).strip().partition(" ")
        where = f"git_pillar, {without_password(url.strip() or ref)}"
        if not url.strip():
            raise ConfigError([f"git_pillar: {spec!r} is not '<branch> <url>'"])
        own = read_options(options, OPTIONS, where)
        known = {**defaults, **own}
        rules = rules_of(own, opts, where, listed_in="ext_pillar", default="git_pillar_verify")
        branch = _branch(ref, checked_url(url.strip(), "git_pillar"), known, where, opts)
        branches.append(branch if rules is None else _verified(branch, rules))
    return branches


def _verified(branch: Branch, rules: VerifyRules) -> Branch:
    source = branch.source._replace(verify=rules)
    return branch._replace(source=source._replace(depth=0) if rules.needs_history() else source)


def _branch(ref: str, url: str, known: Mapping[str, Any], where: str, opts: Opts) -> Branch:
    base = str(known.get("base") or "master")
    if ref == BY_ENV:
        env = str(opts.get("pillarenv") or opts.get("saltenv") or "base")
        ref = str(known.get("all_saltenvs") or (known.get("branch") or base if env == "base" else env))
    else:
        env = str(known.get("env") or ("base" if ref == base else ref))
    fallback = str(known.get("fallback") or "")
    needs_history = is_commit_name(ref) or is_commit_name(fallback)
    return Branch(
        source=RemoteSource(
            url=url,
            name=str(known.get("name") or ""),
            refspecs=texts(known.get("refspecs")) or ALL_REFS,
            depth=0 if needs_history else int(number(known, "depth", 0, where)),
            access=Access.of(known),
        ),
        ref=ref,
        env=env,
        root=folder(known.get("root"), where),
        mountpoint=folder(known.get("mountpoint"), where),
        fallback=fallback,
        ref_types=texts(known.get("ref_types")) or ("branch", "tag", "sha"),
        interval=number(known, "update_interval", 60, where),
    )
