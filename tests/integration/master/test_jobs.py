"""Jobs of a real master, with minions built on `salt_g.wire`."""

import concurrent.futures

import pytest
import zmq

from salt_g.errors import SealBroken
from salt_g.wire.publications import SerialGuard, open_publication
from tests.support.peers import Peer, publish
from tests.support.waiting import until


class Listener:
    """A subscribed minion."""

    def __init__(self, context, master, id, number=0):
        self.peer = Peer(master, id, number).sign_in()
        self.guard = SerialGuard()
        self._socket = context.socket(zmq.SUB)
        self._socket.linger = 0
        self._socket.subscribe(b"")
        monitor = self._socket.get_monitor_socket(zmq.EVENT_HANDSHAKE_SUCCEEDED)
        self._socket.connect(f"tcp://127.0.0.1:{master.publish_port}")
        assert monitor.poll(30_000)
        self._socket.disable_monitor()
        monitor.close()

    def receive(self):
        """Return the next publication's bytes."""
        assert self._socket.poll(15_000), "no publication came"
        return self._socket.recv()

    def receive_while(self, publishing):
        """Return the next publication while another thread publishes it.

        A socket that is not polled does not subscribe again after its connection was lost.
        """
        with concurrent.futures.ThreadPoolExecutor(1) as threads:
            published = threads.submit(publishing)
            payload = self.receive()
            published.result()
        return payload

    def opened(self, payload):
        """Return the job of a publication; raises SealBroken with a wrong key."""
        grant = self.peer.grant
        return open_publication(payload, grant.publish, grant.master, self.guard)

    def answer(self, job, **more):
        """Send the return of a job."""
        load = {"cmd": "_return", "jid": job["jid"], "fun": job["fun"], "fun_args": job["arg"]}
        return self.peer.ask({**load, "return": True, "retcode": 0, "success": True, **more})

    def close(self):
        self._socket.close()


@pytest.fixture
def listen():
    """Yield a function that starts a listener: `listen(master, id, number=0)`."""
    with zmq.Context() as context:
        listeners = []

        def make(master, id, number=0):
            listeners.append(Listener(context, master, id, number))
            return listeners[-1]

        yield make
        for listener in listeners:
            listener.close()


def test_a_job_reaches_a_minion_and_its_return_the_job_cache(start_master, listen):
    master = start_master()
    minion = listen(master, "m1")

    reply = publish(master, "test.ping", tgt="m*")
    job = minion.opened(minion.receive())
    acknowledged = minion.answer(job)

    assert reply == {"jid": job["jid"], "minions": ["m1"], "missing": []}
    assert job["tgt"] == "m*"
    assert acknowledged is None
    assert returns_of(master, job["jid"]) == {"m1": True}


def test_a_target_without_minions_is_not_a_job(start_master):
    master = start_master()

    reply = publish(master, "test.ping", tgt="nobody*")

    assert reply == {
        "jid": None,
        "minions": [],
        "error": "Master could not resolve minions for target nobody*",
    }


def test_a_return_of_an_unpublished_job_does_not_count(start_master, listen):
    master = start_master()
    minion, other = listen(master, "m1"), listen(master, "x1")

    publish(master, "test.ping", tgt="m*")
    job = minion.opened(minion.receive())

    assert other.answer(job) is None
    assert returns_of(master, job["jid"]) == {}
    assert "not published to it" in master.log()


def test_the_first_return_stays(start_master, listen):
    master = start_master()
    minion = listen(master, "m1")
    publish(master, "test.ping")
    job = minion.opened(minion.receive())

    minion.answer(job)
    minion.answer(job, **{"return": "another"})

    assert returns_of(master, job["jid"]) == {"m1": True}
    assert "a second time with another result" in master.log()


def test_a_return_without_a_job_becomes_one(start_master, listen):
    master = start_master()
    minion = listen(master, "m1")

    minion.answer({"jid": "req", "fun": "test.echo", "arg": ["x"]})

    jobs = stored(master, "SELECT jid, fun FROM jobs")
    assert [fun for _, fun in jobs] == ["test.echo"]
    assert returns_of(master, jobs[0][0]) == {"m1": True}


