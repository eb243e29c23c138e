"""The one-line format of repositories: `deb [arch=amd64] http://… bookworm main`."""

from __future__ import annotations

import re

from salt_g.modules.aptpkg._source import Source, read_bool

_ENTRY = re.compile(
    r"(?P<off>\#[\#\s]*)?(?P<type>deb|deb-src|rpm|rpm-src)\s+"
    r"(?:\[\s*(?P<options>[^\]]*?)\s*\]\s+)?"
    r"(?P<uri>(?:[^\s\[\#]|\[[^\]]*\])+)\s+(?P<suite>[^\s\#]+)"
    r"(?P<comps>[^\#]*)(?:\#(?P<comment>.*))?",
)


def split(text: str) -> list[str]:
    """Return the lines of a file's text, with their line ends."""
    return text.splitlines(keepends=True)


def join(parts: list[str]) -> str:
    """Return the text of a file with these lines."""
    return "".join(part if part.endswith("\n") else f"{part}\n" for part in parts)


def parse(line: str) -> Source | None:
    """Return the entry of a line, even if disabled; None if the line is not an entry."""
    found = _ENTRY.fullmatch(line.strip())
    if not found:
        return None
    options = dict(word.partition("=")[::2] for word in (found["options"] or "").split())
    trusted = options.pop("trusted", None)
    architectures = options.pop("arch", "")
    return Source(
        types=[found["type"]],
        uris=[found["uri"]],
        suites=[found["suite"]],
        comps=found["comps"].split(),
        architectures=architectures.split(",") if architectures else [],
        signedby=options.pop("signed-by", ""),
        trusted=None if trusted is None else read_bool(trusted),
        disabled=bool(found["off"]),
        comment=found["comment"] or "",
        options=options,
    )


def render(source: Source) -> str:
    """Return the line of an entry, with its line end."""
    options = {
        "arch": ",".join(source.architectures),
        "signed-by": source.signedby,
        "trusted": "yes" if source.trusted else "",
        **source.options,
    }
    shown = " ".join(f"{key}={value}" for key, value in options.items() if value)
    words = [
        "#" if source.disabled else "",
        source.types[0],
        f"[{shown}]" if shown else "",
        source.uris[0],
        source.suites[0],
        *source.comps,
        f"#{source.comment}" if source.comment else "",
    ]
    return " ".join(word for word in words if word) + "\n"
