"""The socket of front ends: orders with a source address, concurrent answers, all events."""

import json
import os
import stat

import gevent.event
import gevent.socket
import pytest

from salt_g.client.frames import FrameCutter, frame
from salt_g.errors import TargetError
from salt_g.event.bus import Bus
from salt_g.master.calls.front_end import MODE, FrontEndServer
from salt_g.process.supervisor import Supervisor
from salt_g.wire.events import unpack_event
from tests.support.waiting import hub_until


class Program:
    """A front end: a connection to the socket."""

    def __init__(self, path):
        self.socket = gevent.socket.socket(gevent.socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)
        self.cutter = FrameCutter()
        self.messages = []

    def send(self, **message):
        self.socket.sendall(frame(message))

    def next(self):
        while not self.messages:
            self.messages += self.cutter.feed(self.socket.recv(1 << 16))
        return self.messages.pop(0)

    def ask(self, **message):
        self.send(n=1, **message)
        return self.next()


@pytest.fixture
def bus():
    return Bus()


@pytest.fixture
def slow():
    return gevent.event.Event()


@pytest.fixture
def path(tmp_path, bus, slow):
    supervisor = Supervisor("test")

    def answer(load, caller):
        if load["cmd"] == "slow":
            slow.wait(30)
        if load["cmd"] == "target":
            raise TargetError("no such target")
        if load["cmd"] == "fail":
            raise SystemExit(1)
        return [load, caller.address, caller.uid, caller.source]

    place = str(tmp_path / "s.ipc")
    server = FrontEndServer(place, answer=answer, bus=bus, supervisor=supervisor, user="")
    server.start()
    yield place
    server.stop()
    supervisor.stop()


@pytest.fixture
def program(path):
    made = Program(path)
    yield made
    made.socket.close()


def test_only_the_group_of_the_front_end_may_connect(path):
    assert stat.S_IMODE(os.stat(path).st_mode) == MODE == 0o660


def test_an_order_has_the_rights_of_its_login_and_never_of_the_front_ends_user(program):
    load = {"cmd": "publish", "key": "root's", "user": "root", "token": "t"}

    answer = program.ask(load=load, source="192.0.2.7")

    assert answer == {"n": 1, "reply": [{"cmd": "publish", "token": "t"}, "192.0.2.7", None, "192.0.2.7"]}


@pytest.mark.parametrize(
    ("message", "error"),
    [
        ({"load": {"cmd": "c"}}, "needs its source address"),
        ({"load": {"cmd": "c"}, "source": "x" * 65}, "needs its source address"),
        ({"follow": [["salt/", "startswith"]]}, "holds no known request"),
        ({"fire": ["salt/job/1/ret/m1", {}]}, "below salt/netapi/ only"),
        ({"fire": ["salt/netapi/hook", 1]}, "an event must be"),
        ({"load": {"cmd": "target"}, "source": "::1"}, "no such target"),
        ({"load": {"cmd": "fail"}, "source": "::1"}, "its log says why"),
    ],
)
def test_a_message_that_cannot_be_served_gets_an_error_and_the_next_one_is_served(program, message, error):
    assert error in program.ask(**message)["error"]
    assert program.ask(load={"cmd": "c"}, source="::1")["reply"][1] == "::1"


def test_a_slow_order_does_not_delay_the_next_one(program, slow):
    program.send(n=1, load={"cmd": "slow"}, source="::1")
    program.send(n=2, load={"cmd": "fast"}, source="::1")

    assert program.next()["n"] == 2
    slow.set()
    assert program.next()["n"] == 1


def test_all_events_are_sent_and_hooks_are_fired(program, bus):
    program.ask(load={"cmd": "c"}, source="::1")
    bus.fire("salt/auth", {"id": "m1"})

    assert unpack_event(program.next()["event"])[0] == "salt/auth"
    program.send(n=2, fire=["salt/netapi/hook/x", {"body": "b"}])
    result = [program.next(), program.next()]
    tag, data = unpack_event(next(one["event"] for one in result if "event" in one))
    assert tag == "salt/netapi/hook/x"
    assert data["body"] == "b"


def test_an_order_that_cannot_be_read_is_answered_and_the_next_one_served(program):
    whole = frame({"n": 5, "load": {"cmd": "x", "arg": json.loads("[" * 400 + "]" * 400)}, "source": "x"})

    program.socket.sendall(whole)

    answer = program.next()
    assert answer["n"] == 5
    assert "nested deeper" in answer["error"]
    assert "reply" in program.ask(load={"cmd": "x"}, source="10.0.0.1")


def test_a_front_end_that_reads_too_slowly_learns_where_events_are_missing(program, bus):
    large = "x" * 900_000
    hub_until(lambda: bus.subscriptions, "the front end follows the events")
    for number in range(60):
        bus.fire(f"salt/t/{number}", {"text": large})

    bus.fire("salt/last", {})
    seen = []
    while not seen or not seen[-1].get("event", b"").startswith(b"salt/last"):
        seen.append(program.next())

    places = [number for number, message in enumerate(seen) if "lost" in message]
    assert len(places) == 1
    assert seen[places[0]]["lost"] == 61 - sum("event" in message for message in seen) > 0
    assert "event" in seen[places[0] + 1]
