"""Stock's `salt.utils.json`: reading and writing of JSON."""

import json
from json import JSONDecoder, JSONEncoder, load, loads
from types import ModuleType
from typing import IO, Any


def dumps(obj: Any, **kwargs: Any) -> str:
    """Return data as JSON; non-ASCII characters are escaped only with `ensure_ascii`."""
    return json.dumps(obj, **_options(kwargs))


def dump(obj: Any, fp: IO[str], **kwargs: Any) -> None:
    """Write data as JSON to an open file."""
    json.dump(obj, fp, **_options(kwargs))


def _options(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return options of `json`, without stock's own `_json_module`."""
    return {
        "ensure_ascii": False,
        **{name: value for name, value in kwargs.items() if name != "_json_module"},
    }


def find_json(raw: str) -> Any:
    """Return the first JSON object or list in a text, such as program output, or raise ValueError."""
    for start in (place for place, character in enumerate(raw) if character in "[{"):
        try:
            return JSONDecoder().raw_decode(raw, start)[0]
        except ValueError:
            continue
    raise ValueError("the text contains no JSON")


def import_json() -> ModuleType:
    """Return the module that reads and writes JSON."""
    return json


__all__ = ["JSONEncoder", "dump", "dumps", "find_json", "load", "loads"]
__all__ += ["import_json"]
