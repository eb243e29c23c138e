"""Names of users in the form in which directories compare them.

LDAP, sssd and others take `Ann`, `ann ` and `ａｎｎ` for one user; names in settings are taken as they are
written. Where a name that is not listed has more rights than a listed one, the two count as one.
"""

from __future__ import annotations


def folded(name: str) -> str:
    """Return a name without what directories overlook: case, space around it, forms of characters."""
    if not name.isascii():
        # Imported lazily: names are ASCII, nearly always.
        import unicodedata

        name = unicodedata.normalize("NFKC", name)
    return " ".join(name.split()).casefold()
