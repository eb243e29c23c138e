"""Session state kept across a restart."""

import pytest

from salt_g.errors import WireError
from salt_g.keys.admission import ACCEPTED
from salt_g.keys.files import KeyFiles
from salt_g.master.admission.session_persistence import FILE_NAME, restore_sessions, save_sessions
from salt_g.master.admission.sessions import MinionSessions, SessionTable
from salt_g.master.publishing.publish_keys import PublishKeys


class Run:
    """The parts of one run of a master."""

    def __init__(self, root, master_key):
        self.root = str(root)
        self.keys = KeyFiles(f"{root}/pki")
        self.table = SessionTable()
        self.sessions = MinionSessions(self.table, self.keys, lifetime=100, on_end=lambda session: None)
        self.publish_keys = PublishKeys(master_key)

    def resume(self):
        return restore_sessions(self.root, self.keys, self.sessions, self.publish_keys)


@pytest.fixture
def start(tmp_path, master_key):
    """Return a function that makes a run of the master."""
    return lambda: Run(tmp_path, master_key)


@pytest.fixture
def first(start, tmp_path, minion_key):
    public = minion_key.public
    (tmp_path / "pki" / ACCEPTED).mkdir(parents=True)
    for id in ("m1", "m2"):
        (tmp_path / "pki" / ACCEPTED / id).write_text(public.pem)
    run = start()
    text = run.publish_keys.current().crypticle.text
    run.publish_keys.serials.take()
    assert text
    for id in ("m1", "m2"):
        session = run.sessions.begin(id, public, now=0.0)
        session.generation = run.publish_keys.generation
        session.ring.current.guard.check("nonce", 1000)
    save_sessions(run.root, run.sessions, run.publish_keys)
    return run


def test_keys_go_on_and_nothing_is_served_twice(first, start):
    second = start()

    assert second.resume() == 2
    assert second.publish_keys.text == first.publish_keys.text
    assert second.publish_keys.serials.take() == 2
    guard = second.sessions.get("m1").ring.current.guard
    with pytest.raises(WireError):
        guard.check("nonce", 1000)
    guard.check("nonce", 1001)


def test_the_file_serves_one_start(first, start, tmp_path):
    start().resume()

    assert not (tmp_path / FILE_NAME).exists()
    assert start().resume() == 0


def test_a_key_revoked_while_stopped_replaces_the_publish_key(first, start, tmp_path):
    (tmp_path / "pki" / ACCEPTED / "m2").unlink()
    second = start()

    assert second.resume() == 1
    assert second.publish_keys.text == b""
    assert second.sessions.get("m1").generation < second.publish_keys.generation


def test_a_damaged_file_costs_only_a_sign_in(first, start, tmp_path):
    (tmp_path / FILE_NAME).write_bytes(b"\x81\xa3key\xa1x")
    second = start()

    assert second.resume() == 0
    assert second.publish_keys.current()
