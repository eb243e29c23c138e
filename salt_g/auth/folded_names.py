"""Normalization of user names, as directories compare them.

LDAP, sssd and others treat `Ann`, `ann ` and `ａｎｎ` as the same user, but names in settings are compared
exactly. Where a name that is not listed would have more rights than a listed one, normalized names are
compared.
"""

from __future__ import annotations


def folded(name: str) -> str:
    """Return a name without the differences that directories ignore: case, spaces, forms of characters."""
    if not name.isascii():
        # Imported lazily: names are ASCII, nearly always.
        import unicodedata

        name = unicodedata.normalize("NFKC", name)
    return " ".join(name.split()).casefold()
