"""Make `quickstart.svg`, the picture of the README: what `salt-g quickstart` prints, as a terminal shows it.

    python docs/quickstart_image.py [PROGRAM]

runs the program (`salt-g`), puts fixed words in place of what differs from run to run (seconds, the
temporary directory), and writes the file beside this one. The picture is text: no fonts, no scripts.
"""

from __future__ import annotations

import html
import pathlib
import re
import subprocess
import sys

PICTURE = pathlib.Path(__file__).with_name("quickstart.svg")
#: Sizes in pixels: a line, a character of 13 px monospace, the border, the bar at the top.
LINE, CHARACTER, BORDER, BAR = 19, 7.83, 18, 30
#: (what differs from run to run, what the picture shows in its place)
VOLATILE = (
    (re.compile(r"/tmp/salt-g-\w+"), "/tmp/salt-g-fleet"),
    (re.compile(r" \(\d+\.\d+ s\)"), ""),
)
#: (lines of this form, their colour), the first that fits
COLOURS = (
    (re.compile(r"\$ "), "#ffffff"),
    (re.compile(r"(master|minions|highstate|again|edited) "), "#8ec07c"),
    (re.compile(r" +\+"), "#b8bb26"),
    (re.compile(r" +-"), "#fb6f5f"),
    (re.compile(r" +(@@|…)"), "#83a598"),
)
PLAIN, BACKGROUND = "#d5d0c8", "#1f2328"


def main(program: str = "salt-g") -> None:
    """Run the command and write the picture."""
    words = [program, "quickstart"]
    done = subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=120
    )
    PICTURE.write_text(drawn(["$ salt-g quickstart", *masked(done.stdout).splitlines()]), encoding="utf-8")


def masked(text: str) -> str:
    """Return what a run prints without what differs from run to run."""
    for pattern, fixed in VOLATILE:
        text = pattern.sub(fixed, text)
    return text


def drawn(lines: list[str]) -> str:
    """Return lines as an SVG of a terminal."""
    width = round(max(map(len, lines)) * CHARACTER) + 2 * BORDER
    height = len(lines) * LINE + BAR + 2 * BORDER
    dots = (
        f'<circle cx="{20 + 18 * place}" cy="17" r="5.5" fill="{colour}"/>'
        for place, colour in enumerate(("#ff5f57", "#febc2e", "#28c840"))
    )
    text = (
        f'<text x="{BORDER}" y="{BAR + BORDER + LINE * number + 12}" fill="{_colour(line)}">'
        f"{html.escape(line, quote=False)}</text>"
        for number, line in enumerate(lines)
        if line.strip()
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"',
            f'     width="{width}" height="{height}" font-size="13" xml:space="preserve"',
            '     font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace">',
            # Blanks count; browsers have begun to ignore the older way to say so, xml:space.
            "<title>salt-g quickstart</title><style>text { white-space: pre }</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{BACKGROUND}"/>',
            *dots,
            *text,
            "</svg>\n",
        ]
    )


def _colour(line: str) -> str:
    return next((colour for pattern, colour in COLOURS if pattern.match(line)), PLAIN)


if __name__ == "__main__":
    main(*sys.argv[1:])
