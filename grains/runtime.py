"""Grains of the software: Python, salt-g, libzmq."""

from __future__ import annotations

import os
import sys
from typing import Any

import salt_g

__virtualname__ = "core"


def python() -> dict[str, Any]:
    """Return version, search path and executable of Python."""
    return {
        "pythonversion": list(sys.version_info),
        "pythonpath": list(sys.path),
        "pythonexecutable": sys.executable,
    }


def salt() -> dict[str, Any]:
    """Return the Salt release that salt-g implements, salt-g's own version and its location.

    `saltversion` is compared by formulas (`saltversioninfo[0] >= 3006`), so it names the Salt release whose
    behaviour salt-g follows; `saltgversion` is the version of salt-g.
    """
    return {
        "saltversion": salt_g.SALT_LEVEL,
        "saltversioninfo": [int(part) for part in salt_g.SALT_LEVEL.split(".")],
        "saltgversion": salt_g.__version__,
        "saltpath": os.path.dirname(os.path.abspath(salt_g.__file__)),
        "package": "onedir" if hasattr(sys, "RELENV") else None,
        "ca_truststore": "certifi",
    }


def zmqversion() -> dict[str, str]:
    """Return the version of libzmq.

    Read from the library: importing pyzmq takes longer than all other grains together.
    """
    library = _bundled_libzmq()
    if library is None:
        return _imported_zmqversion()
    import ctypes

    numbers = [ctypes.c_int() for _ in range(3)]
    try:
        ctypes.CDLL(library).zmq_version(*map(ctypes.byref, numbers))
    except OSError:
        return _imported_zmqversion()
    return {"zmqversion": ".".join(str(number.value) for number in numbers)}


def _bundled_libzmq() -> str | None:
    for directory in sys.path:
        libraries = os.path.join(directory, "pyzmq.libs")
        if os.path.isdir(libraries):
            found = [name for name in os.listdir(libraries) if name.startswith("libzmq")]
            return os.path.join(libraries, found[0]) if found else None
    return None


def _imported_zmqversion() -> dict[str, str]:
    try:
        import zmq
    except ImportError:
        return {}
    return {"zmqversion": zmq.zmq_version()}
