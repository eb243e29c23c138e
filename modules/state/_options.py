"""Keywords of state runs: the known ones, and those that mean a dry run.

A misspelt `test` would apply states for real, so unknown keywords are refused before a run begins.
Errors: UnknownKeywords with the nearest known names.
Source: stock reads `test` in any letter case, as a keyword and from grains and pillar (observed).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g import api
from salt_g.errors import UnknownKeywords
from salt_g.modules._booleans import is_true

#: Options of a run; in `state.single` all other keywords belong to the chunk.
RUN_OPTIONS = frozenset(
    ("pillar", "pillar_enc", "pillarenv", "queue", "concurrent", "force")
    + ("terse", "localconfig", "mock", "cache", "cache_name", "explain")
)
#: All keywords that some state function of stock takes; each ignores those that do not concern it. `timeout`
#: belongs to the command line, but stock's own tests pass it to state functions; it has no effect.
KNOWN = RUN_OPTIONS | frozenset(
    ("test", "saltenv", "env", "exclude", "whitelist", "sync_mods", "state_events", "orchestration_jid")
    + ("timeout",)
)
#: Similarity (0 to 1) from which a keyword of `state.single` counts as a misspelt option of the run.
_MIN_SIMILARITY = 0.75
#: Boolean arguments of states that resemble `test`, by state module: stock's older ones, without an effect.
_NOT_MISSPELT = {"x509": ("text",)}


def refuse_unknown(options: Mapping[str, Any]) -> None:
    """Raise UnknownKeywords for keywords that no state run accepts."""
    known = known_options(options)
    own = api.own_arguments(options)
    _refuse({name: value for name, value in own.items() if name not in known}, 0.6)


def known_options(keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords that are options of a run."""
    return {name: value for name, value in keywords.items() if name in KNOWN or _means_test(name)}


def refuse_misspelt(module: str, keywords: Mapping[str, Any]) -> None:
    """Raise UnknownKeywords for keywords of a single state that look like a misspelt `test`.

    `module` is the module of the state. Arguments of similar names (`text`, `dest`) are rarely booleans.
    """
    import difflib

    near = {
        name: value
        for name, value in keywords.items()
        if isinstance(value, bool)
        and name not in _NOT_MISSPELT.get(module, ())
        and difflib.get_close_matches(name.lower(), ("test",), cutoff=_MIN_SIMILARITY)
    }
    _refuse(near, _MIN_SIMILARITY)


def without_test(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords without `test` in any letter case."""
    return {name: value for name, value in options.items() if not _means_test(name)}


def ordered_test(test: Any, options: Mapping[str, Any]) -> bool | None:
    """Return the test mode requested by the caller, or None if the caller left it open.

    `test=False` requests a real run; in another letter case (`Test`), the keyword can only request a dry run,
    as in stock.
    """
    ordered = options.get("test") if test is None else test
    if ordered is not None:
        return ordered is not False
    return True if any(_means_test(name) and is_true(value) for name, value in options.items()) else None


def default_test() -> bool:
    """Return the test mode of runs that request none: from the settings, grains, pillar."""
    if api.opts.get("test"):
        return True
    master = api.pillar.get("master")
    grains = api.grains if api.has_grain("test") else {}
    sources = (grains, api.pillar, master if isinstance(master, Mapping) else {})
    return next((source["test"] is True for source in sources if "test" in source), False)


def _means_test(name: str) -> bool:
    return name.lower() == "test"


def _refuse(unknown: Mapping[str, Any], cutoff: float) -> None:
    if not unknown:
        return
    import difflib

    known = sorted(KNOWN)
    near = (difflib.get_close_matches(name.lower(), known, n=1, cutoff=cutoff) for name in unknown)
    raise UnknownKeywords(unknown, nearest=[name for names in near for name in names])