def test_after_a_cut_off_the_others_come_to_a_new_key_before_the_next_job(start_master, listen):
    master = start_master()
    minion, gone = listen(master, "m1"), listen(master, "x1", 1)
    minion.peer.ask({"cmd": "_minion_event", "tag": "hello", "data": {}})
    old = minion.peer.grant

    (master.pki_dir / "minions" / "x1").unlink()
    with pytest.raises(SealBroken):
        gone.peer.ask({"cmd": "_minion_event", "tag": "hello", "data": {}})
    invitation = minion.opened(minion.receive())
    event = {"cmd": "_minion_event", "tag": invitation["arg"][1], "data": {}}
    with pytest.raises(SealBroken):
        minion.peer.ask(event)
    minion.peer.sign_in()

    assert minion.peer.ask(event) is None
    assert minion.peer.grant.publish.text != old.publish.text
    publish(master, "test.ping")
    payload = minion.receive()
    assert minion.opened(payload)["fun"] == "test.ping"
    gone.receive()
    with pytest.raises(SealBroken):
        gone.opened(gone.receive())


def test_an_orderly_restart_makes_nobody_sign_in_again(start_master, listen):
    master = start_master()
    minion = listen(master, "m1")
    event = {"cmd": "_minion_event", "tag": "hello", "data": {}}
    minion.peer.ask(event)

    master.stop()
    master.start()

    with pytest.raises(SealBroken):
        # Sent in the same second as the last one that the earlier run has seen.
        minion.peer.ask(event, now=1_000_000_000)
    assert minion.peer.ask(event, now=4_000_000_000) is None
    payload = minion.receive_while(lambda: publish(master, "test.ping"))
    assert minion.opened(payload)["fun"] == "test.ping"


def test_a_key_revoked_while_no_master_runs_is_cut_off_at_the_start(start_master, listen):
    master = start_master()
    minion, gone = listen(master, "m1"), listen(master, "x1", 1)

    master.stop()
    (master.pki_dir / "minions" / "x1").unlink()
    master.start()
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        also = threads.submit(minion.receive)
        payload = gone.receive_while(lambda: publish(master, "test.ping"))
        assert also.result() == payload

    with pytest.raises(SealBroken):
        gone.opened(payload)
    with pytest.raises(SealBroken):
        minion.opened(payload)
    minion.peer.sign_in()
    assert minion.opened(payload)["fun"] == "test.ping"


def test_after_a_crash_minions_sign_in_again_and_get_the_job(start_master, listen):
    master = start_master()
    minion = listen(master, "m1")

    # The list of connected minions is written a moment later.
    until(lambda: "m1" in connected_before(master), "the master notes m1 as connected")

    master.kill()
    master.start()
    payload = minion.receive_while(lambda: publish(master, "test.ping"))

    with pytest.raises(SealBroken):
        minion.opened(payload)
    minion.peer.sign_in()
    assert minion.answer(minion.opened(payload)) is None


def stored(master, query, *values):
    """Return rows of the master's store."""
    import contextlib
    import sqlite3

    with contextlib.closing(sqlite3.connect(master.cachedir / "store.sqlite")) as connection:
        return connection.execute(query, values).fetchall()


def connected_before(master):
    """Return the minions recorded as connected, {id: address}."""
    from salt_g.wire.packing import unpack

    rows = stored(master, "SELECT data FROM entries WHERE bank = 'master' AND key = 'connected'")
    return unpack(rows[0][0])["addresses"] if rows else {}


def returns_of(master, jid):
    """Return {id: return} of a job."""
    from salt_g.wire.packing import unpack

    rows = stored(master, "SELECT id, data FROM returns WHERE jid = ?", jid)
    return {id: unpack(data)["return"] for id, data in rows}
