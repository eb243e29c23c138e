"""What one run hands to the next."""

import pytest

from salt_g.errors import WireError
from salt_g.keys.admission import ACCEPTED
from salt_g.keys.store import KeyStore
from salt_g.master.publish_keys import PublishKeys
from salt_g.master.resumption import FILE_NAME, hand_over, resume
from salt_g.master.sessions import Sessions
from salt_g.wire.rsa import PrivateKey

MASTER, MINION = PrivateKey.generate(2048), PrivateKey.generate(2048).public


class Run:
    """The parts of one run of a master."""

    def __init__(self, root):
        self.root = str(root)
        self.keys = KeyStore(f"{root}/pki")
        self.sessions = Sessions(self.keys, lifetime=100, on_end=lambda session: None)
        self.publish_keys = PublishKeys(MASTER)

    def resume(self):
        return resume(self.root, self.keys, self.sessions, self.publish_keys)


@pytest.fixture
def first(tmp_path):
    (tmp_path / "pki" / ACCEPTED).mkdir(parents=True)
    for id in ("m1", "m2"):
        (tmp_path / "pki" / ACCEPTED / id).write_text(MINION.pem)
    run = Run(tmp_path)
    text = run.publish_keys.current().crypticle.text
    run.publish_keys.serials.take()
    assert text
    for id in ("m1", "m2"):
        session = run.sessions.begin(id, MINION, now=0.0)
        session.generation = run.publish_keys.generation
        session.ring.current.guard.check("nonce", 1000)
    hand_over(run.root, run.sessions, run.publish_keys)
    return run


def test_keys_go_on_and_nothing_is_served_twice(first, tmp_path):
    second = Run(tmp_path)

    assert second.resume() == 2
    assert second.publish_keys.text == first.publish_keys.text
    assert second.publish_keys.serials.take() == 2
    guard = second.sessions.get("m1").ring.current.guard
    with pytest.raises(WireError):
        guard.check("nonce", 1000)
    guard.check("nonce", 1001)


def test_the_file_serves_one_start(first, tmp_path):
    Run(tmp_path).resume()

    assert not (tmp_path / FILE_NAME).exists()
    assert Run(tmp_path).resume() == 0


def test_who_lost_its_key_takes_the_publish_key_along(first, tmp_path):
    (tmp_path / "pki" / ACCEPTED / "m2").unlink()
    second = Run(tmp_path)

    assert second.resume() == 1
    assert second.publish_keys.text == b""
    assert second.sessions.get("m1").generation < second.publish_keys.generation


def test_a_damaged_file_costs_a_sign_in_and_no_more(first, tmp_path):
    (tmp_path / FILE_NAME).write_bytes(b"\x81\xa3key\xa1x")
    second = Run(tmp_path)

    assert second.resume() == 0
    assert second.publish_keys.current()
