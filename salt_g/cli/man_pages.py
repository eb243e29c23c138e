"""Manual pages (section 1) of salt-g and its subcommands, from the declarations of their options.

Source: man(7), the macros of a page.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from salt_g import __version__
from salt_g.cli.options import USAGE, OptionParser
from salt_g.cli.overview import TEXT
from salt_g.cli.parsers import parsers

#: Name and purpose of the program on its own page.
_PURPOSE = "configuration management and remote execution"


def pages() -> dict[str, str]:
    """Return {page name: text} for `salt-g`, and `salt-g-SUBCOMMAND` for each subcommand."""
    known = parsers()
    found = {f"salt-g-{name}": _page(name, parser) for name, parser in known.items()}
    return {"salt-g": _overview(found), **found}


def _overview(others: dict[str, str]) -> str:
    lines = [_head("salt-g"), ".SH NAME", f"salt-g \\- {_PURPOSE}", ".SH SYNOPSIS", *_literal(TEXT)]
    lines += [".SH SEE ALSO", ", ".join(f"\\fB{_escaped(name)}\\fR(1)" for name in sorted(others))]
    return "\n".join(lines) + "\n"


def _page(name: str, parser: OptionParser) -> str:
    description = parser.description or ""
    lines = [_head(f"salt-g-{name}"), ".SH NAME"]
    lines += [f"salt-g-{_escaped(name)} \\- {_escaped(description.partition('.')[0])}"]
    lines += [".SH SYNOPSIS", *_literal(parser.format_usage().removeprefix(USAGE))]
    lines += [".SH DESCRIPTION", _escaped(description), ".SH OPTIONS"]
    for title, actions in _groups(parser):
        lines.append(f".SS {_escaped(title)}")
        for action in actions:
            lines += [".TP", _heading(action), _escaped(_help(parser, action))]
    if parser.epilog:
        lines += [".SH EXAMPLES", *_literal(parser.epilog.removeprefix("examples:\n"))]
    lines += [".SH SEE ALSO", "\\fBsalt\\-g\\fR(1)"]
    return "\n".join(lines) + "\n"


def _groups(parser: OptionParser) -> Iterator[tuple[str, list[argparse.Action]]]:
    """Yield (title, options) of each option group that has visible options."""
    for group in parser._action_groups:
        shown = [action for action in group._group_actions if action.help != argparse.SUPPRESS]
        if shown:
            yield group.title or "options", shown


def _help(parser: OptionParser, action: argparse.Action) -> str:
    """Return the help of an option with its values filled in, as `--help` prints it."""
    return parser._get_formatter()._expand_help(action) if action.help else ""


def _heading(action: argparse.Action) -> str:
    """Return an option's heading, with all its forms in bold and its value in italics."""
    names = ", ".join(f"\\fB{_escaped(name)}\\fR" for name in action.option_strings)
    if action.nargs == 0:
        return names
    if not names:
        return f"\\fI{_escaped(action.dest)}\\fR"
    values = f"{{{','.join(map(str, action.choices))}}}" if action.choices else action.dest.upper()
    value = action.metavar or values
    return f"{names} \\fI{_escaped(value if isinstance(value, str) else ' '.join(value))}\\fR"


def _head(name: str) -> str:
    return f'.TH "{name.upper()}" 1 "" "salt\\-g {__version__}" "salt\\-g"'


def _literal(text: str) -> Iterator[str]:
    """Yield roff lines that print a text unchanged."""
    yield from (".nf", *map(_escaped, text.rstrip("\n").split("\n")), ".fi")


def _escaped(text: str) -> str:
    """Return text with roff's special characters escaped: `\\`, `-`, and `.` or `'` at a line start."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line[:1] in (".", "'") else line for line in escaped.split("\n"))
