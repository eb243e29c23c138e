"""Stock's `salt.utils.json`."""

from json import JSONDecoder, JSONEncoder, dump, dumps, load, loads
from typing import Any


def find_json(raw: str) -> Any:
    """Return the first JSON object or list in a text, such as the output of a program; raise ValueError."""
    starts = [
        place
        for place, character in enumerate(raw)
        if character in "[{" and raw[:place].strip(" ")[-1:] in ("", "\n")
    ]
    for start in starts:
        try:
            return JSONDecoder().raw_decode(raw, start)[0]
        except ValueError:
            continue
    raise ValueError("the text contains no JSON")


__all__ = ["JSONEncoder", "dump", "dumps", "find_json", "load", "loads"]
