"""Installation of packages, from repositories, files or advisories.

Source: stock docs of `pkg.install`; dnf(8).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from salt_g.api import call, grains
from salt_g.data.version_conditions import first_match
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._booleans import is_true
from salt_g.modules._changes import compare as compare_lists
from salt_g.modules._packages import forget_packages, glob_match, parsed
from salt_g.modules._rpm_packages import split_architecture
from salt_g.modules._rpm_versions import compare
from salt_g.modules.yumpkg._yum import options_of, program, yum
from salt_g.modules.yumpkg.available import list_repo_pkgs, refresh_db
from salt_g.modules.yumpkg.files import list_downloaded
from salt_g.modules.yumpkg.hold import hold, list_holds, unhold
from salt_g.modules.yumpkg.patches import list_patches
from salt_g.modules.yumpkg.query import list_pkgs

#: Packages of which several versions stand side by side, so that none is a downgrade.
_SIDE_BY_SIDE = re.compile(r"kernel(-devel)?")


def install(
    name: str | None = None,
    refresh: bool = False,
    skip_verify: bool = False,
    pkgs: Any = None,
    sources: Any = None,
    downloadonly: bool = False,
    reinstall: bool = False,
    normalize: bool = True,
    update_holds: bool = False,
    saltenv: str = "base",
    ignore_epoch: bool = False,
    **kwargs: Any,
) -> dict[str, Any]:
    """Install packages; return {name: {"old": version, "new": version}} of the changes.

    Give one of `name` (with `version`), `pkgs` (names or one-item mappings of name to version), `sources`
    (one-item mappings of name to an `.rpm`) or `advisory_ids`. A version may be a glob or a condition
    (`>=1.2`). `refresh` refreshes the package lists first, `reinstall` reinstalls installed packages,
    `update_holds` releases holds temporarily, `downloadonly` stops before installing, `skip_verify` does not
    check signatures, `ignore_epoch` compares versions without their epochs. `diff_attr` is the `attr` of
    `pkg.list_pkgs` for the changes; `fromrepo`, `enablerepo`, `disablerepo`, `disableexcludes`, `branch` and
    `setopt` are as in `pkg.refresh_db`. On failure, raises CommandExecutionError with the changes made.

    Example::

        salt-g pkg.install pkgs='["foo", {"bar": "1.2.3-4.el7"}]' enablerepo=epel
    """
    if is_true(refresh):
        refresh_db(**kwargs)
    split = normalize and kwargs.get("split_arch", True)
    targets, kind = parsed(name, pkgs, sources, saltenv=saltenv, normalize=split, **kwargs)
    if not targets:
        return {}

    def listed() -> dict[str, Any]:
        return list_downloaded() if downloadonly else list_pkgs(attr=kwargs.get("diff_attr"))

    old = listed()
    versions = list_downloaded() if downloadonly else list_pkgs(versions_as_list=True)
    choice = _Choice(versions, is_true(reinstall), ignore_epoch)
    choice.fill(targets, kind, kwargs)
    options = [*options_of(kwargs), *(["--nogpgcheck"] if skip_verify else [])]
    if downloadonly and program() != "dnf5":
        options.append("--downloadonly")
    _run_all(choice, options, kind == "advisory", update_holds)
    forget_packages()
    new = listed()
    changes = compare_lists(old, new)
    changes.update({each: {"old": old.get(each, ""), "new": new.get(each, "")} for each in choice.anew})
    if choice.errors:
        again = "/reinstalling" if choice.anew else ""
        raise CommandExecutionError(
            f"Error occurred installing{again} package(s)", info={"errors": choice.errors, "changes": changes}
        )
    return changes


@dataclasses.dataclass
class _Choice:
    """Packages to install or upgrade, downgrade, and reinstall: {name: argument for the program}."""

    old: Mapping[str, Any]
    reinstall: bool
    ignore_epoch: bool
    forward: dict[str, str] = dataclasses.field(default_factory=dict)
    back: dict[str, str] = dataclasses.field(default_factory=dict)
    anew: dict[str, str] = dataclasses.field(default_factory=dict)
    errors: list[str] = dataclasses.field(default_factory=list)

    def fill(self, targets: Any, kind: str | None, arguments: Mapping[str, Any]) -> None:
        """Sort the targets into packages to install or upgrade, to downgrade, and to reinstall."""
        if kind == "repository":
            self._from_repositories(targets, arguments)
        elif kind == "advisory":
            self._from_advisories(targets)
        else:
            self._from_files(targets)

    def _from_advisories(self, targets: list[str]) -> None:
        known = list_patches()
        for each in targets:
            if each not in known:
                raise CommandExecutionError(f'Advisory id "{each}" not found')
            self.forward[each] = f"--advisory={each}"

    def _from_files(self, paths: list[str]) -> None:
        for path in paths:
            package = call("lowpkg.bin_pkg_info", path)
            if package is None:
                self.forward[path] = path
            else:
                self._add(package["name"], package["version"], path)

    def _from_repositories(self, targets: Mapping[str, str | None], arguments: Mapping[str, Any]) -> None:
        vague = [name for name, wanted in targets.items() if wanted and ("*" in wanted or wanted[0] in "<>")]
        options = {key: value for key, value in arguments.items() if key != "byrepo"}
        offered = list_repo_pkgs(*vague, **options) if vague else {}
        for name, version in targets.items():
            if version is None:
                self._add(name, None, name)
                continue
            try:
                chosen = self._version(name, version, offered.get(name, []))
            except LookupError as exc:
                self.errors.append(str(exc))
                continue
            base, arch = without_architecture(name, arguments)
            shown = chosen if self.ignore_epoch else chosen.partition(":")[2] or chosen
            self._add(base, chosen, f"{base}-{shown}{arch}")

    def _version(self, name: str, wanted: str, offered: list[str]) -> str:
        """Return the wanted version; raise LookupError if a glob or a condition matches no offered one."""
        if wanted[0] in "<>":
            found = first_match(wanted, offered, lambda one, two: compare(one, two, self.ignore_epoch))
            if found is None:
                shown = ", ".join(offered) or None
                raise LookupError(f"No version matching '{name}{wanted}' could be found (available: {shown})")
            return found
        wanted = wanted.lstrip("=")
        return glob_match(name, wanted, offered) if "*" in wanted else wanted

    def _add(self, name: str, version: str | None, word: str) -> None:
        there = self.old.get(name, [])
        if version is None:
            (self.anew if self.reinstall and there else self.forward)[name] = word
            return
        orders = [compare(version, each, self.ignore_epoch) for each in there]
        if self.reinstall and orders:
            if 0 in orders:
                self.anew[name] = word
        elif not orders or max(orders) >= 0 or _SIDE_BY_SIDE.fullmatch(name):
            self.forward[name] = word
        else:
            self.back[name] = word


def without_architecture(name: str, arguments: Mapping[str, Any]) -> tuple[str, str]:
    """Return (name, `.architecture`); the second is '' if the program does not need it."""
    base, arch = split_architecture(name)
    has_arch = arch and arch != "noarch" and (arch != grains["osarch"] or arguments.get("split_arch", True))
    return (base, f".{arch}") if has_arch else (name, "")


def _run_all(choice: _Choice, options: list[str], is_advisory: bool, update_holds: bool) -> None:
    """Run the commands, without held packages unless `update_holds`; add errors to the choice."""
    best = ["--best", "--allowerasing"]
    before = ["-y", *(best if program() == "dnf" else []), *options]
    after = best if program() == "dnf5" else []
    installing = [*before, "update" if is_advisory else "install", *after]
    prevented: list[str] = []
    for words, chosen in (
        (installing, choice.forward),
        (["-y", *options, "downgrade"], choice.back),
        (["-y", *options, "reinstall"], choice.anew),
    ):
        if chosen:
            prevented += _run_unheld(words, chosen, update_holds, choice.errors)
    if prevented:
        choice.errors.append(
            "The following package(s) could not be updated because they are being held: "
            f"{', '.join(prevented)}. Set 'update_holds' to True to temporarily unhold these packages so "
            "that they can be updated."
        )


def _run_unheld(
    words: list[str], chosen: Mapping[str, str], update_holds: bool, errors: list[str]
) -> list[str]:
    """Run one command; return the names that it skipped because they are on hold."""
    held = [name for name in chosen if name in _holds()]
    if not held:
        _run(words, list(chosen.values()), errors)
        return []
    free = [word for name, word in chosen.items() if name not in held]
    if not update_holds:
        _run(words, free, errors)
        return held
    outcomes = unhold(pkgs=held)
    errors += [name for name in held if not outcomes[name]["result"]]
    try:
        _run(words, [*free, *(chosen[name] for name in held if outcomes[name]["result"])], errors)
    finally:
        hold(pkgs=held)
    return []


def _run(words: list[str], targets: list[str], errors: list[str]) -> None:
    if targets:
        finished = yum([*words, *targets], redirect_stderr=True)
        if finished["retcode"] != 0:
            errors.append(finished["stdout"])


def _holds() -> list[str]:
    """Return the held packages; none if the plugin is not installed."""
    try:
        return list_holds(full=False)
    except InvocationError:
        return []
