"""Commit from which this salt-g was built.

A wheel and a one-file program contain the commit in a file written at build time. For a git checkout it is
read from the files in `.git`, without the program git. Files are read only when the commit is requested.
Source: gitrepository-layout(5).
"""

from __future__ import annotations

import os

import salt_g

#: Name of the file that a build writes into this package.
FILE = "COMMIT"
#: Length of a shown commit, in characters.
SHORT = 12
_DIGITS = frozenset("0123456789abcdef")
#: Maximum number of bytes read from a file of git; `packed-refs` can be long.
_LARGEST = 1 << 22


def version() -> str:
    """Return the version, with the commit if it is known: `0.2.0 (3f5a…)`."""
    commit = current()
    return f"{salt_g.__version__} ({commit[:SHORT]})" if commit else salt_g.__version__


def current() -> str:
    """Return the commit of this salt-g, or "" if it is unknown."""
    package = os.path.dirname(os.path.abspath(salt_g.__file__))
    recorded = _text(os.path.join(package, "report", FILE))
    return recorded if _is_hash(recorded) else of_checkout(os.path.dirname(package))


def of_checkout(directory: str) -> str:
    """Return the commit of the git checkout in `directory`, or "" if there is no checkout."""
    git = os.path.join(directory, ".git")
    linked = _text(git)
    if linked.startswith("gitdir:"):
        git = os.path.join(directory, linked.removeprefix("gitdir:").strip())
    head = _text(os.path.join(git, "HEAD"))
    if head.startswith("ref:"):
        head = _of_reference(git, head.removeprefix("ref:").strip())
    return head if _is_hash(head) else ""


def _of_reference(git: str, name: str) -> str:
    # A linked work tree shares the references of its repository.
    shared = os.path.join(git, _text(os.path.join(git, "commondir")))
    found = _text(os.path.join(git, name)) or _text(os.path.join(shared, name))
    if found:
        return found
    packed = _text(os.path.join(shared, "packed-refs")).splitlines()
    return next((line.partition(" ")[0] for line in packed if line.partition(" ")[2] == name), "")


def _is_hash(text: str) -> bool:
    # Without `re`: importing it would double the time of `--version`.
    return len(text) in (40, 64) and _DIGITS.issuperset(text)


def _text(path: str) -> str:
    """Return the content of a file without surrounding white space, or "" if it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_LARGEST).strip()
    except OSError:
        return ""
