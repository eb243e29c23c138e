"""The socket of the command line: our server on greenlets, our client in another process."""

import json
import os
import subprocess
import sys

import gevent
import pytest

from salt_g.client.frames import MAX_FRAME
from salt_g.event.bus import Bus
from salt_g.master.calls.ipc_server import IpcServer
from salt_g.process.supervisor import Supervisor

JID = "20260102030405678901"
#: A program: the words of each line are asked of the link, the answers are printed as JSON lines.
PROGRAM = """
import json, sys
from salt_g.client.unix_link import UnixLink
link = UnixLink(sys.argv[1])
for step in json.load(sys.stdin):
    name, *args = step
    kwargs = args.pop() if args and isinstance(args[-1], dict) and name == "ask" else {}
    if name == "ask":
        load = dict(kwargs.pop("load"))
        print(json.dumps(link.ask(load, timeout=30, **kwargs)), flush=True)
    elif name == "next":
        event = link.next_event(30)
        print(json.dumps([event.tag, event.data.get("n")]), flush=True)
    else:
        getattr(link, name)(*args)
        print(json.dumps(name), flush=True)
heavy = {"gevent", "zmq", "Crypto", "ssl", "asyncio", "dataclasses", "inspect"} & set(sys.modules)
print(json.dumps([len(sys.modules), sorted(heavy)]))
"""


@pytest.fixture
def bus():
    return Bus()


@pytest.fixture
def served(tmp_path, bus):
    """Yield a function that serves `answer` at a socket and returns its directory."""
    supervisor = Supervisor("test")
    servers = []

    def serve(answer, **options):
        path = tmp_path / "salt_g.ipc"
        server = IpcServer(str(path), answer=answer, bus=bus, supervisor=supervisor, **options)
        server.start()
        servers.append(server)
        return tmp_path

    yield serve
    for server in servers:
        server.stop()
    supervisor.stop()


def run(directory, *steps):
    """Run the program beside the hub; return (answers, imported modules)."""
    command = [sys.executable, "-c", PROGRAM, str(directory)]
    done = gevent.get_hub().threadpool.apply(
        lambda: subprocess.run(command, input=json.dumps(steps), capture_output=True, text=True, timeout=120)
    )
    assert done.returncode == 0, done.stderr
    *answers, imported = map(json.loads, done.stdout.splitlines())
    return answers, imported


def test_a_request_is_answered_and_the_kernel_identifies_the_caller(served):
    callers = []
    directory = served(lambda load, caller: callers.append(caller) or {"echo": load})

    answers, _ = run(directory, ["ask", {"load": {"cmd": "ping", "blob": "x" * 300_000}}])

    assert answers == [{"echo": {"cmd": "ping", "blob": "x" * 300_000}}]
    assert [caller.uid for caller in callers] == [os.getuid()]


def test_the_link_imports_little(served):
    directory = served(lambda load, caller: {})

    _, (count, heavy) = run(directory, ["ask", {"load": {"cmd": "ping"}}])

    assert heavy == []
    assert count < 130


def test_events_of_a_job_are_followed_from_the_first_one(served, bus):
    def publish(load, caller):
        bus.fire(f"salt/job/{JID}/new", {"n": 1})
        bus.fire("salt/job/20260102030405678902/new", {"n": 2})
        bus.fire(f"salt/job/{JID}/ret/m1", {"n": 3})
        gevent.spawn_later(0.2, bus.fire, f"salt/job/{JID}/ret/m2", {"n": 4})
        return {"enc": "clear", "load": {"jid": JID, "minions": ["m1", "m2"]}}

    directory = served(publish)

    answers, _ = run(directory, ["ask", {"load": {"cmd": "publish"}, "follow": True}], *[["next"]] * 3)

    assert [number for _, number in answers[1:]] == [1, 3, 4]


def test_fired_events_reach_the_subscribers(served):
    directory = served(lambda load, caller: {})

    answers, _ = run(directory, ["subscribe", "my/*", "fnmatch"], ["fire", "my/tag", {"n": 7}], ["next"])

    assert answers[-1] == ["my/tag", 7]


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (RuntimeError("no"), "the master failed to serve this request; its log says why"),
        (SystemExit(1), "the master failed to serve this request; its log says why"),
        (gevent.Timeout(1), "the master failed to serve this request; its log says why"),
        (object(), "the answer of the master cannot be sent"),
        ("x" * (MAX_FRAME + 1), "the answer of the master cannot be sent"),
    ],
    ids=["an error", "sys.exit", "a time limit", "of no form", "too large"],
)
def test_a_question_without_an_answer_is_reported_and_the_next_one_served(served, outcome, expected):
    def answer(load, caller):
        if load["cmd"] != "bad":
            return load["cmd"]
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    directory = served(answer)
    program = PROGRAM.replace(
        "print(json.dumps(link.ask(load, timeout=30, **kwargs)), flush=True)",
        "try:\n            print(json.dumps(link.ask(load, timeout=30)))\n"
        "        except Exception as exc:\n            print(json.dumps(str(exc)))",
    )
    steps = json.dumps([["ask", {"load": {"cmd": "bad"}}], ["ask", {"load": {"cmd": "good"}}]])

    done = gevent.get_hub().threadpool.apply(
        lambda: subprocess.run(
            [sys.executable, "-c", program, str(directory)],
            input=steps,
            capture_output=True,
            text=True,
            timeout=120,
        )
    )

    first, second, *_ = map(json.loads, done.stdout.splitlines())
    assert first.startswith(expected)
    assert second == "good"


def test_the_socket_is_for_root_and_the_masters_user_unless_opened(served):
    directory = served(lambda load, caller: {})

    assert (directory / "salt_g.ipc").stat().st_mode & 0o777 == 0o600


def test_a_peer_that_sends_nonsense_is_hung_up_on_and_others_are_served(served):
    directory = served(lambda load, caller: "here")

    from gevent import socket

    with socket.socket(socket.AF_UNIX) as wrong:
        wrong.connect(str(directory / "salt_g.ipc"))
        wrong.sendall(b"\xff\xff\xff\xffxxxx")
        wrong.settimeout(30)
        assert wrong.recv(10) == b""
    answers, _ = run(directory, ["ask", {"load": {"cmd": "ping"}}])

    assert answers == ["here"]
