"""Installation of packages, from repositories or from files.

apt accepts `--reinstall` and downgrades only for a whole run, so the work is split into several runs.

Source: stock docs of `pkg.install`; apt-get(8).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from salt_g.api import call, has
from salt_g.data.version_conditions import first_match, satisfies
from salt_g.modules._booleans import is_true
from salt_g.modules._changes import compare as compare_lists
from salt_g.modules._changes import raise_problem
from salt_g.modules._packages import errors_of, forget_packages
from salt_g.modules.aptpkg._apt import apt
from salt_g.modules.aptpkg.available import latest_version, list_repo_pkgs, refresh_db
from salt_g.modules.aptpkg.hold import get_hold, hold, unhold
from salt_g.modules.aptpkg.names import version_cmp
from salt_g.modules.aptpkg.query import list_pkgs


def install(
    name: str | None = None,
    refresh: bool = False,
    fromrepo: str | None = None,
    skip_verify: bool = False,
    debconf: str | None = None,
    pkgs: Any = None,
    sources: Any = None,
    reinstall: bool = False,
    downloadonly: bool = False,
    ignore_epoch: bool = False,
    normalize: bool = True,
    **kwargs: Any,
) -> dict[str, dict[str, str]]:
    """Install packages; return {name: {"old": version, "new": version}} of the changes.

    Give one of `name` (with `version`), `pkgs` (names or one-item mappings of name to version) and
    `sources` (one-item mappings of name to a `.deb`). A version can be a glob or a condition
    (`>=1.2`). `refresh` refreshes the package lists first, `fromrepo` prefers a release, `debconf` is a file
    of debconf answers, `reinstall` installs present packages again, `downloadonly` stops before unpacking,
    `skip_verify` accepts unauthenticated packages, `ignore_epoch` compares versions without their epochs,
    `normalize=False` keeps a redundant architecture in names. More: `only_upgrade`, `install_recommends`,
    `force_conf_new` (replaces changed configuration files), `cache_valid_time` (seconds, as in
    `pkg.refresh_db`), `env` (environment variables). Raises CommandExecutionError with the changes made.

    Example::

        salt-g pkg.install pkgs='["vim-tiny", {"nano": ">=7"}]' refresh=True
    """
    if debconf:
        call("debconf.set_file", debconf)
    needs_refresh = is_true(refresh) and _is_worth_a_refresh(name, pkgs, kwargs.get("version"))
    split = normalize and kwargs.get("split_arch", True)
    targets, kind = call("pkg_resource.parse_targets", name, pkgs, sources, normalize=split, **kwargs)
    if not targets:
        return {}
    fromrepo = fromrepo or kwargs.get("repo")
    old = list_pkgs()
    choice = _Choice(old, reinstall=reinstall)
    if kind == "repository":
        _choose_from_repositories(choice, targets, ignore_epoch)
    else:
        _choose_from_files(choice, targets)
    options = _apt_options(skip_verify, fromrepo if kind == "repository" else None, downloadonly, kwargs)
    runs = choice.runs(options, from_files=kind != "repository")
    if runs and needs_refresh:
        refresh_db(kwargs.get("cache_valid_time", 0))
    errors = choice.errors + (_run_unheld(runs, choice.names(), kwargs) if runs else [])
    changes = _what_changed(old, choice.anew) if runs else {}
    raise_problem("Problem encountered installing package(s)", errors, changes)
    return changes


@dataclasses.dataclass
class _Choice:
    """Packages grouped by the kind of apt run that they need, as {name: argument for apt}."""

    old: Mapping[str, str]
    reinstall: bool
    forward: dict[str, str] = dataclasses.field(default_factory=dict)
    back: dict[str, str] = dataclasses.field(default_factory=dict)
    anew: dict[str, str] = dataclasses.field(default_factory=dict)
    errors: list[str] = dataclasses.field(default_factory=list)

    def add(self, name: str, version: str | None, word: str) -> None:
        """Add a package to the matching run; `version` None means the newest."""
        installed = self.old.get(name, "")
        if self.reinstall and installed and (version is None or version_cmp(version, installed) == 0):
            self.anew[name] = word
        elif version is None or not installed or _is_newer_or_same(version, installed):
            self.forward[name] = word
        else:
            self.back[name] = word

    def names(self) -> set[str]:
        """Return the names of all affected packages."""
        return {*self.forward, *self.back, *self.anew}

    def runs(self, options: list[str], *, from_files: bool) -> list[list[str]]:
        """Return the command words of each run."""
        runs = []
        if self.forward:
            runs.append([*options, "install", *self.forward.values()])
        if self.back:
            runs.append([*options, "--allow-downgrades", "install", *self.back.values()])
        if self.anew:
            runs.append([*options, *([] if from_files else ["--reinstall"]), "install", *self.anew.values()])
        return runs


def _is_newer_or_same(version: str, installed: str) -> bool:
    """Return whether this is not a downgrade; a glob is compared without the `*` at its end."""
    return satisfies(version.rstrip("*"), ">=", installed, version_cmp)


def _is_worth_a_refresh(name: str | None, pkgs: Any, version: str | None) -> bool:
    """Return whether the request may need newer package lists.

    If every package is pinned to the newest version in the current lists, no refresh is needed.
    """
    pins = [item if isinstance(item, Mapping) else {item: None} for item in pkgs] if pkgs else []
    if not pkgs and version:
        pins = [{str(name): version}]
    if not pins:
        return True
    return any(
        wanted is None or latest_version(each, refresh=False, show_installed=True) != wanted
        for pin in pins
        for each, wanted in pin.items()
    )


def _choose_from_repositories(choice: _Choice, targets: Mapping[str, str | None], ignore_epoch: bool) -> None:
    compared = [name for name, version in targets.items() if version and version[0] in "<>"]
    offered = list_repo_pkgs(*compared) if compared else {}
    for name, version in targets.items():
        if version is None:
            choice.add(name, None, name)
            continue
        wanted: str | None = version.lstrip("=")
        if name in compared:
            wanted = _matching(version, offered.get(name, []), ignore_epoch)
        if wanted is None:
            shown = ", ".join(offered.get(name, [])) or None
            choice.errors.append(f"No version matching '{name}{version}' could be found (available: {shown})")
        else:
            choice.add(name, wanted, f"{name}={wanted}")


def _matching(condition: str, offered: list[str], ignore_epoch: bool) -> str | None:
    def order(first: str, second: str) -> int:
        return version_cmp(first, second, ignore_epoch=ignore_epoch)

    return first_match(condition, offered, order)


def _choose_from_files(choice: _Choice, paths: list[str]) -> None:
    for path in paths:
        if has("lowpkg.bin_pkg_info"):
            package = call("lowpkg.bin_pkg_info", path)
            choice.add(package["name"], package["version"], path)
        else:
            choice.add(path, None, path)


def _apt_options(
    skip_verify: bool, fromrepo: str | None, downloadonly: bool, more: Mapping[str, Any]
) -> list[str]:
    words = ["apt-get", "-q", "-y", *conf_file_options(more)]
    if "install_recommends" in more:
        words.append("--install-recommends" if more["install_recommends"] else "--no-install-recommends")
    if more.get("only_upgrade"):
        words.append("--only-upgrade")
    if skip_verify:
        words.append("--allow-unauthenticated")
    if downloadonly:
        words.append("--download-only")
    return [*words, "-t", fromrepo] if fromrepo else words


def conf_file_options(more: Mapping[str, Any]) -> list[str]:
    """Return the options for changed configuration files, and `--force-yes` if requested."""
    choices = ["--force-confnew"] if more.get("force_conf_new") else ["--force-confold", "--force-confdef"]
    words = [word for choice in choices for word in ("-o", f"DPkg::Options::={choice}")]
    return [*words, "--force-yes"] if more.get("force_yes") else words


def _run_unheld(runs: list[list[str]], names: set[str], more: Mapping[str, Any]) -> list[str]:
    """Run apt with the packages temporarily off hold; return the errors."""
    held = [name for name in get_hold() if name in names]
    if held:
        unhold(pkgs=held)
    try:
        return [error for words in runs for error in errors_of(apt(words, env=more.get("env")))]
    finally:
        forget_packages()
        if held:
            hold(pkgs=held)


def _what_changed(old: Mapping[str, str], reinstalled: Mapping[str, str]) -> dict[str, dict[str, str]]:
    new = list_pkgs()
    changes = compare_lists(old, new)
    for name in reinstalled:
        changes.setdefault(name, {"old": old.get(name, ""), "new": new.get(name, "")})
    return changes
