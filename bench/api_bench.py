#!/usr/bin/env python3
"""The HTTP API of two systems side by side: orders, streams of events, memory; and ours with 10,000 minions.

    api_bench.py both  --ours .venv/bin --stock /opt/salt/bin     each with its own master and minion
    api_bench.py alone --ours .venv/bin                           salt-g api beside a stand-in for its master

On a machine that does other work, compare the CPU seconds; latencies say what a user waited at that moment.
`alone` needs msgpack, which an installed salt-g has brought. Prints JSON.
"""

import argparse
import contextlib
import http.client
import json
import os
import pathlib
import resource
import selectors
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

import processes

PASSWORD = "bench"
#: Users of the streams: each may have 20. Addresses of this host: each may have 64 connections.
USERS, STREAMS_OF_USER, STREAMS_OF_ADDRESS = 60, 20, 60
#: Longest wait for a daemon (s).
PATIENCE = 120


class Api:
    """Client of one API."""

    def __init__(self, port):
        self.port = port
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def ask(self, method, path, data=None, token=""):
        """Return (status, data)."""
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        headers.update({"X-Auth-Token": token} if token else {})
        self.connection.request(method, path, None if data is None else json.dumps(data), headers)
        answer = self.connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None

    def login(self, user):
        """Return the token of a session."""
        status, told = self.ask(
            "POST", "/login", {"username": user, "password": PASSWORD, "eauth": "sharedsecret"}
        )
        assert status == 200, told
        return told["return"][0]["token"]


def settings(root, ports):
    """Return the settings of a master with an API."""
    publish, ret, api = ports
    return {
        **{"interface": "127.0.0.1", "publish_port": publish, "ret_port": ret, "auto_accept": True},
        **{"root_dir": str(root), "cachedir": str(root / "cache"), "pki_dir": str(root / "pki")},
        **{"sock_dir": str(root / "sock"), "log_level": "error", "user": "root"},
        **{"log_file": str(root / "log"), "api_logfile": str(root / "apilog")},
        **{"pidfile": str(root / "master.pid"), "api_pidfile": str(root / "api.pid")},
        "external_auth": {"sharedsecret": {f"u{number}": [".*", "@runner"] for number in range(USERS)}},
        "sharedsecret": PASSWORD,
        "netapi_enable_clients": ["local", "local_async", "runner"],
        "rest_cherrypy": {
            **{"host": "127.0.0.1", "port": api, "disable_ssl": True, "log_access_file": os.devnull},
            **{"thread_pool": 100, "socket_queue_size": 100},
        },
    }


