"""Services of the HTTP API that its routes share."""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from salt_g.http_api.event_log import EventLog
from salt_g.http_api.known.fleet_table import FleetTable
from salt_g.http_api.known.function_lists import FunctionLists
from salt_g.http_api.known.repeats import Repeats
from salt_g.http_api.master_link import MasterLink
from salt_g.http_api.messages import Headers, Request
from salt_g.http_api.orders import OrderClient, Orders
from salt_g.http_api.rates import AT_ONCE, Rates, Shares
from salt_g.http_api.sessions import LoginSession, LoginSessions
from salt_g.http_api.settings import ApiSettings
from salt_g.http_api.stream_list import StreamList
from salt_g.transport.time_slice import TimeSlice

if TYPE_CHECKING:
    from salt_g.http_api.oidc.provider_login import ProviderLogin

#: Maximum number of event streams per user, of event streams in total, and of orders that run at once.
STREAMS_OF_USER, STREAMS, ORDERS = 20, 2000, 1024
#: Maximum number of logins at once, and of orders with a login at once. A failing login takes seconds, so
#: both limits together must leave room for other requests among the 512 that the master serves at once.
LOGINS, ORDERS_WITH_LOGIN = 192, 256
#: Source address in requests that the API itself sends to the master.
OWN_SOURCE = "api"


@dataclasses.dataclass
class ApiServices:
    """Services shared by the route handlers; `requests` and `refused` are counters for `/stats`."""

    settings: ApiSettings
    orders: Orders
    sessions: LoginSessions
    master: MasterLink
    events: EventLog
    streams: StreamList
    rates: Rates = dataclasses.field(default_factory=Rates)
    stream_shares: Shares = dataclasses.field(
        default_factory=lambda: Shares(STREAMS_OF_USER, STREAMS, "event streams")
    )
    order_shares: Shares = dataclasses.field(
        default_factory=lambda: Shares(AT_ONCE, ORDERS, "concurrent orders")
    )
    function_lists: FunctionLists = dataclasses.field(default_factory=FunctionLists)
    login_shares: Shares = dataclasses.field(
        default_factory=lambda: Shares(AT_ONCE, LOGINS, "concurrent logins")
    )
    run_shares: Shares = dataclasses.field(
        default_factory=lambda: Shares(AT_ONCE, ORDERS_WITH_LOGIN, "concurrent orders with a login")
    )
    repeats: Repeats = dataclasses.field(default_factory=Repeats)
    #: Logins at a provider; None if `external_auth: oidc` is missing or invalid.
    oidc: ProviderLogin | None = None
    fleet: FleetTable = dataclasses.field(init=False)
    turns: TimeSlice = dataclasses.field(default_factory=TimeSlice)
    began: float = dataclasses.field(default_factory=time.time)
    requests: int = 0
    refused: int = 0

    def __post_init__(self) -> None:
        self.fleet = FleetTable(lambda load: self.orders.ask(load, OWN_SOURCE))


class RoutedRequest(NamedTuple):
    """Request as passed to a handler: body data, session (if the route needs one), rest of the path."""

    request: Request
    data: Any
    session: LoginSession | None
    rest: str

    @property
    def user(self) -> LoginSession:
        """The session, on a route that requires one."""
        assert self.session is not None
        return self.session

    @property
    def client(self) -> OrderClient:
        """The sender of orders in this session."""
        return OrderClient({"token": self.user.token}, self.request.source)


class Answer(NamedTuple):
    """Result of a handler, to be encoded in a format that the client accepts."""

    data: Any
    status: int = 200
    headers: Headers = []
