"""Ruby gems and gem sources."""

from __future__ import annotations

import itertools
import re
from typing import Any

from salt_g.api import call, functions, opts
from salt_g.data.version_conditions import satisfies
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change


def __virtual__() -> bool | tuple[bool, str]:
    return True if "gem.list" in functions else (False, "gem module could not be loaded")


def installed(
    name: str,
    ruby: str | None = None,
    gem_bin: str | None = None,
    user: str | None = None,
    version: Any = None,
    rdoc: bool = False,
    ri: bool = False,
    pre_releases: bool = False,
    proxy: str | None = None,
    source: str | None = None,
) -> StateReturn:
    """Ensure that a gem is installed, optionally in a version (`1.2` or `>=1.2`).

    `user` is the user to run gem as, `gem_bin` the path of gem, `ruby` selects a Ruby of rvm or rbenv; the
    other arguments are those of `gem.install`.

    Example::

        salt-g state.single gem.installed vagrant version='>=2.0'
    """
    who = {"gem_bin": gem_bin, "runas": user}
    try:
        there = call("gem.list", name, ruby, **who).get(name, [])
    except CommandExecutionError as exc:
        return failed(name, f"Could not install gem. {exc}")
    if (there and version is None) or str(version) in map(_plain, there):
        return as_wanted(name, "Gem is already installed.")
    if there and _meets(there, str(version)):
        return as_wanted(name, "Installed Gem meets version requirements.")
    if opts["test"]:
        return would_change(name, f"The gem {name} would have been installed")
    options = {"rdoc": rdoc, "ri": ri, "pre_releases": pre_releases, "proxy": proxy, "source": source}
    return _run(
        name,
        ("gem.install", (name,), {"ruby": ruby, "version": version, **who, **options}),
        ("Installed", "Gem was successfully installed", "Could not install gem."),
    )


def removed(
    name: str, ruby: str | None = None, user: str | None = None, gem_bin: str | None = None
) -> StateReturn:
    """Ensure that a gem is not installed, in any version.

    Example::

        salt-g state.single gem.removed vagrant
    """
    if name not in call("gem.list", name, ruby, gem_bin=gem_bin, runas=user):
        return as_wanted(name, "Gem is not installed.")
    if opts["test"]:
        return would_change(name, f"The gem {name} would have been removed")
    return _run(
        name,
        ("gem.uninstall", (name, ruby), {"gem_bin": gem_bin, "runas": user}),
        ("Removed", "Gem was successfully removed.", "Could not remove gem."),
    )


def sources_add(name: str, ruby: str | None = None, user: str | None = None) -> StateReturn:
    """Ensure that a gem source is registered.

    Example::

        salt-g state.single gem.sources_add http://rubygems.org/
    """
    if name in call("gem.sources_list", ruby, runas=user):
        return as_wanted(name, "Gem source is already added.")
    if opts["test"]:
        return would_change(name, f"The gem source {name} would have been added.")
    return _run(
        name,
        ("gem.sources_add", (), {"source_uri": name, "ruby": ruby, "runas": user}),
        ("Installed", "Gem source was successfully added.", "Could not add gem source."),
    )


def sources_remove(name: str, ruby: str | None = None, user: str | None = None) -> StateReturn:
    """Ensure that a gem source is not registered.

    Example::

        salt-g state.single gem.sources_remove http://rubygems.org/
    """
    if name not in call("gem.sources_list", ruby, runas=user):
        return as_wanted(name, "Gem source is already removed.")
    if opts["test"]:
        return would_change(name, "The gem source would have been removed.")
    return _run(
        name,
        ("gem.sources_remove", (), {"source_uri": name, "ruby": ruby, "runas": user}),
        ("Removed", "Gem source was successfully removed.", "Could not remove gem source."),
    )


def _run(
    name: str, act: tuple[str, tuple[Any, ...], dict[str, Any]], texts: tuple[str, str, str]
) -> StateReturn:
    """Call a function; `texts` are the value in `changes` and the comments on success and on failure."""
    function, positional, keywords = act
    word, good, bad = texts
    try:
        is_done = call(function, *positional, **keywords)
    except CommandExecutionError as exc:
        return failed(name, f"{bad} {exc}")
    return changed(name, good, {name: word}) if is_done else failed(name, bad)


def _plain(version: str) -> str:
    """Return a version without the word that marks gems shipped with Ruby."""
    return version.replace("default: ", "").strip()


def _meets(there: list[str], wanted: str) -> bool:
    condition = re.fullmatch(r"(>=|>|<=|<)\s*(\S+)", wanted.strip())
    if not condition:
        return False
    return satisfies(_plain(there[0]), condition.group(1), condition.group(2), _order)


def _order(first: str, second: str) -> int:
    """Compare gem versions: missing parts are 0, and a word sorts before a number (`1.0.rc1`)."""
    pieces = (re.findall(r"\d+|[A-Za-z]+", version) for version in (first, second))
    for ours, theirs in itertools.zip_longest(*pieces, fillvalue="0"):
        if _key(ours) != _key(theirs):
            return 1 if _key(ours) > _key(theirs) else -1
    return 0


def _key(piece: str) -> tuple[int, str]:
    return (int(piece), "") if piece.isdigit() else (-1, piece)