@contextlib.contextmanager
def started(*commands):
    """Run commands; yield their processes."""
    running = []
    try:
        for words in commands:
            running.append(
                subprocess.Popen(
                    words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
            )
        yield running
    finally:
        for process in reversed(running):
            processes.stop(process)


def free_ports(number):
    """Return ports that are free now."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(number)]
        return [one.getsockname()[1] for one in sockets]


def wait_for(found, what):
    """Return the first true value."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError, http.client.HTTPException, AssertionError, KeyError, ValueError):
            if value := found():
                return value
        time.sleep(0.1)
    raise SystemExit(f"not within {PATIENCE} s: {what}")


def quantiles(values):
    """Return p50 and p99 in ms."""
    ordered = sorted(values)
    return {
        name: round(ordered[min(len(ordered) - 1, int(part * len(ordered)))] * 1000, 2)
        for name, part in (("p50_ms", 0.5), ("p99_ms", 0.99))
    }


def measure_system(bin_dir, is_ours, options):
    """Return the figures of one system with a master, a minion and an API."""
    root = pathlib.Path(tempfile.mkdtemp(prefix="apib-"))
    ports = free_ports(3)
    (root / "master").write_text(json.dumps(settings(root, ports)))
    (root / "minion").write_text(
        json.dumps(
            {
                **{"id": "bench1", "master": "127.0.0.1", "publish_port": ports[0], "master_port": ports[1]},
                **{"root_dir": str(root / "m"), "cachedir": str(root / "m/cache"), "log_level": "error"},
                **{"pki_dir": str(root / "m/pki"), "sock_dir": str(root / "m/sock"), "user": "root"},
                **{"pidfile": str(root / "m/pid"), "log_file": str(root / "m/log")},
            }
        )
    )
    names = ("master", "minion", "api")
    program = str(pathlib.Path(bin_dir) / "salt-g")
    commands = [
        [program, name, "-c", str(root)] if is_ours else [f"{bin_dir}/salt-{name}", "-c", str(root)]
        for name in names
    ]
    try:
        with started(*commands) as (master, _, api):
            wait_for(lambda: Api(ports[2]).ask("GET", "/")[0] == 200, "the API")
            token = wait_for(lambda: Api(ports[2]).login("u0"), "a login")
            wait_for(lambda: ping(Api(ports[2]), token) == {"bench1": True}, "the minion")
            return figures_of(Api(ports[2]), api.pid, master.pid, token, options, is_ours)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def ping(api, token):
    """Return what the minion returns."""
    orders = [{"client": "local", "tgt": "bench1", "fun": "test.ping"}]
    return api.ask("POST", "/", orders, token)[1]["return"][0]


def figures_of(api, pid, master, token, options, is_ours):
    """Return all figures of one running system."""
    time.sleep(2)
    found = {"idle_pss_mib": processes.pss_mib(pid)}
    cpu, times = processes.cpu_s([pid]), []
    for _ in range(options.pings):
        began = time.monotonic()
        assert ping(api, token) == {"bench1": True}
        times.append(time.monotonic() - began)
    found["ping"] = quantiles(times)
    found["ping"]["api_cpu_ms"] = round((processes.cpu_s([pid]) - cpu) * 1000 / options.pings, 2)
    count = options.streams if is_ours else options.stock_streams
    fire = _firing(api, token)
    found["streams"] = measure_streams(api, pid, count, options.events, fire, master if is_ours else None)
    return found


def _firing(api, token):
    return lambda number: api.ask("POST", f"/hook/bench/{number}", {"n": number}, token)


def measure_streams(api, pid, count, events, fire, master=None):
    """Return figures of open streams: memory of each, time until an event has reached all, CPU."""
    tokens = [api.login(f"u{number}") for number in range(-(-count // STREAMS_OF_USER))]
    before = processes.pss_mib(pid)
    selector, readers = selectors.DefaultSelector(), []
    for number in range(count):
        source = f"127.0.0.{2 + number // STREAMS_OF_ADDRESS}"
        stream = _open_stream(api.port, source, tokens[number // STREAMS_OF_USER])
        selector.register(stream, selectors.EVENT_READ, number)
        readers.append(stream)
        if number % 50 == 49:
            time.sleep(1)
    _drain(selector, 2)
    found = {"streams": count, "kib_each": round((processes.pss_mib(pid) - before) * 1024 / count, 1)}
    cpu, times, missed = processes.cpu_s([pid]), [], 0
    hub = processes.cpu_s([master]) if master else 0
    for number in range(events):
        began = time.monotonic()
        fire(number)
        seen = _seen(selector, f"/bench/{number}".encode(), count)
        times += [moment - began for moment in seen.values()]
        missed += count - len(seen)
    found["event"] = {**quantiles(times), "missed": missed}
    found["event"]["cpu_us_each"] = round((processes.cpu_s([pid]) - cpu) * 1e6 / (events * count), 1)
    if master:
        found["event"]["master_cpu_ms_each"] = round((processes.cpu_s([master]) - hub) * 1000 / events, 2)
    for stream in readers:
        stream.close()
    return found


def _open_stream(port, source, token):
    """Return an open stream of events, from an address of this host."""
    stream = socket.create_connection(("127.0.0.1", port), PATIENCE, (source, 0))
    stream.sendall(f"GET /events HTTP/1.1\r\nHost: x\r\nX-Auth-Token: {token}\r\n\r\n".encode())
    return stream


def _drain(selector, seconds):
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        for key, _ in selector.select(left):
            key.fileobj.recv(65536)


def _seen(selector, tag, count):
    """Return {stream: moment} of an event in each stream."""
    seen, end = {}, time.monotonic() + 20
    while len(seen) < count and time.monotonic() < end:
        for key, _ in selector.select(1):
            if tag in key.fileobj.recv(65536):
                seen.setdefault(key.data, time.monotonic())
    return seen


class StandIn(threading.Thread):
    """Stand-in for a master: the socket of front ends, which knows 10,000 minions and fires events."""

    def __init__(self, path, minions):
        super().__init__(daemon=True)
        import msgpack

        self._pack, self._unpack = msgpack.packb, msgpack.unpackb
        self._rows = [_row(number) for number in range(minions)]
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(path)
        self._server.listen(1)
        self._users = 0
        self._lock = threading.Lock()

    def run(self):
        """Serve the API."""
        self._peer, _ = self._server.accept()
        stream = self._peer.makefile("rb")
        while head := stream.read(4):
            message = self._unpack(stream.read(struct.unpack(">I", head)[0]))
            if "n" in message and "load" in message:
                self._send({"n": message["n"], "reply": self._reply(message["load"])})
            elif "fire" in message:
                self._send({"n": message["n"], "reply": True})

    def fire(self, tag, data):
        """Send an event."""
        self._send({"event": tag.encode() + b"\n\n" + self._pack({**data, "_stamp": "2026-01-01T00:00:00"})})

    def _send(self, message):
        packed = self._pack(message)
        with self._lock:
            self._peer.sendall(struct.pack(">I", len(packed)) + packed)

    def _reply(self, load):
        if load["cmd"] == "mk_token":
            self._users += 1
            return {
                **{"token": f"{self._users:064x}", "name": load["username"], "eauth": "sharedsecret"},
                **{"start": time.time(), "expire": time.time() + 36000},
            }
        if load["cmd"] == "rights":
            return {"user": "u0", "eauth": "sharedsecret", "permissions": [".*"]}
        if load["cmd"] == "overview":
            is_whole = load.get("number") != 1
            rows = self._rows if is_whole else []
            return {"boot": "b", "number": 1, "is_whole": is_whole, "rows": rows, "gone": []}
        return {"connected": [], "gone": []} if load["cmd"] == "presence" else {}


def _row(number):
    return {
        **{"id": f"web{number:05d}.example", "os": "Debian", "os_version": "12", "os_family": "Debian"},
        **{"kernel": "Linux", "addresses": [f"10.{number >> 8 & 255}.{number & 255}.1"], "python": "3.11"},
        **{"version": "3008.3", "seen": 1.7e9, "connected": True, "last_run": None, "resources": 0},
    }


def measure_alone(bin_dir, options):
    """Return the figures of our API beside a stand-in for its master."""
    root = pathlib.Path(tempfile.mkdtemp(prefix="apib-"))
    (root / "sock").mkdir()
    ports = free_ports(3)
    (root / "master").write_text(json.dumps(settings(root, ports)))
    master = StandIn(str(root / "sock" / "salt_g_api.ipc"), options.minions)
    master.start()
    try:
        with started([f"{bin_dir}/salt-g", "api", "-c", str(root)]) as (process,):
            wait_for(lambda: Api(ports[2]).ask("GET", "/")[0] == 200, "the API")
            api = Api(ports[2])
            token = api.login("u0")
            found = {"page": _pages(api, process.pid, token)}
            found["streams"] = measure_streams(
                api, process.pid, options.streams, options.events, _stand_in_fires(master)
            )
            found["job"] = _job(api, process.pid, master, options.streams)
            return found
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _stand_in_fires(master):
    return lambda number: master.fire(f"salt/netapi/hook/bench/{number}", {"n": number})


def _pages(api, pid, token):
    """Return figures of pages of 100 of all minions: the first one, filtered, sorted."""
    found = {}
    for name, path in [
        ("first", "/v1/minions?limit=100"),
        ("filtered", "/v1/minions?limit=100&filter=web0123"),
        ("sorted", "/v1/minions?limit=100&sort=-seen"),
        ("summary", "/v1/minions/summary"),
    ]:
        cpu, times = processes.cpu_s([pid]), []
        for _ in range(100):
            began = time.monotonic()
            status, told = api.ask("GET", path, token=token)
            times.append(time.monotonic() - began)
            assert status == 200, told
            # Fewer than the rate that a session has.
            time.sleep(0.02)
        found[name] = {**quantiles(times), "cpu_ms": round((processes.cpu_s([pid]) - cpu) * 10, 2)}
    return found


def _job(api, pid, master, count):
    """Return the CPU of a job of 1,000 minions that all streams read."""
    tokens = [api.login(f"u{number}") for number in range(-(-count // STREAMS_OF_USER))]
    selector = selectors.DefaultSelector()
    for number in range(count):
        source = f"127.0.0.{100 + number // STREAMS_OF_ADDRESS}"
        stream = _open_stream(api.port, source, tokens[number // STREAMS_OF_USER])
        selector.register(stream, selectors.EVENT_READ, number)
        if number % 50 == 49:
            _drain(selector, 1)
    cpu, began = processes.cpu_s([pid]), time.monotonic()
    ids = [f"web{number:05d}" for number in range(1000)]
    jid = "20260101000000000000"
    master.fire(f"salt/job/{jid}/new", {"jid": jid, "fun": "test.ping", "user": "u0", "minions": ids})
    for id in ids:
        master.fire(f"salt/job/{jid}/ret/{id}", {"jid": jid, "fun": "test.ping", "id": id, "return": True})
    master.fire("salt/netapi/hook/bench/end", {})
    seen = _seen(selector, b"/bench/end", count)
    wall = time.monotonic() - began
    return {
        **{"streams": count, "events": 1002, "wall_s": round(wall, 2), "reached": len(seen)},
        "cpu_s": round(processes.cpu_s([pid]) - cpu, 2),
    }


def build_parser():
    """Return the argument parser."""
    parser = argparse.ArgumentParser(prog="api_bench.py", description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("both", "alone"))
    parser.add_argument("--ours", required=True, metavar="DIR", help="directory with salt-g")
    parser.add_argument("--stock", metavar="DIR", help="directory with salt-master, salt-minion and salt-api")
    parser.add_argument("--pings", type=int, default=100)
    parser.add_argument("--streams", type=int, default=1000, help="open streams of ours")
    parser.add_argument("--stock-streams", type=int, default=50, help="of stock: a thread for each")
    parser.add_argument("--events", type=int, default=20)
    parser.add_argument("--minions", type=int, default=10_000, help="that the stand-in knows")
    return parser


def main():
    """Measure and print."""
    options = build_parser().parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 8192)), hard))
    found = {"load_before": os.getloadavg()}
    if options.what == "alone":
        found["ours"] = measure_alone(options.ours, options)
    else:
        found["ours"] = measure_system(options.ours, True, options)
        if options.stock:
            found["stock"] = measure_system(options.stock, False, options)
    found["load_after"] = os.getloadavg()
    json.dump(found, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
