"""Installation, upgrades and removal of packages.

Source: stock docs of `pkg.install`; zypper(8).
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator, Mapping
from functools import cmp_to_key
from typing import Any

from salt_g.api import grains
from salt_g.data.version_conditions import split_comparison
from salt_g.errors import CommandExecutionError
from salt_g.modules._booleans import as_list, is_true
from salt_g.modules._packages import change, forget_packages, parsed, upgraded
from salt_g.modules._programs import output
from salt_g.modules._rpm_packages import rooted
from salt_g.modules._rpm_versions import compare
from salt_g.modules.zypperpkg._zypper import GOOD, solvables, zypper
from salt_g.modules.zypperpkg.available import refresh_db
from salt_g.modules.zypperpkg.files import list_downloaded
from salt_g.modules.zypperpkg.patches import list_patches
from salt_g.modules.zypperpkg.query import list_pkgs

#: Maximum number of names per run of zypper.
_BATCH = 500
_OPERATORS = ("", "<", "<=", "=", ">=", ">")
#: Last release whose `dist-upgrade` does not accept options for vendors.
_LAST_WITHOUT_VENDORS = 11


def install(
    name: str | None = None,
    refresh: bool = False,
    fromrepo: str | None = None,
    pkgs: Any = None,
    sources: Any = None,
    downloadonly: bool | None = None,
    skip_verify: bool = False,
    version: str | None = None,
    ignore_repo_failure: bool = False,
    no_recommends: bool = False,
    root: str | None = None,
    **kwargs: Any,
) -> dict[str, Any]:
    """Install packages; return {name: {"old": version, "new": version}} of the changes.

    Give one of `name` (with `version`, which may be a glob or have an operator), `pkgs` (names or one-item
    mappings of name to version), `sources` (one-item mappings of name to an `.rpm`) or `advisory_ids`.
    `fromrepo` installs from one repository, `downloadonly` stops before installing, `skip_verify` does not
    check signatures, `ignore_repo_failure` ignores failures of zypper, such as those of a repository,
    `resolve_capabilities` accepts capabilities as names. On failure, raises CommandExecutionError.

    Example::

        salt-g pkg.install pkgs='["foo", {"bar": "1.2.3-4"}]' refresh=True
    """
    if is_true(refresh):
        refresh_db(root=root, **kwargs)
    targets, kind = parsed(name, pkgs, sources, **kwargs)
    if not targets:
        return {}
    if version and name and pkgs is None and sources is None:
        targets = {name: _newest_matching(name, str(version), root)}
    words = list(_words(targets, kind, root))
    options = _options(is_true(refresh), skip_verify, downloadonly, fromrepo, no_recommends, kwargs)
    includes = sorted({each.partition(":")[0] for each in targets if ":" in each and kind == "repository"})

    def act() -> list[str]:
        lower: list[str] = []
        for batch in _batches(words):
            printed = zypper(*options, *batch, root=root, scope=True, is_strict=not ignore_repo_failure)
            text = printed["stdout"]
            lower += re.findall(r"(?m)^The selected package '([^']+)'.+has lower version", text)
        for batch in _batches(lower):
            zypper(*options, "--force", *batch, root=root, is_strict=not ignore_repo_failure)
        return []

    def listed() -> dict[str, Any]:
        if downloadonly:
            return list_downloaded(root)
        return list_pkgs(attr=kwargs.get("diff_attr"), root=root, includes=includes)

    return change(act, listed, "Problem encountered installing package(s)")


def upgrade(
    name: str | None = None,
    pkgs: Any = None,
    refresh: bool = True,
    dryrun: bool = False,
    dist_upgrade: bool = False,
    fromrepo: Any = None,
    novendorchange: bool = False,
    skip_verify: bool = False,
    no_recommends: bool = False,
    root: str | None = None,
    diff_attr: Any = None,
    **kwargs: Any,
) -> Any:
    """Upgrade all packages, or `name` or `pkgs`; return {name: {"old": version, "new": version}}.

    `dist_upgrade` upgrades to another release, `dryrun` returns zypper's plan as text, `fromrepo` (text or
    list) installs from these repositories. With `dist_upgrade`, `name` and `pkgs` are ignored,
    `novendorchange` keeps the vendor of each package, and `no_recommends` installs no recommended packages.
    On failure, raises CommandExecutionError with the changes made.

    Example::

        salt-g pkg.upgrade dist_upgrade=True fromrepo='["MyRepoName"]' novendorchange=True
    """
    if is_true(refresh):
        refresh_db(root=root, **kwargs)
    words = ["--no-gpg-checks"] if skip_verify else []
    words += ["dist-upgrade" if dist_upgrade else "update", "--auto-agree-with-licenses"]
    words += ["--dry-run"] if dryrun else []
    words += [word for repo in as_list(fromrepo) for word in ("--from" if dist_upgrade else "--repo", repo)]
    if dist_upgrade:
        is_able = (grains.get("osrelease_info") or (0,))[0] > _LAST_WITHOUT_VENDORS
        words += ["--no-allow-vendor-change"] if novendorchange and is_able else []
        words += ["--no-recommends"] if no_recommends else []
    elif name or pkgs:
        words += parsed(name, pkgs, **kwargs)[0] or {}
    old = list_pkgs(root=root, attr=diff_attr)
    finished = zypper(*words, root=root, scope=True, is_strict=False)
    forget_packages()
    judged = {**finished, "retcode": 0} if finished["retcode"] in GOOD else finished
    changes = upgraded(judged, old, list_pkgs(root=root, attr=diff_attr))
    return f"{finished['stdout']}\n{finished['stderr']}".strip() if dryrun else changes


def remove(
    name: str | None = None, pkgs: Any = None, root: str | None = None, **kwargs: Any
) -> dict[str, dict[str, Any]]:
    """Remove packages; return {name: {"old": version, "new": ""}}.

    A package with a version is removed only in that version.

    Example::

        salt-g pkg.remove foo,bar
    """
    wanted = parsed(name, pkgs)[0] or {}
    fixes = _temporary_fixes(wanted, root)
    includes = sorted({each.partition(":")[0] for each in wanted if ":" in each})
    old = list_pkgs(root=root, includes=includes)
    targets = [
        f"{each}-{version}" if version else each
        for each, version in wanted.items()
        if each in old and each not in fixes and (not version or version in old[each].split(","))
    ]
    if not targets and not fixes:
        return {}

    def act() -> list[str]:
        for batch in _batches(targets):
            zypper("remove", *batch, root=root, scope=True)
        for batch in _batches(fixes):
            zypper("removeptf", "--allow-downgrade", *batch, root=root, scope=True)
        return []

    return change(
        act, lambda: list_pkgs(root=root, includes=includes), "Problem encountered removing package(s)"
    )


def purge(
    name: str | None = None, pkgs: Any = None, root: str | None = None, **kwargs: Any
) -> dict[str, dict[str, Any]]:
    """Remove packages; with rpm there is no difference from `pkg.remove`.

    Example::

        salt-g pkg.purge foo
    """
    return remove(name=name, pkgs=pkgs, root=root)


def _words(targets: Any, kind: str | None, root: str | None) -> Iterator[str]:
    """Yield zypper's argument for each target."""
    if kind == "repository":
        for name, version in targets.items():
            operator, wanted = split_comparison(version) if version else ("", "")
            yield f"{name}{operator or '='}{wanted}" if version else name
    elif kind == "advisory":
        known = list_patches(root=root)
        for each in targets:
            if each not in known:
                raise CommandExecutionError(f'Advisory id "{each}" not found')
            yield f"patch:{each}"
    else:
        yield from targets


