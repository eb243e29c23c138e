"""Routes of orders: /, /run, /minions, /jobs, /keys."""

from __future__ import annotations

import io
import re
import tarfile
from typing import Any

from salt_g.http_api.api_services import Answer, ApiServices, RoutedRequest
from salt_g.http_api.login_routes import check_acl
from salt_g.http_api.messages import Refusal, Response
from salt_g.http_api.orders import OrderClient, proof_of
from salt_g.http_api.settings import CLIENTS

#: File names in the archive with a new key pair.
_PUBLIC, _PRIVATE = "minion.pub", "minion.pem"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")


def welcome(parts: ApiServices, asked: RoutedRequest) -> Answer:
    """Answer GET /."""
    return Answer({"return": "Welcome", "clients": list(CLIENTS)})


def run_orders(parts: ApiServices, asked: RoutedRequest) -> Answer:
    """Answer POST /: run the orders of a session one after the other."""
    checked = [parts.orders.check(one) for one in _orders_in(asked.data)]
    with parts.order_shares.one(asked.user.user):
        return Answer({"return": [one for order in checked for one in parts.orders.run(order, asked.client)]})


def run_with_login(parts: ApiServices, asked: RoutedRequest) -> Answer:
    """Answer POST /run: run orders that each carry a token or a login."""
    source = asked.request.source
    orders = _orders_in(asked.data)
    checked = [(parts.orders.check(one), _client_of(parts, one, source)) for one in orders]
    has_password = any("password" in client.proof for _, client in checked)
    with (parts.run_shares if has_password else parts.order_shares).one(source):
        return Answer(
            {"return": [one for order, client in checked for one in parts.orders.run(order, client)]}
        )


def show_minions(parts: ApiServices, asked: RoutedRequest) -> Answer:
    """Answer GET /minions and /minions/ID with grains."""
    order = {"client": "local", "tgt": asked.rest or "*", "fun": "grains.items"}
    return _one(parts, asked, order)


def start_jobs(parts: ApiServices, asked: RoutedRequest) -> Answer:
    """Answer POST /minions: start jobs without waiting for their returns."""
    orders = []
    for one in _orders_in(asked.data):
        if isinstance(one, dict):
            one = {**one, "client": "local_async"}
        orders.append(parts.orders.check(one))
    with parts.order_shares.one(asked.user.user):
        started = [one for order in orders for one in parts.orders.run(order, asked.client)]
    links = [{"href": f"/jobs/{one['jid']}"} for one in started if one]
    return Answer({"return": started, "_links": {"jobs": links}}, 202)


def show_jobs(parts: ApiServices, asked: RoutedRequest) -> Answer:
    """Answer GET /jobs and /jobs/JID."""
    if not asked.rest:
        return _one(parts, asked, {"client": "runner", "fun": "jobs.list_jobs"})
    order = {"client": "runner", "fun": "jobs.list_job", "arg": [asked.rest]}
    info = _one(parts, asked, order).data["return"]
    returns = [
        {id: one.get("return") for id, one in (job.get("Result") or {}).items() if isinstance(one, dict)}
        for job in info
        if isinstance(job, dict)
    ]
    return Answer({"info": info, "return": returns})


def show_keys(parts: ApiServices, asked: RoutedRequest) -> Answer:
    """Answer GET /keys and /keys/ID."""
    order: dict[str, Any] = {"client": "wheel", "fun": "key.list_all"}
    if asked.rest:
        order = {"client": "wheel", "fun": "key.finger", "match": asked.rest}
    [result] = _one(parts, asked, order).data["return"]
    return Answer({"return": result["data"]["return"]})


def make_key(parts: ApiServices, asked: RoutedRequest) -> Response:
    """Answer POST /keys: create a key pair, accept it and return it as a tar file.

    The body of the request contains the login.
    """
    fields = asked.data[0] if isinstance(asked.data, list) and len(asked.data) == 1 else asked.data
    if not isinstance(fields, dict):
        raise Refusal(400, "the body must be a map with mid, username, password and eauth")
    client = _client_of(parts, fields, asked.request.source)
    id = fields.get("mid")
    if not isinstance(id, str) or not id:
        raise Refusal(400, "a new key needs mid, the id of its minion")
    kwarg = {
        "id_": id,
        "keysize": _number(fields.get("keysize", 2048)),
        "force": _is_true(fields.get("force")),
    }
    order = parts.orders.check({"client": "wheel", "fun": "key.gen_accept", "kwarg": kwarg})
    with parts.run_shares.one(asked.request.source):
        [outcome] = parts.orders.run(order, client)
    pair = outcome["data"]["return"]
    if not isinstance(pair, dict):
        raise Refusal(500, str(pair))
    if not pair.get("priv"):
        raise Refusal(409, f"a key of {id} exists already; force replaces it")
    headers = [
        ("Content-Type", "application/x-tar"),
        ("Content-Disposition", f'attachment; filename="saltkeys-{_UNSAFE.sub("_", id)}.tar"'),
        ("Cache-Control", "no-store"),
    ]
    return Response(200, _archive(pair), headers)


def _client_of(parts: ApiServices, order: dict[str, Any], source: str) -> OrderClient:
    """Return the sender of an order with a token or login; raise Refusal if `api_acl` forbids the login."""
    proof = proof_of(order)
    if "username" in proof:
        check_acl(parts.settings.acl, str(proof["username"]), source)
    return OrderClient(proof, source)


def _one(parts: ApiServices, asked: RoutedRequest, order: dict[str, Any]) -> Answer:
    checked = parts.orders.check(order)
    with parts.order_shares.one(asked.user.user):
        return Answer({"return": parts.orders.run(checked, asked.client)})


def _orders_in(data: Any) -> list[Any]:
    if isinstance(data, dict):
        return [data]
    if not isinstance(data, list):
        raise Refusal(400, "Lowstates must be a list")
    return data


def _archive(pair: dict[str, str]) -> bytes:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as tar:
        for name, mode, text in ((_PUBLIC, 0o644, pair["pub"]), (_PRIVATE, 0o600, pair["priv"])):
            content = text.encode()
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), mode
            tar.addfile(entry, io.BytesIO(content))
    return whole.getvalue()


def _number(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        raise Refusal(400, f"keysize must be a number of bits, not {value!r}") from None


def _is_true(value: Any) -> bool:
    return value in (True, 1, "True", "true", "1")
