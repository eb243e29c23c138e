"""Daemon of the HTTP API, which creates and starts the components in order.

Lifecycle: `start` (raises errors that prevent a start), `supervisor.wait`, `stop`.
Units: seconds.
"""

from __future__ import annotations

import importlib.util
import logging
import signal
from typing import TYPE_CHECKING, Any

import gevent

import salt_g
from salt_g.errors import AuthModuleError
from salt_g.event.bus import Bus
from salt_g.http_api.api_services import ApiServices
from salt_g.http_api.event_log import EventLog
from salt_g.http_api.master_link import MasterLink
from salt_g.http_api.orders import Orders
from salt_g.http_api.routes import Routes
from salt_g.http_api.server import Server
from salt_g.http_api.sessions import LoginSessions
from salt_g.http_api.settings import ApiSettings
from salt_g.http_api.stream_list import StreamList
from salt_g.process.malloc_trim import give_back_pages
from salt_g.process.offload import offload
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.process.supervisor import Supervisor
from salt_g.shapes import Opts

if TYPE_CHECKING:
    from salt_g.http_api.oidc.provider_login import ProviderLogin

log = logging.getLogger(__name__)

#: How long startup waits for the master (s); without a master, the API serves and answers 503.
MASTER_TIME = 5.0
#: Interval at which expired sessions are removed and free memory is returned to the system (s).
_CLEAN_EVERY = 60.0


class Api:
    """HTTP API of a master; `opts` are the master's settings."""

    def __init__(self, opts: Opts) -> None:
        self.supervisor = Supervisor("api")
        settings = ApiSettings.of(opts)
        self._bus = Bus(max_event_bytes=opts["max_event_size"])
        self._events = EventLog()
        self._streams = StreamList()
        self._sessions = LoginSessions(settings.sessions, on_end=self._streams.end)
        self._master = MasterLink(
            settings.sock_dir,
            supervisor=self.supervisor,
            on_event=self._take_event,
            on_gap=self._events.note_gap,
        )
        orders = Orders(opts, self._master, self._bus, enabled=settings.clients, timeout=settings.timeout)
        parts = ApiServices(
            *(settings, orders, self._sessions, self._master, self._events, self._streams),
            oidc=_provider_login(opts),
        )
        headers = [("Server", f"salt-g/{salt_g.__version__}"), ("X-Salt-Version", salt_g.SALT_LEVEL)]
        self._server = Server(settings, Routes(parts).answer, supervisor=self.supervisor, own_headers=headers)
        self._scheme = "https" if settings.is_tls else "http"
        if not settings.clients:
            log.warning("netapi_enable_clients is empty: no order is accepted, only logins, hooks and events")
        if not opts.get("external_auth"):
            log.warning("external_auth is empty: nobody can log in")

    def start(self) -> None:
        """Connect to the master and listen."""
        self._sessions.start()
        self._master.start()
        if not self._master.wait(MASTER_TIME):
            log.warning("the master cannot be reached yet; until then, orders are answered with 503")
        self._server.start()
        cleaning = PeriodicLoop("cleaning", self._clean, _CLEAN_EVERY, first=_CLEAN_EVERY)
        self.supervisor.spawn(cleaning.run, name=cleaning.name)
        self._reload: Any = gevent.signal_handler(signal.SIGHUP, self._server.renew)
        log.info("listening on %s", self.url)

    @property
    def url(self) -> str:
        """Address of the API."""
        host, port = self._server.address
        return f"{self._scheme}://{f'[{host}]' if ':' in host else host}:{port}"

    def status(self) -> dict[str, Any]:
        """Return the status fields for the service manager."""
        return {"STATUS": f"listening on {self.url}", "X_URL": self.url}

    def stop(self) -> bool:
        """End streams, connections and the connection to the master."""
        self._streams.end_all()
        self._server.stop()
        self._master.stop()
        self.supervisor.stop()
        return True

    def _clean(self) -> None:
        """End expired sessions, and return freed memory of events and large answers to the system."""
        self._sessions.clean()
        offload(give_back_pages)

    def _take_event(self, body: bytes) -> None:
        self._bus.relay_packed(body)
        self._events.add(body)


def _provider_login(opts: Opts) -> ProviderLogin | None:
    """Return the service for logins by `external_auth: oidc`, None if that setting is missing or invalid."""
    options = (opts.get("external_auth") or {}).get("oidc")
    if options is None:
        return None
    # Imported lazily: few masters have a provider.
    from salt_g.http_api.oidc.provider_login import ProviderLogin

    if importlib.util.find_spec("joserfc") is None:
        log.error("external_auth: oidc: nobody can log in, joserfc is missing: pip install 'salt-g[oidc]'")
    try:
        return ProviderLogin(options)
    except AuthModuleError as exc:
        log.error("external_auth: %s", exc)
        return None
