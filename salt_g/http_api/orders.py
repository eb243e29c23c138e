"""Orders of users (lowstates in stock), run through the clients of `salt_g.client` with the user's login.

Shapes: an order is a map with `client` and the fields of that client: `fun`, `tgt`, `arg`, `kwarg`, ...; the
results of an order are a list of one entry, or of one entry per return for a batch.
Units: seconds.
Errors: Refusal with 400 for a malformed order, 401 for a missing login or right, 409 for a locked target, 500
for a function that failed, 503 without a master, 504 after a timeout.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from salt_g.client.bus_link import BusLink
from salt_g.client.local import LocalClient
from salt_g.client.publishing import JobRequest, publish_load, with_keywords
from salt_g.client.runner import RunnerClient
from salt_g.client.wheel import WheelClient
from salt_g.errors import (
    AuthenticationError,
    AuthorizationError,
    JobLocked,
    JobMalformed,
    MasterUnreachable,
    SaltGError,
    TargetError,
)
from salt_g.event.bus import Bus
from salt_g.http_api.master_link import MasterLink
from salt_g.http_api.messages import Refusal
from salt_g.http_api.sessions import is_masters_token
from salt_g.http_api.settings import CLIENTS
from salt_g.shapes import Opts
from salt_g.shapes.loads import Load

#: Stock's text for an order that the user may not run.
NO_RIGHT = "No permission -- see authorization schemes"
#: Fields of a login, and other fields of an order that are not passed on to its client.
_LOGIN = ("username", "password", "eauth", "token")
_FORBIDDEN = ("client", "key", "user", "listen", "mopts", "c_path", "self")
#: Types of the fields that job clients use themselves (each may be null). For other clients these fields
#: are keywords of the function.
_TYPES: Mapping[str, tuple[type, ...]] = {
    **{"jid": (str, int), **dict.fromkeys(("ret", "tgt_type", "expr_form"), (str,))},
    **{"tgt": (str, list), "fun": (str, list)},
}
_NUMBERS = ("timeout", "gather_job_timeout", "batch_wait", "sub", "subset")
#: Fields of a job that have another name in stock's clients.
_OTHER_NAMES = {"expr_form": "tgt_type"}
Proof = Mapping[str, Any]


class OrderClient(NamedTuple):
    """Sender of orders, with the proof of the login and the address."""

    proof: Proof
    source: str


class Orders:
    """Interface for running orders on one master."""

    def __init__(
        self, opts: Opts, master: MasterLink, bus: Bus, *, enabled: frozenset[str], timeout: float
    ) -> None:
        """Initialize; `bus` carries the master's events, `enabled` are the names of the allowed clients."""
        self._opts = opts
        self._master = master
        self._bus = bus
        self._enabled = enabled
        self._timeout = timeout

    def check(self, order: Any) -> dict[str, Any]:
        """Return a valid order unchanged; raise Refusal for a malformed order or a disabled client."""
        if not isinstance(order, dict):
            raise Refusal(400, "Lowstates must be maps, each with a client and a function")
        client = order.get("client")
        if client not in CLIENTS and client != "ssh":
            raise Refusal(400, f"Invalid client: {client!r}; the clients are {', '.join(CLIENTS)}")
        if client not in self._enabled:
            raise Refusal(
                400, f"Client disabled: {client!r}. Add it to netapi_enable_clients in the master's settings."
            )
        if client == "ssh":
            raise Refusal(400, "Client disabled: 'ssh' is not offered; use `salt-g ssh` on the master")
        missing = [] if order.get("fun") else ["fun"]
        # An empty target matches no minions; clients that compute lists of minions rely on that.
        if client.startswith("local") and order.get("tgt") is None:
            missing.append("tgt")
        if missing:
            raise Refusal(400, f"a lowstate for the client {client} needs {' and '.join(missing)}")
        wrong = _wrong_field(order)
        if wrong:
            raise Refusal(400, f"the field {wrong} of a lowstate cannot be {order[wrong]!r:.60}")
        return order

    def run(self, order: dict[str, Any], client: OrderClient) -> list[Any]:
        """Run a checked order and return its results."""
        fields = {name: value for name, value in order.items() if name not in (*_FORBIDDEN, *_LOGIN)}
        fields = {_OTHER_NAMES.get(name, name): value for name, value in fields.items()}
        fields["arg"] = _listed(fields.get("arg"))
        function = getattr(self, f"_{order['client']}")
        with self._refusing(), contextlib.closing(self._link(client)) as link:
            results: list[Any] = function(link, fields, client.proof)
            return results

    def ask(self, load: dict[str, Any], source: str) -> Any:
        """Send a command to the master and return the reply; raise Refusal if that fails."""
        with self._refusing():
            return self._master.ask(load, source, self._timeout)

    def publication(self, order: dict[str, Any]) -> Load:
        """Return the command that publishes a checked order, without the proof of the login."""
        job = JobRequest(
            order["tgt"],
            order["fun"],
            with_keywords(_listed(order.get("arg")), order.get("kwarg")),
            str(order.get("tgt_type") or "glob"),
        )
        return publish_load(job, {}, opts=self._opts, user="", timeout=self._timeout)

    @contextlib.contextmanager
    def _refusing(self) -> Iterator[None]:
        """Turn the errors of clients into refusals."""
        try:
            yield
        except (AuthenticationError, AuthorizationError) as exc:
            raise Refusal(401, NO_RIGHT) from exc
        except MasterUnreachable as exc:
            raise Refusal(504 if self._master.is_connected else 503, str(exc)) from exc
        except (TargetError, JobMalformed) as exc:
            raise Refusal(400, str(exc)) from exc
        except JobLocked as exc:
            raise Refusal(409, str(exc)) from exc
        except Refusal:
            raise
        except SaltGError as exc:
            raise Refusal(500, str(exc)) from exc

    def _link(self, client: OrderClient) -> BusLink:
        return BusLink(
            lambda load, timeout: self._master.ask(load, client.source, timeout), self._bus, name="order"
        )

    def _local_client(self, link: BusLink) -> LocalClient:
        return LocalClient(mopts=self._opts, link=link, user="")

    def _local(self, link: BusLink, fields: dict[str, Any], proof: Proof) -> list[Any]:
        return [self._local_client(link).cmd(**fields, **proof)]

    def _local_async(self, link: BusLink, fields: dict[str, Any], proof: Proof) -> list[Any]:
        fields.pop("timeout", None)
        return [self._local_client(link).run_job(**fields, **proof)]

    def _local_subset(self, link: BusLink, fields: dict[str, Any], proof: Proof) -> list[Any]:
        return [self._local_client(link).cmd_subset(**fields, **proof)]

    def _local_batch(self, link: BusLink, fields: dict[str, Any], proof: Proof) -> list[Any]:
        return list(self._local_client(link).cmd_batch(**fields, **proof))

    def _runner(self, link: BusLink, fields: dict[str, Any], proof: Proof) -> list[Any]:
        full = bool(fields.pop("full_return", False))
        timeout = _seconds(fields.pop("timeout", None), self._timeout)
        outcome = RunnerClient(self._opts, link=link, user="").cmd_sync({**fields, **proof}, timeout, True)
        data = outcome["data"]
        if "retcode" in data and not data.get("success") and isinstance(data.get("return"), str):
            raise Refusal(500, data["return"])
        return [outcome if full else data.get("return")]

    def _runner_async(self, link: BusLink, fields: dict[str, Any], proof: Proof) -> list[Any]:
        return [RunnerClient(self._opts, link=link, user="").cmd_async({**fields, **proof})]

    def _wheel(self, link: BusLink, fields: dict[str, Any], proof: Proof) -> list[Any]:
        fields.pop("full_return", None)
        return [WheelClient(self._opts, link=link, user="").cmd_sync({**fields, **proof}, self._timeout)]

    def _wheel_async(self, link: BusLink, fields: dict[str, Any], proof: Proof) -> list[Any]:
        return [WheelClient(self._opts, link=link, user="").cmd_async({**fields, **proof})]


