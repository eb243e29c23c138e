"""Stock's `salt.utils.nacl`: the functions of the execution module `nacl`."""

import importlib.util
from collections.abc import Callable
from typing import Any

from salt_g import api


def check_requirements() -> Any:
    """Return True if PyNaCl is installed, else (False, reason), as `__virtual__` returns it."""
    # Do not use the call context, because plugins call this during import, when no call may be running.
    return True if importlib.util.find_spec("nacl") else (False, "PyNaCl is not installed")


def _of(name: str) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        # Stock's plugins pass their settings as `opts`; here the settings of the running call are used.
        return api.call(f"nacl.{name}", *args, **{key: kwargs[key] for key in kwargs if key != "opts"})

    function.__doc__ = f"Call `nacl.{name}`."
    return function


dec = _of("dec")
dec_file = _of("dec_file")
enc = _of("enc")
enc_file = _of("enc_file")
keygen = _of("keygen")
sealedbox_decrypt = _of("sealedbox_decrypt")
sealedbox_encrypt = _of("sealedbox_encrypt")
secretbox_decrypt = _of("secretbox_decrypt")
secretbox_encrypt = _of("secretbox_encrypt")

__all__ = ["check_requirements", "dec", "dec_file", "enc", "enc_file", "keygen", "sealedbox_decrypt"]
__all__ += ["sealedbox_encrypt", "secretbox_decrypt", "secretbox_encrypt"]
