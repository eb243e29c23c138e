"""Ruby gems: installation, listing, removal.

Without `gem_bin`, `gem` is run through rvm or rbenv if that manager is installed and has an execution module;
`ruby` is the version of Ruby that it uses. Otherwise `gem` from the path is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from salt_g.api import call, has
from salt_g.errors import CommandExecutionError
from salt_g.modules._network_programs import run_online
from salt_g.modules._required import require

__func_alias__ = {"list_": "list"}

_LISTED = re.compile(r"([^ ]+) \((.+)\)")
_OUTDATED = re.compile(r"(\S+) \(\S+ < (\S+)\)")
#: Number of header lines in the output of `gem sources`.
_HEADLINES = 2


def install(
    gems: Any,
    ruby: str | None = None,
    gem_bin: str | None = None,
    runas: str | None = None,
    version: Any = None,
    rdoc: bool = False,
    ri: bool = False,
    pre_releases: bool = False,
    proxy: str | None = None,
    source: str | None = None,
) -> Any:
    """Install gems (a list, or text separated by spaces); return the program's output.

    `gems` can be paths of `.gem` files. `rdoc` and `ri` generate documentation (from RubyGems 3 on, only if
    both are set), `pre_releases` allows pre-releases, `source` is the URL of a repository, `proxy` that of a
    proxy.

    Example::

        salt-g gem.install vagrant
    """
    who = {"ruby": ruby, "runas": runas, "gem_bin": gem_bin}
    words = ["install", *_names(gems), *(["--version", str(version)] if version else [])]
    words += _documentation(rdoc, ri, pre_releases, _is_of_3(str(_version(who))))
    words += ["-p", proxy] if proxy else []
    words += ["--source", source] if source else []
    return _gem(words, **who, url=source or "")


def uninstall(
    gems: Any, ruby: str | None = None, runas: str | None = None, gem_bin: str | None = None
) -> Any:
    """Remove all versions of gems, and their executables; return the program's output.

    Example::

        salt-g gem.uninstall vagrant
    """
    return _gem(["uninstall", *_names(gems), "-a", "-x"], ruby=ruby, runas=runas, gem_bin=gem_bin)


def update(gems: Any, ruby: str | None = None, runas: str | None = None, gem_bin: str | None = None) -> Any:
    """Update gems to their newest version; return the program's output.

    Example::

        salt-g gem.update vagrant
    """
    return _gem(["update", *_names(gems)], ruby=ruby, runas=runas, gem_bin=gem_bin)


def update_system(
    version: str = "", ruby: str | None = None, runas: str | None = None, gem_bin: str | None = None
) -> Any:
    """Update RubyGems itself to its newest version, or to `version`.

    Example::

        salt-g gem.update_system
    """
    return _gem(["update", "--system", version], ruby=ruby, runas=runas, gem_bin=gem_bin)


def version(ruby: str | None = None, runas: str | None = None, gem_bin: str | None = None) -> Any:
    """Return the version of RubyGems, or {} if unknown.

    Example::

        salt-g gem.version
    """
    return _version({"ruby": ruby, "runas": runas, "gem_bin": gem_bin})


def list_(
    prefix: str = "", ruby: str | None = None, runas: str | None = None, gem_bin: str | None = None
) -> dict[str, list[str]]:
    """Return {gem: [version, ...]} of the installed gems, or of those that match `prefix`.

    `prefix` is a case-insensitive regular expression, matched anywhere in a name unless anchored (`^rail`).

    Example::

        salt-g gem.list
    """
    text = str(_gem(["list", *([prefix] if prefix else [])], ruby=ruby, runas=runas, gem_bin=gem_bin))
    found = (_LISTED.match(line) for line in text.splitlines())
    return {match.group(1): match.group(2).split(", ") for match in found if match}


def list_upgrades(
    ruby: str | None = None, runas: str | None = None, gem_bin: str | None = None
) -> dict[str, str]:
    """Return {gem: newest version} of outdated gems.

    Example::

        salt-g gem.list_upgrades
    """
    return dict(_OUTDATED.findall(str(_gem(["outdated"], ruby=ruby, runas=runas, gem_bin=gem_bin))))


def sources_add(
    source_uri: str, ruby: str | None = None, runas: str | None = None, gem_bin: str | None = None
) -> Any:
    """Add a repository of gems; return the program's output.

    Example::

        salt-g gem.sources_add http://rubygems.org/
    """
    return _gem(["sources", "--add", source_uri], ruby=ruby, runas=runas, gem_bin=gem_bin)


def sources_remove(
    source_uri: str, ruby: str | None = None, runas: str | None = None, gem_bin: str | None = None
) -> Any:
    """Remove a repository of gems; return the program's output.

    Example::

        salt-g gem.sources_remove http://rubygems.org/
    """
    return _gem(["sources", "--remove", source_uri], ruby=ruby, runas=runas, gem_bin=gem_bin)


def sources_list(ruby: str | None = None, runas: str | None = None, gem_bin: str | None = None) -> list[str]:
    """Return the repositories of gems.

    Example::

        salt-g gem.sources_list
    """
    text = _gem(["sources"], ruby=ruby, runas=runas, gem_bin=gem_bin)
    return str(text).splitlines()[_HEADLINES:] if text else []


def _gem(words: list[str], *, ruby: str | None, runas: str | None, gem_bin: str | None, url: str = "") -> Any:
    """Run the program through the Ruby version manager, if any; raise CommandExecutionError on failure."""
    if gem_bin is None:
        chosen = _chooser(runas)
        if chosen == "rvm":
            return call("rvm.do", ruby, ["gem", *words], runas=runas)
        if chosen == "rbenv" and ruby is None:
            return call("rbenv.do", ["gem", *words], runas=runas)
        if chosen == "rbenv":
            return call("rbenv.do_with_ruby", ruby, ["gem", *words], runas=runas)
        require("gem")
    finished = run_online([gem_bin or "gem", *words], url=url, runas=runas)
    if finished["retcode"] != 0:
        raise CommandExecutionError(finished["stderr"])
    return finished["stdout"]


def _chooser(runas: str | None) -> str:
    names = (name for name in ("rvm", "rbenv") if has(f"{name}.is_installed"))
    return next((name for name in names if call(f"{name}.is_installed", runas=runas)), "")


def _version(who: dict[str, Any]) -> Any:
    text = str(_gem(["--version"], **who))
    return next((line for line in text.splitlines() if re.match(r"[.0-9]+", line)), {})


def _is_of_3(number: str) -> bool:
    """Return whether the program supports the options of RubyGems 3 and later."""
    major = number.partition(".")[0]
    return major.isdigit() and int(major) >= 3


def _documentation(rdoc: bool, ri: bool, pre_releases: bool, is_of_3: bool) -> list[str]:
    if is_of_3:
        words = [] if rdoc and ri else ["--no-document"]
        return [*words, "--prerelease"] if pre_releases else words
    words = [*([] if rdoc else ["--no-rdoc"]), *([] if ri else ["--no-ri"])]
    return [*words, "--pre"] if pre_releases else words


def _names(gems: str | Iterable[str]) -> list[str]:
    return gems.split() if isinstance(gems, str) else [str(gem) for gem in gems]