def proof_of(order: Mapping[str, Any]) -> Proof:
    """Return the token or login that an order carries; raise Refusal with 401 if there is none."""
    if "token" in order:
        if not is_masters_token(order["token"]):
            raise Refusal(401, "Invalid token")
        return {"token": order["token"]}
    if all(order.get(name) for name in ("username", "eauth")) and "password" in order:
        return {name: order[name] for name in ("username", "password", "eauth")}
    raise Refusal(401, NO_RIGHT)


def _wrong_field(order: Mapping[str, Any]) -> str:
    """Return the name of a field whose value is invalid for the client of an order, '' if all are valid."""
    given = {name: value for name, value in order.items() if value is not None}
    if not isinstance(given.get("kwarg", {}), dict):
        return "kwarg"
    if not given["client"].startswith("local"):
        return ""
    for name, types in _TYPES.items():
        if name in given and not isinstance(given[name], types):
            return name
    return next((name for name in _NUMBERS if name in given and not _is_number(given[name])), "")


def _is_number(value: Any) -> bool:
    try:
        return value == "" or 0 <= float(value) < math.inf
    except (TypeError, ValueError):
        return False


def _listed(arg: Any) -> list[Any]:
    if arg is None:
        return []
    return list(arg) if isinstance(arg, (list, tuple)) else [arg]


def _seconds(value: Any, default: float) -> float:
    return float(value) if value and _is_number(value) else default
