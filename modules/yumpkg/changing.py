"""Upgrades and removal of packages."""

from __future__ import annotations

from typing import Any

from salt_g.modules._booleans import as_list, is_true
from salt_g.modules._packages import change, errors_of, forget_packages, matching, parsed, upgraded
from salt_g.modules.yumpkg._yum import further_options, is_dnf, options_of, yum
from salt_g.modules.yumpkg.available import refresh_db
from salt_g.modules.yumpkg.install import without_architecture
from salt_g.modules.yumpkg.query import list_pkgs


def upgrade(
    name: str | None = None,
    pkgs: Any = None,
    refresh: bool = True,
    skip_verify: bool = False,
    normalize: bool = True,
    minimal: bool = False,
    obsoletes: bool = True,
    diff_attr: Any = None,
    **kwargs: Any,
) -> dict[str, dict[str, Any]]:
    """Upgrade all packages, or `name` or `pkgs`; return {name: {"old": version, "new": version}}.

    `minimal` installs only versions that fix a problem, `obsoletes` False keeps packages that another one
    replaces, `skip_verify` does not check signatures. `fromrepo`, `enablerepo`, `disablerepo` and `setopt`
    are as in `pkg.refresh_db`; every further keyword is an option of the program (`security=True`). On
    failure, raises CommandExecutionError with the changes made.

    Example::

        salt-g pkg.upgrade security=True
    """
    if is_dnf() and not obsoletes:
        kept = [each for each in as_list(kwargs.get("setopt")) if not each.startswith("obsoletes=")]
        kwargs["setopt"] = [*kept, "obsoletes=False"]
    if is_true(refresh):
        refresh_db(**kwargs)
    old = list_pkgs(attr=diff_attr)
    targets = parsed(name, pkgs, normalize=normalize, **kwargs)[0] if name or pkgs else {}
    command = "upgrade" if obsoletes or is_dnf() else "update"
    words = ["--quiet", "-y", *options_of(kwargs), *further_options(kwargs)]
    words += ["--nogpgcheck"] if skip_verify else []
    finished = yum([*words, f"{command}-minimal" if minimal else command, *(targets or {})])
    forget_packages()
    return upgraded(finished, old, list_pkgs(attr=diff_attr))


def update(
    name: str | None = None,
    pkgs: Any = None,
    refresh: bool = True,
    skip_verify: bool = False,
    normalize: bool = True,
    minimal: bool = False,
    obsoletes: bool = False,
    **kwargs: Any,
) -> dict[str, dict[str, Any]]:
    """Upgrade as `pkg.upgrade` does, but keep packages that another one replaces.

    Example::

        salt-g pkg.update
    """
    return upgrade(name, pkgs, refresh, skip_verify, normalize, minimal, obsoletes, **kwargs)


def remove(name: str | None = None, pkgs: Any = None, **kwargs: Any) -> dict[str, dict[str, Any]]:
    """Remove packages; return {name: {"old": version, "new": ""}}.

    Names may be globs; a package with a version is removed only in that version. On failure, raises
    CommandExecutionError with the changes made.

    Example::

        salt-g pkg.remove pkgs='["foo", {"bar": "1.2.3-4.el7"}]'
    """
    wanted = parsed(name, pkgs)[0] or {}
    old = list_pkgs()
    targets = []
    for each in matching(wanted, old):
        version = wanted.get(each)
        if not version:
            targets.append(each)
        elif version in old[each].split(","):
            base, arch = without_architecture(each, kwargs)
            targets.append(f"{base}-{version.split(':', 1)[-1]}{arch}")
    if not targets:
        return {}
    return change(
        lambda: errors_of(yum(["-y", "remove", *targets])), list_pkgs, "Error occurred removing package(s)"
    )


def purge(name: str | None = None, pkgs: Any = None, **kwargs: Any) -> dict[str, dict[str, Any]]:
    """Remove packages; with rpm there is no difference from `pkg.remove`.

    Example::

        salt-g pkg.purge foo
    """
    return remove(name=name, pkgs=pkgs)
