"""Output of created objects: text for the caller, or a file.

Keys, requests, certificates and revocation lists all have `path`, `encoding` and `raw`.
"""

from __future__ import annotations

from typing import Any

from salt_g import x509
from salt_g.modules._output_file import write


def deliver(data: bytes, encoding: str, *, path: str | None, raw: bool, what: str) -> Any:
    """Return data as text, or as bytes if `raw`; or write it to `path` and return a message.

    A new file is private (0600); an existing one keeps its owner and mode.
    """
    if path is None:
        return data if raw else x509.encoding.as_text(data, encoding)
    write(path, data)
    return f"PEM written to {path}" if encoding == "pem" else f"{what} written to {path}"
