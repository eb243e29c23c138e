"""Functions of `pkg` that dnf's and zypper's providers share, answered by rpm."""

from __future__ import annotations

from typing import Any

from salt_g.api import call
from salt_g.modules import _rpm_versions
from salt_g.modules._rpm_packages import shown_name, split_architecture


def normalize_name(name: str) -> str:
    """Return a package name without a redundant architecture.

    Example::

        salt-g pkg.normalize_name zsh.x86_64
    """
    base, arch = split_architecture(name)
    return base if arch and shown_name(base, arch) == base else name


def parse_arch(name: str) -> dict[str, str | None]:
    """Return {"name", "arch"} of a package name; `arch` is None if the name has none.

    Example::

        salt-g pkg.parse_arch zsh.x86_64
    """
    base, arch = split_architecture(name)
    return {"name": base, "arch": arch}


def version_cmp(pkg1: Any, pkg2: Any, ignore_epoch: bool = False, **kwargs: Any) -> int:
    """Return -1, 0 or 1 as the first version is older than, the same as, or newer than the second.

    Example::

        salt-g pkg.version_cmp 0.2-001 0.2.0.1-002
    """
    return _rpm_versions.compare(str(pkg1), str(pkg2), ignore_epoch)


def version(*names: str, **kwargs: Any) -> Any:
    """Return the installed version of a package, or '' if it is not installed; a mapping for several.

    Example::

        salt-g pkg.version bash
    """
    return call("pkg_resource.version", *names, **kwargs)


def info_installed(*names: str, **kwargs: Any) -> dict[str, Any]:
    """Return {name: {field: value}} of installed packages; `attr` and `all_versions` are as in `lowpkg.info`.

    Example::

        salt-g pkg.info_installed bash attr=version,vendor
    """
    found = call("lowpkg.info", *names, **kwargs)
    return {
        name: [_renamed(each) for each in about] if isinstance(about, list) else _renamed(about)
        for name, about in found.items()
    }


def verify(*names: str, **kwargs: Any) -> dict[str, dict[str, Any]]:
    """Return the installed files that differ from their packages, as `lowpkg.verify` does.

    Example::

        salt-g pkg.verify httpd ignore_types=config,doc
    """
    found: dict[str, dict[str, Any]] = call("lowpkg.verify", *names, **kwargs)
    return found


def modified(*packages: str, **flags: Any) -> Any:
    """Return altered files of packages, as `lowpkg.modified` does.

    Example::

        salt-g pkg.modified httpd mode=True
    """
    return call("lowpkg.modified", *packages, **flags)


def file_list(*packages: str, **kwargs: Any) -> dict[str, list[str]]:
    """Return {"errors", "files"} of packages, of all if none is named.

    Example::

        salt-g pkg.file_list httpd
    """
    found: dict[str, list[str]] = call("lowpkg.file_list", *packages, **kwargs)
    return found


def file_dict(*packages: str, **kwargs: Any) -> dict[str, Any]:
    """Return {"errors", "packages": {name: [file, ...]}} of packages, of all if none is named.

    Example::

        salt-g pkg.file_dict httpd
    """
    found: dict[str, Any] = call("lowpkg.file_dict", *packages, **kwargs)
    return found


def owner(*paths: str, **kwargs: Any) -> Any:
    """Return the package that owns a file, or '' if none does; a mapping for several.

    Example::

        salt-g pkg.owner /usr/bin/apachectl
    """
    return call("lowpkg.owner", *paths, **kwargs)


def _renamed(about: dict[str, Any]) -> dict[str, Any]:
    return {"source" if key == "source_rpm" else key: value for key, value in about.items()}
