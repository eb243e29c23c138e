"""Suggestions for an unknown function or subcommand: similar names, and replacements of stock's programs.

Minions and runners keep stock's texts and data; suggestions are printed in addition, for users.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from salt_g.shapes import Opts


#: Maximum number of names in a suggestion.
MOST = 3
#: Words that newcomers try instead of a subcommand.
_WORDS = {"help": "--help", "version": "--version", "invite": "key invite", "keys": "key", "salt": "cmd"}
#: Programs of stock that salt-g does not have: {name: replacement}
ABSENT = {
    "salt-cloud": "machines are created by other tools; salt-g key invite admits them",
    "salt-proxy": "devices are resources of a minion, of the type network_device or one of your own",
    "salt-syndic": "minions may have several masters, which may share a database (cluster: true)",
    "spm": "file trees are copied into file_roots, or served by the file server backend git",
}
_PAGE = "docs/migration.md"


def subcommands(word: str, names: Iterable[str]) -> list[str]:
    """Return the commands that a mistyped `word` probably means; `names` are the subcommands."""
    import difflib

    if word in _WORDS:
        return [f"salt-g {_WORDS[word]}"]
    # One letter changes a short word's ratio a lot: `ky` scores as close to `key` as `kye` does.
    near = difflib.get_close_matches(word, list(names), n=1, cutoff=0.6)
    return [f"salt-g {name}" for name in near if "." not in word]


def for_lone_word(word: str, names: Iterable[str]) -> str:
    """Return the suggestion for a word that is not a function; `names` are the subcommands."""
    if similar := subcommands(word, names):
        return f"perhaps you meant: {', '.join(similar)}"
    return f"a minion needs a function: salt-g {word} test.ping"


def for_absent_program(word: str) -> str:
    """Return why salt-g lacks the stock program `word` (with or without `salt-`); '' if `word` names none."""
    name = word if word in ABSENT else f"salt-{word}"
    return f"salt-g has no {name}: {ABSENT[name]} ({_PAGE})" if name in ABSENT else ""


def unaccepted(tgt: Any, tgt_type: str, pki_dir: str) -> str:
    """Return why a target matches no minions: pending keys, no accepted key, or similar ids; '' if unknown.

    Keys that cannot be read also give ''.
    """
    from salt_g.keys.admission import ACCEPTED, PENDING
    from salt_g.keys.listing import choose, in_order

    try:
        pending = {PENDING: os.listdir(os.path.join(pki_dir, PENDING))}
        accepted = os.listdir(os.path.join(pki_dir, ACCEPTED))
    except OSError:
        return ""
    globs = tgt if isinstance(tgt, list) else str(tgt)
    waiting = in_order(choose(pending, globs).get(PENDING, ())) if tgt_type in ("glob", "list") else []
    if waiting:
        more = f" and {len(waiting) - MOST} more" if len(waiting) > MOST else ""
        return (
            f"not accepted yet: {', '.join(waiting[:MOST])}{more}; salt-g key -a {waiting[0]}, or -A for all"
        )
    if not accepted:
        return "no key is accepted; `salt-g key -L` lists them, `salt-g key -a ID` accepts one"
    return _nearest_ids(tgt, accepted) if tgt_type in ("glob", "list") else ""


def _nearest_ids(tgt: Any, accepted: Sequence[str]) -> str:
    """Return a text with the accepted ids nearest to each unknown name in a target, '' if there are none."""
    import difflib

    names = [name for name in (tgt if isinstance(tgt, list) else [tgt]) if name not in accepted]
    near = {
        str(name): difflib.get_close_matches(str(name), accepted, n=MOST, cutoff=0.5) for name in names[:MOST]
    }
    return "; ".join(f"no minion {name!r}; nearest: {', '.join(ids)}" for name, ids in near.items() if ids)


def runners(fun: str, why: object, opts: Opts) -> list[str]:
    """Return a suggestion if `why` reports the runner as missing and similar names exist."""
    if why != f"{fun!r} is not available.":
        return []
    from salt_g.loader import Loader

    near = Loader(dict(opts)).table("runners").nearest(fun)[:MOST]
    return [f"Did you mean {_or(near)}?"] if near else []


def hints(fun: str | Sequence[str], values: Iterable[Any], opts: Opts) -> list[str]:
    """Return a suggestion for each function that a value reports as missing, if similar names exist."""
    missing = _missing([fun] if isinstance(fun, str) else list(fun), values)
    if not missing:
        return []
    from salt_g.loader import Loader

    table = Loader(dict(opts)).table("modules")
    nearest = {name: [near for near in table.nearest(name)[:MOST] if near != name] for name in missing}
    return [f"{name!r} is not available. Did you mean {_or(near)}?" for name, near in nearest.items() if near]


def _missing(funs: Sequence[str], values: Iterable[Any]) -> list[str]:
    """Return the functions of `funs` that a value, or a text in a map of values, reports as missing."""
    said: set[str] = set()
    for value in values:
        for text in value.values() if isinstance(value, dict) else [value]:
            if isinstance(text, str):
                said.add(text[: text.find(" is not available") + 1].strip())
    return [fun for fun in funs if f"'{fun}'" in said]


def _or(names: Sequence[str]) -> str:
    return " or ".join(names)
