"""OpenSSH's keys and certificates: values of the user to certificates, and back to dicts.

Why a package of floor 1: the execution module and the states of `ssh_pki` build and compare the same things.
Values in, values out, but for `loading.content`, which reads a file when it is given a path. Begin with
`plans.py`; keys themselves are `salt_g.x509.keys`.

As in `salt_g.x509`, files are imported when they are first named: `ssh.loading.certificate(...)`.
Source: OpenSSH's PROTOCOL.certkeys; stock docs of `ssh_pki`.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from salt_g import x509

if TYPE_CHECKING:
    from salt_g.x509.ssh import differences, loading, plans, policies, rendering, times

__all__ = ["differences", "loading", "plans", "policies", "rendering", "times"]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    x509.require()
    return importlib.import_module(f"{__name__}.{name}")
