"""HTTP proxy of the settings `proxy_host`, `proxy_port`, `proxy_username` and so on.

Used by the file client.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from urllib.request import ProxyHandler


class WebProxy(NamedTuple):
    """Proxy with its `url` ('' for none), and the hosts that bypass it."""

    url: str = ""
    direct: tuple[str, ...] = ()

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> WebProxy:
        """Return the proxy in the settings, or an empty `WebProxy` if host or port is missing."""
        host, port = settings.get("proxy_host"), settings.get("proxy_port")
        if not (host and port):
            return cls()
        from urllib.parse import quote  # Imported lazily: most commands use no proxy.

        user, password = (str(settings.get(f"proxy_{name}") or "") for name in ("username", "password"))
        login = f"{quote(user, safe='')}:{quote(password, safe='')}@" if user else ""
        direct = settings.get("no_proxy") or ()
        hosts = direct.split(",") if isinstance(direct, str) else direct
        return cls(f"http://{login}{host}:{port}", tuple(str(name).strip().lower() for name in hosts))

    def handler(self, url: str) -> ProxyHandler:
        """Return a handler that sends requests for `url` through the proxy, unless its host is in `direct`.

        Without a proxy in the settings, the proxies of the environment are used.
        """
        import urllib.parse
        import urllib.request

        if not self.url:
            return urllib.request.ProxyHandler()
        if urllib.parse.urlsplit(url).hostname in self.direct:
            return urllib.request.ProxyHandler({})
        return urllib.request.ProxyHandler({"http": self.url, "https": self.url})
