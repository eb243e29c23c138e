"""X.509 certificates, requests and revocation lists: creation from users' values, conversion to dicts.

On floor 1, because both the execution modules `x509` and `tls` and their states build and compare the same
objects. All functions take values and return values, except `loading.content`, which reads a file when given
a path. Begin with `plans.py`.

The library `cryptography` is an optional dependency and slow to import, so the modules that use its types are
imported on first use: `x509.loading.certificate(...)`.
Errors: InvocationError for unreadable or inconsistent values, CommandExecutionError for an unknown word; both
list the valid choices.
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
        signatures,
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
    "signatures",
    "times",
]

#: Error shown to users if the library is missing.
MISSING = "Could not load cryptography. Install it with: pip install 'salt-g[x509]'"


def is_available() -> bool:
    """Return whether the library is installed."""
    from importlib.util import find_spec  # Cheaper than importing the library.

    return find_spec("cryptography") is not None


def require() -> None:
    """Raise CommandExecutionError if the library is missing."""
    if not is_available():
        raise CommandExecutionError(MISSING)


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    require()
    return importlib.import_module(f"{__name__}.{name}")
