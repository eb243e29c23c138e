"""Stock's `salt.utils.locales`: locales and encodings."""

import re
import sys
from typing import Any

from salt_g.compat.utils.values.stringutils import to_str


def get_encodings() -> list[str]:
    """Return the encodings of this system."""
    return list(dict.fromkeys((sys.getdefaultencoding(), "utf-8", "latin-1")))


def sdecode(value: Any) -> Any:
    """Return text for bytes; other values unchanged."""
    return to_str(value, errors="replace") if isinstance(value, bytes) else value


def sdecode_if_string(value: Any) -> Any:
    """Return text for bytes; other values unchanged."""
    return sdecode(value)


def split_locale(loc: str) -> dict[str, str]:
    """Return the parts of a locale such as `de_DE.UTF-8@euro`; missing ones are ''."""
    found = re.fullmatch(r"([^_.@ ]*)(?:_([^.@ ]*))?(?:\.([^@ ]*))?(?:@([^ ]*))?(?: (.*))?", loc)
    if found is None:
        return dict.fromkeys(_PARTS, "")
    return dict(zip(_PARTS, (part or "" for part in found.groups()), strict=True))


def join_locale(comps: dict[str, str]) -> str:
    """Return a locale joined from its parts."""
    marks = ("", "_", ".", "@", " ")
    parts = ((mark, comps.get(name)) for mark, name in zip(marks, _PARTS, strict=True))
    return "".join(f"{mark}{part}" for mark, part in parts if part)


def normalize_locale(loc: str) -> str:
    """Return a locale in the spelling of `locale -a`: codeset in lower case without dashes."""
    comps = split_locale(loc)
    made = {**comps, "territory": comps["territory"].upper(), "charmap": ""}
    made["codeset"] = comps["codeset"].lower().replace("-", "")
    return join_locale(made)


#: Parts of a locale.
_PARTS = ("language", "territory", "codeset", "modifier", "charmap")

__all__ = ["get_encodings", "join_locale", "normalize_locale", "sdecode", "sdecode_if_string", "split_locale"]
