"""X.509: values of the user to certificates, requests and revocation lists, and back to dicts.

Why a package of floor 1: the execution modules `x509` and `tls` and the states of both build and
compare the same things. Everything here is values in, values out, but for `loading.content`,
which reads a file when it is given a path. Begin with `plans.py`.

The library `cryptography` is an extra and loads slowly, so the files of this package, which are
made of its types, are imported when they are first named: `x509.loading.certificate(...)`.
Errors: InvocationError for what cannot be read or makes no sense, CommandExecutionError for a
word that is not known, each with what would be.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from salt_g.errors import CommandExecutionError

if TYPE_CHECKING:
    from salt_g.x509 import (
        differences,
        encoding,
        keys,
        legacy_versions,
        loading,
        names,
        pem,
        plans,
        policies,
        rendering,
        times,
    )

__all__ = [
    "differences",
    "encoding",
    "is_available",
    "keys",
    "legacy_versions",
    "loading",
    "names",
    "pem",
    "plans",
    "policies",
    "rendering",
    "require",
    "times",
]

#: What users read where the library is missing.
MISSING = "Could not load cryptography. Install it with: pip install 'salt-g[x509]'"


def is_available() -> bool:
    """Return whether the library is installed."""
    from importlib.util import find_spec  # cheaper than importing the library

    return find_spec("cryptography") is not None


def require() -> None:
    """Refuse where the library is missing."""
    if not is_available():
        raise CommandExecutionError(MISSING)


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    require()
    return importlib.import_module(f"{__name__}.{name}")
