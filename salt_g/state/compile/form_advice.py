"""Advice about malformed SLS, in addition to stock's error texts, which say only what is wrong.

The keys are parts of these texts; the first key that a message contains applies.
"""

from __future__ import annotations

#: (part of the message, advice).
_ADVICE = (
    ("Recursive requisites", "these states wait for each other: remove one of the requisites"),
    ("Detected conflicting IDs", "give one of them another ID, or keep one and include its SLS"),
    (
        "trailing colon",
        "write it without the colon, or with arguments: pkg.installed, or pkg.installed: []",
    ),
    ("No function declared", "write the function after the module: file.managed, not file"),
    (
        "multiple state declarations of the same type",
        "give one of them a different ID, and set name: to what it manages",
    ),
    # Stock reports a malformed include a second time, as an ID.
    ("ID include in SLS", ""),
    ("Extension", "write extend: with the ID, its module and a list of arguments below it"),
    ("Include Declaration", "write include: with each SLS on a line of its own that begins with '- '"),
    (
        "Exclude Declaration",
        "write exclude: with each SLS or ID on a line of its own (- sls: web, - id: nginx)",
    ),
    ("needs to be formed as a list", "write each entry on a line of its own that begins with '- '"),
    ("is not formed as a list", "write each argument on a line of its own that begins with '- '"),
    ("is not formed as a single key dictionary", "write each requisite as '- MODULE: NAME'"),
    ("Illegal requisite", "write each requisite as '- MODULE: NAME'"),
    ("is not a dictionary", "write a state below the ID: nginx:, and pkg.installed indented below it"),
    ("codec can't decode", "an SLS must be UTF-8 text: save the file in that encoding"),
    (
        "No module named",
        "Python has no such module here: install it (salt-g pip install NAME), or correct the name",
    ),
    ("has no attribute 'run'", "#!py needs a function run() that returns the states"),
)


def advice_for(message: str) -> str:
    """Return advice about a malformed SLS, or '' if none is known or needed."""
    return next((advice for part, advice in _ADVICE if part in message), "")