def _options(
    refresh: bool,
    skip_verify: bool,
    downloadonly: bool | None,
    fromrepo: str | None,
    no_recommends: bool,
    more: Mapping[str, Any],
) -> list[str]:
    words = ["--no-gpg-checks"] if skip_verify else []
    words += [] if refresh else ["--no-refresh"]
    words += ["install", "--auto-agree-with-licenses"]
    words.append("--capability" if more.get("resolve_capabilities") else "--name")
    words += ["--download-only"] if downloadonly else []
    words += ["--force", "--force-resolution", "--from", fromrepo] if fromrepo else []
    return [*words, "--no-recommends"] if no_recommends else words


def _newest_matching(name: str, wanted: str, root: str | None) -> str | None:
    """Return operator and version: the newest that matches the glob, or None if there is none."""
    version = re.sub(r"[<>=+]*", "", wanted)
    operator = wanted.replace(version, "")
    if operator not in _OPERATORS:
        raise CommandExecutionError(f'Zypper do not supports operator "{operator}".')
    found = solvables("se", "-xv", name, root=root, read_only=True)
    if not found:
        raise CommandExecutionError(f"No packages found matching '{name}'")
    editions = {each["edition"] for each in found if fnmatch.fnmatch(each.get("edition", ""), version)}
    return f"{operator}{max(editions, key=cmp_to_key(compare))}" if editions else None


def _temporary_fixes(wanted: Mapping[str, Any], root: str | None) -> list[str]:
    """Return the names of program temporary fixes (PTF), which need another command."""
    text = output([*rooted(root), "-q", "--queryformat", "%{NAME}: [%{PROVIDES} ]\\n", *wanted])
    pairs = (line.partition(":")[::2] for line in text.splitlines())
    return [name for name, provides in pairs if "ptf()" in provides]


def _batches(words: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(words), _BATCH):
        yield words[start : start + _BATCH]
