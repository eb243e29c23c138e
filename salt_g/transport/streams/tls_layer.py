"""TLS of one connection, without a socket: decrypts received bytes and encrypts bytes for the peer.

Contexts follow the setting `ssl` of stock: `certfile`, `keyfile`, `ca_certs`, `cert_reqs`, `ssl_version`,
`ciphers`, `verify_locations`, `verify_flags`.
Errors: TlsRefused when the peer is not trusted, does not trust us or does not use TLS; ConfigError for
settings that cannot be used.
Source: stock's page "Transport TLS Support".
"""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.errors import ConfigError, TlsRefused

#: Maximum number of bytes decrypted at once.
READ = 64 * 1024
#: Supported keys of the mapping `ssl`.
KNOWN = (
    *("ca_certs", "cert_reqs", "certfile", "ciphers", "keyfile", "ssl_version"),
    *("verify_flags", "verify_locations"),
)
_CERTIFICATE = "set `certfile` and `keyfile` of `ssl`"
#: Texts for OpenSSL's errors about certificates. Those named ALERT are the peer's errors about ours.
_REASONS = {
    "PEER_DID_NOT_RETURN_A_CERTIFICATE": f"the peer has sent no certificate; {_CERTIFICATE} there",
    "TLSV13_ALERT_CERTIFICATE_REQUIRED": f"the peer requires a certificate; {_CERTIFICATE}",
    "TLSV1_ALERT_UNKNOWN_CA": "the peer does not trust the authority of our certificate (`certfile`)",
    "SSLV3_ALERT_CERTIFICATE_EXPIRED": "the peer says that our certificate (`certfile`) has expired",
    "SSLV3_ALERT_CERTIFICATE_REVOKED": "the peer says that our certificate (`certfile`) is revoked",
    "SSLV3_ALERT_BAD_CERTIFICATE": "the peer does not trust our certificate (`certfile`)",
    "SSLV3_ALERT_CERTIFICATE_UNKNOWN": "the peer does not trust our certificate (`certfile`)",
    "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE": "the peer does not accept our certificate (`certfile`)",
}


class TlsLayer:
    """TLS session of one connection; data can be encrypted once `is_up` is set, after the handshake.

    `host` is the name or address that a master's certificate must be issued for; `address` names the peer in
    errors.
    """

    def __init__(
        self, context: ssl.SSLContext, *, is_server: bool, host: str | None = None, address: str = ""
    ) -> None:
        self._received, self._output = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(
            self._received, self._output, server_side=is_server, server_hostname=host
        )
        self._name = f"TLS with {address}" if address else "TLS"
        self.is_up = False

    def decrypt(self, data: bytes) -> bytes:
        """Decrypt received bytes; return b"" while the handshake or a record is incomplete."""
        self._received.write(data)
        try:
            if not self.is_up:
                self._tls.do_handshake()
                self.is_up = True
            return b"".join(self._records())
        except ssl.SSLWantReadError:
            return b""
        except ssl.SSLCertVerificationError as exc:
            text = f"the certificate of the peer is not trusted: {exc.verify_message}"
            raise TlsRefused(f"{self._name}: {text}") from exc
        except ssl.SSLError as exc:
            other = f"{exc.reason or exc}; set `ssl` on both sides or on neither"
            raise TlsRefused(f"{self._name}: {_REASONS.get(exc.reason or '', other)}") from exc

    def encrypt(self, pieces: Iterable[bytes]) -> bytes:
        """Return plain bytes encrypted for the peer."""
        for piece in pieces:
            if piece:
                self._tls.write(piece)
        return self.take_output()

    def take_output(self) -> bytes:
        """Return the pending TLS records for the peer, such as those of the handshake."""
        return self._output.read()

    def _records(self) -> Iterable[bytes]:
        with contextlib.suppress(ssl.SSLWantReadError, ssl.SSLZeroReturnError):
            while record := self._tls.read(READ):
                yield record


def server_context(settings: Mapping[str, Any]) -> ssl.SSLContext:
    """Return the TLS context of a master's ports."""
    if not settings.get("certfile"):
        raise ConfigError(["`ssl` of a master needs `certfile` and `keyfile`"])
    context = _context(ssl.PROTOCOL_TLS_SERVER, settings)
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.verify_mode = _verify_mode(settings, ssl.CERT_REQUIRED if _trusts(settings) else ssl.CERT_NONE)
    return context


def client_context(settings: Mapping[str, Any]) -> ssl.SSLContext:
    """Return the TLS context of a minion; it checks the master's certificate unless `cert_reqs` is CERT_NONE.

    The certificate must also be issued for the master's address. If the settings name no certificate
    authorities, the system's are trusted.
    """
    context = _context(ssl.PROTOCOL_TLS_CLIENT, settings)
    mode = _verify_mode(settings, ssl.CERT_REQUIRED)
    context.check_hostname = mode is not ssl.CERT_NONE
    context.verify_mode = mode
    if mode is not ssl.CERT_NONE and not _trusts(settings):
        context.load_default_certs()
    return context


def _trusts(settings: Mapping[str, Any]) -> bool:
    """Return whether the settings name certificate authorities."""
    return bool(settings.get("ca_certs") or settings.get("verify_locations"))


def _context(protocol: int, settings: Mapping[str, Any]) -> ssl.SSLContext:
    unknown = sorted(set(settings) - set(KNOWN))
    if unknown:
        raise ConfigError(
            [f"`ssl` does not accept {', '.join(map(repr, unknown))}; it accepts {', '.join(KNOWN)}"]
        )
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        if settings.get("certfile"):
            context.load_cert_chain(settings["certfile"], settings.get("keyfile"))
        if settings.get("ciphers"):
            context.set_ciphers(settings["ciphers"])
        _load_trusted(context, settings)
    except (OSError, TypeError, ValueError) as exc:
        raise ConfigError([f"`ssl`: {exc} ({_files(settings)})"]) from exc
    for name in settings.get("verify_flags") or ():
        context.verify_flags |= _constant(ssl.VerifyFlags, name, "verify_flags")
    if "1_2" in str(settings.get("ssl_version", "")):
        context.maximum_version = ssl.TLSVersion.TLSv1_2
    return context


def _load_trusted(context: ssl.SSLContext, settings: Mapping[str, Any]) -> None:
    if settings.get("ca_certs"):
        context.load_verify_locations(settings["ca_certs"])
    for place in settings.get("verify_locations") or ():
        given = place if isinstance(place, Mapping) else {"cafile": place}
        context.load_verify_locations(**given)


def _verify_mode(settings: Mapping[str, Any], default: ssl.VerifyMode) -> ssl.VerifyMode:
    wanted = settings.get("cert_reqs")
    return default if wanted is None else _constant(ssl.VerifyMode, wanted, "cert_reqs")


def _constant(kind: Any, name: Any, setting: str) -> Any:
    """Return the constant of `ssl` with this name or number; raises ConfigError."""
    try:
        return kind[name] if isinstance(name, str) else kind(name)
    except (KeyError, ValueError) as exc:
        names = ", ".join(kind.__members__)
        raise ConfigError([f"`ssl`: {setting} {name!r} is none of {names}"]) from exc


def _files(settings: Mapping[str, Any]) -> str:
    return ", ".join(
        str(settings[name]) for name in ("certfile", "keyfile", "ca_certs") if settings.get(name)
    )
