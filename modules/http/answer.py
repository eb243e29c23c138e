"""Response of a server, and the parts of it returned to the caller."""

from __future__ import annotations

import http.client
import json
import logging
import time
import urllib.error
import urllib.request
from typing import Any

import salt_g.modules.http.decoding as decoding
from salt_g.modules.http.connection import open_request
from salt_g.modules.http.options import Options
from salt_g.process.disk import write_whole

log = logging.getLogger(__name__)


class Answer:
    """Response to one request; `result` is returned to the caller."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._status = 0
        self._headers: dict[str, str] = {}
        self._body = ""
        self.result: dict[str, Any] = {}

    def fetch(self, request: urllib.request.Request, **transport: Any) -> bool:
        """Send the request and read the whole response; return whether it is a success."""
        started = time.monotonic()
        try:
            with open_request(request, **transport) as answer:
                self._read(answer)
        except urllib.error.HTTPError as exc:
            with exc:
                self._read(exc)
            if self._options.raise_error:
                self.result = {"status": exc.code, "error": f"HTTP {exc.code}: {exc.reason}", **self.result}
                return False
        except (OSError, http.client.HTTPException) as exc:
            reason = exc.reason if isinstance(exc, urllib.error.URLError) else exc
            # Without the query, which may contain keys.
            place = request.full_url.partition("?")[0]
            error = f"{reason} reading {place}, waited {time.monotonic() - started:.1f} s"
            self.result = {**({"status": 0} if self._options.status else {}), "error": error}
            return False
        return True

    def show(self) -> None:
        """Put the requested parts into the result and into files."""
        options = self._options
        if options.status:
            self.result["status"] = self._status
        if options.headers:
            self.result["headers"] = self._headers
        is_plain = options.decode and self._decode() == "plain"
        if options.text or is_plain:
            self.result["text"] = self._body
        self._write()

    def _read(self, answer: Any) -> None:
        self._status = answer.status
        self._headers = dict(answer.headers.items())
        charset = answer.headers.get_content_charset() or "utf-8"
        self._body = answer.read().decode(charset, "replace")
        self.result["body"] = self._body

    def _decode(self) -> str:
        """Put the decoded body into the result; return its type."""
        decode_type = self._options.decode_type
        if decode_type == "auto":
            decode_type = decoding.announced_type(self._headers)
        if decode_type not in decoding.TYPES:
            valid = f"Invalid decode_type specified. Valid decode types are: {decoding.TYPES}"
            self.result["error"] = valid
            log.error("%s", valid)
        elif decode_type != "plain":
            self.result["dict"] = decoding.decode(self._body, decode_type)
        return decode_type

    def _write(self) -> None:
        options = self._options
        for path, content in (
            (options.text_out, self._body),
            (options.headers_out, json.dumps(self._headers)),
            (options.decode_out if options.decode else None, self._body),
        ):
            if path:
                write_whole(path, content)
