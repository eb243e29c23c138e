"""TLS contexts for clients that verify certificates and yield to the hub.

Used, for example, by the file client and `http.query`. `ssl` is patched for gevent on import
(`monkey_patch.py`); a program with a hub that embeds this package may not have patched TLS.
"""

from __future__ import annotations

import ssl
import sys
import warnings
from collections.abc import Sequence


def client_context(
    *, verify: bool = True, ca_bundle: str | None = None, cert: Sequence[str] = ()
) -> ssl.SSLContext:
    """Return a context for connections to servers.

    `ca_bundle` is a file of trusted certificates, by default the system's; `cert` are the files of the
    client's certificate and key, or one file with both. Raises OSError when a file cannot be used.
    """
    _yield_to_hub()
    context = ssl.create_default_context(cafile=ca_bundle)
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if cert:
        context.load_cert_chain(*cert[:2])
    return context


def _yield_to_hub() -> None:
    """Patch `ssl` for gevent if sockets are patched but `ssl` is not."""
    monkey = sys.modules.get("gevent.monkey")
    if monkey is None or not monkey.is_module_patched("socket") or monkey.is_module_patched("ssl"):
        return
    with warnings.catch_warnings():
        # gevent warns about late patching; no context that could be affected exists yet.
        warnings.simplefilter("ignore", monkey.MonkeyPatchWarning)
        monkey.patch_ssl()
