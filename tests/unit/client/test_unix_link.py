"""The connection to our own master: replies by number, events between them."""

import os
import pathlib
import socket
import tempfile
import threading

import pytest

from salt_g.client.frames import SOCKET, FrameCutter, frame
from salt_g.client.link import MasterEvent
from salt_g.client.unix_link import UnixLink, is_served, link_if_served
from salt_g.errors import ClientError, MasterUnreachable
from salt_g.wire.events import pack_event


class Master:
    """The master's end: it reads messages, and sends what the test supplies."""

    def __init__(self, folder):
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(os.path.join(folder, SOCKET))
        self.listening.listen()
        self.link = UnixLink(str(folder))
        self.peer, _ = self.listening.accept()

    def send(self, *messages):
        self.peer.sendall(b"".join(map(frame, messages)))

    def received(self):
        """Return the messages received so far."""
        return list(FrameCutter().feed(self.peer.recv(65536)))

    def close(self):
        for one in (self.link, self.peer, self.listening):
            one.close()


def event(tag, **data):
    return {"event": pack_event(tag, data)}


@pytest.fixture
def folder(open_directory):
    return pathlib.Path(tempfile.mkdtemp(dir=open_directory))


@pytest.fixture
def master(folder):
    made = Master(folder)
    yield made
    made.close()


def test_a_reply_comes_by_its_number_and_events_before_it_are_kept(master):
    master.send(event("a", n=1), {"n": 9, "reply": "of another"}, event("b"), {"n": 1, "reply": [1]})

    assert master.link.ask({"cmd": "x"}, timeout=10, follow=True) == [1]

    assert master.received() == [{"n": 1, "load": {"cmd": "x"}, "following": True}]
    assert [master.link.next_event(10), master.link.next_event(0)] == [
        MasterEvent("a", {"n": 1}),
        MasterEvent("b", {}),
    ]
    assert master.link.next_event(0) is None


@pytest.mark.parametrize("order", [(1, 2), (2, 1)], ids=["before", "behind"])
def test_a_late_reply_answers_no_other_question_and_replaces_no_reply(master, order):
    with pytest.raises(MasterUnreachable, match="within 0.01 s"):
        master.link.ask({"cmd": "slow"}, timeout=0.01)

    replies = {1: "late", 2: "mine"}
    master.send(*({"n": number, "reply": replies[number]} for number in order))

    assert master.link.ask({"cmd": "next"}, timeout=10) == "mine"


def test_an_error_is_raised_and_the_connection_goes_on(master):
    master.send({"n": 1, "error": "no such command"})
    with pytest.raises(ClientError, match="no such command"):
        master.link.ask({"cmd": "x"}, timeout=10)

    master.send({"n": 2, "reply": None})
    assert master.link.ask({"cmd": "y"}, timeout=10) is None


def test_subscriptions_and_events_are_sent_to_the_master(master):
    master.send({"n": 1, "reply": True})
    master.link.subscribe("mine", "endswith")
    master.send({"n": 2, "reply": True})
    master.link.fire("tag", {"x": 1})
    master.link.unsubscribe("mine", "endswith")

    assert master.received() == [
        {"n": 1, "follow": [["mine", "endswith"]]},
        {"n": 2, "fire": ["tag", {"x": 1}]},
        {"leave": [["mine", "endswith"]]},
    ]


def test_a_question_ends_in_time_though_events_never_rest(master):
    frames = frame(event("other")) * 1000
    stopped = threading.Event()

    def stream():
        try:
            while not stopped.is_set():
                master.peer.sendall(frames)
        except OSError:
            pass

    writer = threading.Thread(target=stream)
    writer.start()
    try:
        with pytest.raises(MasterUnreachable, match="within 0.05 s"):
            master.link.ask({"cmd": "x"}, timeout=0.05)
    finally:
        stopped.set()
        master.link.close()
        writer.join()


@pytest.mark.parametrize("data", [b"\xff" * 8, frame({"event": b"no tag"})], ids=["no frame", "no event"])
def test_unreadable_data_makes_the_master_unreachable(master, data):
    master.peer.sendall(data)

    with pytest.raises(MasterUnreachable, match="cannot be read"):
        master.link.next_event(10)


def test_a_master_that_hangs_up_is_unreachable(master):
    master.peer.close()

    with pytest.raises(MasterUnreachable, match=f"{SOCKET}.*(was it stopped|reset)"):
        master.link.next_event(10)


def test_without_a_socket_or_a_master_behind_it_the_way_out_is_reported(folder):
    assert not is_served(str(folder))
    with pytest.raises(MasterUnreachable, match="No such file or directory.*; is the master running"):
        UnixLink(str(folder))

    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(folder / SOCKET))
    assert not is_served(str(folder))
    assert link_if_served(str(folder)) is None
    assert link_if_served(str(folder / ("x" * 120))) is None
    with pytest.raises(MasterUnreachable, match="Connection refused.*; is the master running"):
        UnixLink(str(folder))


def test_a_master_that_serves_is_connected_to(master, folder):
    link = link_if_served(str(folder))

    assert is_served(str(folder))
    assert link is not None
    link.close()


def test_whether_a_master_serves_is_not_known_without_permission(folder):
    def deny(*_):
        raise PermissionError(13, "Permission denied")

    # Permissions mean nothing to root, who runs these tests in some places.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", deny)
        with pytest.raises(MasterUnreachable, match="Permission denied.*; run as root"):
            link_if_served(str(folder))
        assert is_served(str(folder))
