"""OpenSSH keys and certificates: creation from users' values, conversion to dicts.

On floor 1, because both the execution module and the states of `ssh_pki` build and compare the same objects.
All functions take values and return values, except `loading.content`, which reads a file when given a path.
Begin with `plans.py`; the keys themselves are in `salt_g.x509.keys`.

As in `salt_g.x509`, modules are imported on first use: `ssh.loading.certificate(...)`.
Source: OpenSSH's PROTOCOL.certkeys; stock docs of `ssh_pki`.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from salt_g import x509

if TYPE_CHECKING:
    from salt_g.x509.ssh import differences, loading, plans, policies, rendering

__all__ = ["differences", "loading", "plans", "policies", "rendering"]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    x509.require()
    return importlib.import_module(f"{__name__}.{name}")
