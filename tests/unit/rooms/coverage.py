"""Write `docs/coverage.md`: how much of what public formulas use is served.

python tests/unit/rooms/coverage.py > docs/coverage.md

`usage.tsv` beside this file counts what 113 public repositories of states use: kind, name, uses,
repositories, and the newest stock series (3008, 3007, 3006) that has it; `custom` is what the
repositories bring themselves, `other system` what stock has for other kernels than Linux.
"""

from __future__ import annotations

import csv
import pathlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from salt_g.formats import serializers
from salt_g.loader import import_shim
from salt_g.loader.catalogue import builtin_plugins
from salt_g.loader.dunders import stock_dunders
from salt_g.loader.signature import signature_of
from salt_g.render import renderers
from salt_g.render.jinja.environment import Environment
from salt_g.state.compile.vocabulary import ENGINE_KEYS, REQUISITES

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
STOCK = ("3008", "3007", "3006")
#: The tags of Jinja itself, which no table of Jinja's lists.
JINJA_TAGS = frozenset(
    (
        "if",
        "elif",
        "else",
        "for",
        "set",
        "from",
        "import",
        "include",
        "macro",
        "filter",
        "raw",
        "{# comment #}",
    )
)
#: What every declaration may carry beside requisites and the engine's own keys.
DECLARATION = frozenset({"name", "names", "__env__"})
HEAD = """# What public formulas use, and what of it is served

Written by `tests/unit/rooms/coverage.py` from the counts beside it (113 public repositories of
formulas and states, names and counts only) and from what salt-g offers; do not edit.
A use counts when stock Salt 3006, 3007 or 3008 serves it on Linux; what repositories bring
themselves and what is for other systems does not. Argument counts are of the 25 state functions
that most repositories use.
"""


class Use(NamedTuple):
    """One name that repositories use: `uses` places, in `repositories` of them (0: not counted)."""

    kind: str
    name: str
    uses: int
    repositories: int
    stock: str


def read_uses() -> list[Use]:
    """Return all rows of the counts."""
    with open(HERE / "usage.tsv", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    return [
        Use(kind, name, int(uses), int(repositories or 0), stock)
        for kind, name, uses, repositories, stock in rows
    ]


def functions(kind: str) -> dict[str, Callable[..., Any]]:
    """Return every public function of a kind by name, also those that this machine cannot run."""
    return {
        f"{served}.{name}": function
        for plugin in builtin_plugins(kind)
        for served in plugin.names
        for name, function in plugin.functions.items()
    }


def judges() -> Mapping[str, Callable[[str], bool]]:
    """Return for each kind what says whether a name is served."""
    modules, states, jinja = functions("modules"), functions("states"), Environment(())
    return {
        "state function": states.__contains__,
        "execution function": modules.__contains__,
        "function from Python": modules.__contains__,
        "argument": lambda name: _takes(states, name),
        "filter": jinja.filters.__contains__,
        "test": jinja.tests.__contains__,
        "tag": lambda name: _parses(jinja, name),
        "global": lambda name: name.startswith("loop.") or name.removesuffix("()") in jinja.globals,
        "method": lambda name: _is_method(name[1:-2]),
        "requisite": lambda name: name.removesuffix("_in") in REQUISITES,
        "state argument": lambda name: name in ENGINE_KEYS | DECLARATION or _takes(states, f"cmd.run:{name}"),
        "renderer": lambda name: all(renderers.find(part) for part in _pipe(name)),
        "template engine": lambda name: renderers.find(name) is not None,
        "formatter": lambda name: serializers.writer(name) is not None,
        "source scheme": lambda name: name.endswith(("salt://", "https://", "http://", "file://")),
        "grain": _grain_judge(),
        "dunder": lambda name: any(name in stock_dunders(kind) for kind in ("modules", "states", "runners")),
        "import": _imports,
    }


def _takes(states: Mapping[str, Callable[..., Any]], name: str) -> bool:
    function, _, argument = name.partition(":")
    known = ENGINE_KEYS | DECLARATION
    return argument in known or (function in states and signature_of(states[function]).accepts(argument))


def _parses(jinja: Environment, tag: str) -> bool:
    own = {name for extension in jinja.extensions.values() for name in extension.tags}
    return tag in own | JINJA_TAGS


def _is_method(name: str) -> bool:
    return any(hasattr(kind, name) for kind in (str, dict, list))


def _pipe(shebang: str) -> Iterable[str]:
    return shebang.replace("|", " ").replace(" . ", " ").split()


def _grain_judge() -> Callable[[str], bool]:
    source = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "grains").glob("*.py")))
    return lambda name: f'"{name.partition(":")[0]}"' in source


def _imports(name: str) -> bool:
    import_shim.install()
    words = name if name.startswith("from ") else f"from {name}" if " import " in name else f"import {name}"
    try:
        exec(words, {})
    except ImportError:
        return False
    return True


class Row(NamedTuple):
    """One kind: what stock serves on Linux, what of it is served here, and what is missing."""

    kind: str
    names: int
    served_names: int
    uses: int
    served_uses: int
    missing: list[Use]

    @property
    def percent(self) -> float:
        """The share of uses that is served."""
        return 100 * self.served_uses / self.uses if self.uses else 100.0


def rows(uses: Iterable[Use]) -> list[Row]:
    """Return one row for each kind, in the order of the counts."""
    ours = judges()
    by_kind: dict[str, list[Use]] = {}
    for use in uses:
        if use.stock in STOCK:
            by_kind.setdefault(use.kind, []).append(use)
    return [_row(kind, wanted, ours[kind]) for kind, wanted in by_kind.items()]


def _row(kind: str, wanted: list[Use], is_served: Callable[[str], bool]) -> Row:
    missing = [use for use in wanted if not is_served(use.name)]
    total, lost = (sum(use.uses for use in these) for these in (wanted, missing))
    return Row(kind, len(wanted), len(wanted) - len(missing), total, total - lost, missing)


def page(table: Iterable[Row]) -> str:
    """Return the docs page, in Markdown."""
    table = list(table)
    lines = [HEAD, "| kind | names | served | uses | served | |", "|---|---:|---:|---:|---:|---:|"]
    for row in table:
        lines.append(
            f"| {row.kind} | {row.names} | {row.served_names} | {row.uses} | {row.served_uses} "
            f"| {row.percent:.1f} % |"
        )
    lines += ["", "## Not served", ""]
    for row in table:
        lines += [f"* {row.kind} `{use.name}` ({use.uses} uses, stock {use.stock})" for use in row.missing]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    import sys

    sys.stdout.write(page(rows(read_uses())))
