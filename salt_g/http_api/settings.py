"""Settings of the HTTP API, from stock's `rest_cherrypy` and our own `api_*`.

Errors: ConfigError for an address that would be open without encryption, and for invalid values.
Units: seconds, bytes.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.errors import ConfigError
from salt_g.shapes import Opts

#: Default address and port.
HOST, PORT = "127.0.0.1", 8000
#: Default maximum size of a request's body (bytes), and default time limit of an order (s).
MAX_BODY, TIMEOUT = 1024 * 1024, 300.0
#: Clients that the API offers.
CLIENTS = (
    *("local", "local_async", "local_batch", "local_subset"),
    *("runner", "runner_async", "wheel", "wheel_async"),
)
#: Advice if the certificate or its key is missing at an address that needs encryption.
_ADVICE = "set ssl_crt and ssl_key, or disable_ssl: true behind a proxy that encrypts"


class ApiSettings(NamedTuple):
    """Settings of one HTTP API; paths of routes begin with a slash."""

    host: str
    port: int
    certificate: str
    key: str
    chain: str
    clients: frozenset[str]
    timeout: float
    max_body: int
    sock_dir: str
    sessions: str
    app: str
    app_path: str
    static: str
    static_path: str
    favicon: str
    has_page: bool
    root_prefix: str
    webhook_path: str
    webhook_is_open: bool
    stats_is_open: bool
    acl: Mapping[str, Any]
    allowed_addresses: frozenset[str]
    cors: frozenset[str]
    proxies: tuple[Any, ...]
    token_in_url: bool
    #: Modules of `external_auth`; a login names one of them.
    logins: tuple[str, ...]

    @property
    def is_tls(self) -> bool:
        """Whether connections are encrypted."""
        return bool(self.certificate)

    @classmethod
    def of(cls, opts: Opts) -> ApiSettings:
        """Return the settings of a master's HTTP API."""
        own: Mapping[str, Any] = opts.get("rest_cherrypy") or {}
        host = str(own.get("host") or ("0.0.0.0" if own.get("port") else HOST))
        certificate = "" if own.get("disable_ssl") else str(own.get("ssl_crt") or "")
        key = str(own.get("ssl_key") or "")
        _check_encryption(own, host, certificate, key)
        return cls(
            host=host,
            port=_port(own.get("port", PORT)),
            certificate=certificate,
            key=key,
            chain=str(own.get("ssl_chain") or ""),
            clients=frozenset(map(str, opts["netapi_enable_clients"])),
            timeout=float(opts.get("rest_timeout") or TIMEOUT),
            max_body=int(own.get("max_request_body_size") or MAX_BODY),
            sock_dir=str(opts["sock_dir"]),
            sessions=str(opts["api_sessions"]),
            app=str(own.get("app") or ""),
            app_path=_route(own.get("app_path") or "/app"),
            static=str(own.get("static") or ""),
            static_path=_route(own.get("static_path") or "/static"),
            favicon=str(own.get("favicon") or ""),
            has_page=bool(opts["api_page"]),
            root_prefix=_route(own.get("root_prefix") or "/"),
            webhook_path=_route(own.get("webhook_url") or "/hook"),
            webhook_is_open=bool(own.get("webhook_disable_auth")),
            stats_is_open=bool(own.get("stats_disable_auth")),
            acl=own.get("api_acl") or opts["api_acl"] or {},
            allowed_addresses=frozenset(
                map(str, own.get("authorized_ips") or opts.get("authorized_ips") or ())
            ),
            cors=frozenset(str(one).rstrip("/") for one in opts["api_cors"]),
            proxies=tuple(_network(one) for one in opts["api_trusted_proxies"]),
            token_in_url=bool(opts["api_token_in_url"]),
            logins=tuple(map(str, opts.get("external_auth") or ())),
        )

    def is_proxy(self, address: str) -> bool:
        """Return whether an address belongs to a trusted proxy, whose X-Forwarded-For counts."""
        if not self.proxies:
            return False
        try:
            found = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return False
        return any(found in network for network in self.proxies)


def _check_encryption(own: Mapping[str, Any], host: str, certificate: str, key: str) -> None:
    if certificate:
        missing = [name for name in (certificate, key) if not os.path.exists(name)]
        if missing:
            raise ConfigError([f"rest_cherrypy: there is no file {missing[0] or 'ssl_key'!r}; {_ADVICE}"])
    elif not own.get("disable_ssl") and not _is_loopback(host):
        raise ConfigError(
            [f"rest_cherrypy: {host} would be open to the network without encryption; {_ADVICE}"]
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _port(value: Any) -> int:
    if isinstance(value, bool) or not str(value).isdecimal() or int(value) > 65535:
        raise ConfigError([f"rest_cherrypy: port must be a number from 0 to 65535, not {value!r}"])
    return int(value)


def _route(path: Any) -> str:
    return "/" + str(path).strip("/")


def _network(text: Any) -> Any:
    try:
        return ipaddress.ip_network(str(text), strict=False)
    except ValueError as exc:
        raise ConfigError([f"api_trusted_proxies: {exc}; write addresses or networks"]) from exc
