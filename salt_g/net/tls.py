"""TLS for clients: contexts that verify, and that yield to the hub.

Why its own file: the file client and `http.query` both open https connections. Ours are patched for gevent
when `ssl` is imported (`patching.py`); a program with a hub that uses this package may have left TLS out.
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

    `ca_bundle` is a file of certificates to trust, the system's without it; `cert` is the
    client's own: a file with certificate and key, or one file each. Raises OSError when
    a file cannot be used.
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
    """Patch `ssl` when sockets are patched and it is not."""
    monkey = sys.modules.get("gevent.monkey")
    if monkey is None or not monkey.is_module_patched("socket") or monkey.is_module_patched("ssl"):
        return
    with warnings.catch_warnings():
        # gevent warns of patching late; here no context exists yet that could be affected.
        warnings.simplefilter("ignore", monkey.MonkeyPatchWarning)
        monkey.patch_ssl()
