"""The `gpg` renderer: decryption of armoured PGP messages in text or nested data.

Decryption runs the `gpg` program, with the keys of `gpg_keydir`. With `gpg_decrypt_must_succeed: False`, a
message that cannot be decrypted stays unchanged.
Errors: RenderError otherwise, and if `gpg` is not installed.
"""

from __future__ import annotations

import logging
import os
import re
from typing import Any

from salt_g.errors import CommandNotFound, RenderError
from salt_g.process import command
from salt_g.process.redaction import RedactedOutput
from salt_g.render.decrypted import note_decrypted
from salt_g.render.request import RenderRequest
from salt_g.shapes import Opts

log = logging.getLogger(__name__)

_MESSAGE = re.compile(rb"-----BEGIN PGP MESSAGE-----.*?-----END PGP MESSAGE-----", re.DOTALL)
#: Time limit of one decryption, which may have to start the agent (s).
_TIME_LIMIT = 120.0


def render(data: Any, request: RenderRequest) -> Any:
    """Return the data with its messages decrypted, changing mappings and lists in place."""
    return _Decryption(request).walk(data)


def key_directory(opts: Opts) -> str:
    """Return the directory of the keys."""
    config_dir = opts.get("config_dir") or os.path.dirname(str(opts.get("conf_file", "")))
    return str(opts.get("gpg_keydir") or os.path.join(config_dir, "gpgkeys"))


class _Decryption:
    """Decryption within one rendering; each distinct message is decrypted once."""

    def __init__(self, request: RenderRequest) -> None:
        self._directory = key_directory(request.opts)
        self._must_succeed = bool(request.opts.get("gpg_decrypt_must_succeed", True))
        self._translates = bool(request.variables.get("translate_newlines", False))
        self._opts = request.opts
        self._known: dict[bytes, bytes] = {}

    def walk(self, data: Any) -> Any:
        if isinstance(data, (str, bytes)):
            return self._text(data)
        if isinstance(data, dict):
            for key, value in data.items():
                data[key] = self.walk(value)
        elif isinstance(data, list):
            data[:] = [self.walk(item) for item in data]
        return data

    def _text(self, text: str | bytes) -> str | bytes:
        raw = text.encode() if isinstance(text, str) else text
        if self._translates:
            raw = raw.replace(b"\\n", b"\n")
        decrypted, count = _MESSAGE.subn(lambda found: self._message(found[0]), raw)
        if count:
            raw = decrypted.rstrip(b"\n")
        try:
            return raw.decode()
        except UnicodeDecodeError:
            return raw

    def _message(self, armoured: bytes) -> bytes:
        if armoured not in self._known:
            self._known[armoured] = self._decrypted(armoured.replace(b"\\n", b"\n"))
            if self._known[armoured] != armoured:
                note_decrypted(self._known[armoured].rstrip(b"\n"), self._opts)
        return self._known[armoured]

    def _decrypted(self, armoured: bytes) -> bytes:
        argv = ["gpg", "--homedir", self._directory, "--status-fd", "2", "--no-tty", "-d"]
        try:
            finished = command.run(argv, stdin=armoured, timeout=_TIME_LIMIT)
        except CommandNotFound as exc:
            raise RenderError("GPG unavailable") from exc
        if finished.stdout:
            return finished.stdout
        log.warning("could not decrypt a message, gpg says: %s", RedactedOutput(finished.err))
        if self._must_succeed:
            raise RenderError(f"Could not decrypt cipher {armoured!r}, received: {finished.stderr!r}")
        return armoured
