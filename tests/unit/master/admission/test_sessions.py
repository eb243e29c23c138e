"""Sessions, whose lifetime is that of their keys."""

import time

import pytest

from salt_g.errors import SealBroken, WireError
from salt_g.keys.admission import ACCEPTED
from salt_g.keys.files import KeyFiles
from salt_g.keys.store import KeyStore
from salt_g.master.admission.sessions import MinionSessions, SessionTable


@pytest.fixture
def keys(tmp_path):
    (tmp_path / ACCEPTED).mkdir()
    return KeyFiles(str(tmp_path))


@pytest.fixture
def key(minion_key):
    return minion_key.public


@pytest.fixture
def ended():
    return []


@pytest.fixture
def sessions(keys, ended):
    return MinionSessions(SessionTable(), keys, lifetime=100, on_end=ended.append)


def write(keys, id, public):
    with open(f"{keys.pki_dir}/{ACCEPTED}/{id}", "w") as file:
        file.write(public.pem + "\n")


def test_a_minion_without_a_key_has_no_session(keys, sessions, key):
    with pytest.raises(WireError, match="no accepted key"):
        sessions.of_sender("m1")
    with pytest.raises(WireError):
        sessions.begin("m1", key, now=0.0)


def test_two_sign_ins_share_a_session_key(keys, sessions, key):
    write(keys, "m1", key)

    first = sessions.begin("m1", key, now=0.0).ring.current
    second = sessions.begin("m1", key, now=50.0).ring.current

    assert first is second


def test_an_old_session_key_is_replaced_at_a_sign_in_and_opens_a_little_longer(keys, sessions, key):
    write(keys, "m1", key)
    session = sessions.begin("m1", key, now=0.0)
    first = session.ring.current

    sessions.begin("m1", key, now=100.0)

    assert session.ring.current is not first
    assert first in list(session.ring.keys(101.0))


def test_a_key_that_is_removed_ends_the_session(keys, sessions, ended, key):
    write(keys, "m1", key)
    session = sessions.begin("m1", key, now=time.monotonic())
    assert sessions.of_sender("m1") is session

    KeyStore(keys).delete("m1")

    with pytest.raises(WireError):
        sessions.of_sender("m1")
    assert ended == [session]


def test_a_key_that_is_replaced_ends_the_session(keys, sessions, ended, key, other_key):
    write(keys, "m1", key)
    session = sessions.begin("m1", key, now=time.monotonic())

    write(keys, "m1", other_key.public)

    with pytest.raises(SealBroken):
        sessions.of_sender("m1")
    assert ended == [session]


def test_a_key_file_that_is_written_again_changes_nothing(keys, sessions, ended, key):
    write(keys, "m1", key)
    session = sessions.begin("m1", key, now=time.monotonic())

    KeyStore(keys).delete("m1")
    write(keys, "m1", key)

    assert sessions.of_sender("m1") is session
    assert ended == []


def test_all_whose_keys_are_gone_are_found_at_once(keys, sessions, ended, key):
    for id in ("m1", "m2", "m3"):
        write(keys, id, key)
        sessions.begin(id, key, now=0.0)

    KeyStore(keys).delete("m1,m3")
    sessions.end_revoked()

    assert sorted(session.id for session in ended) == ["m1", "m3"]
    assert [session.id for session in sessions] == ["m2"]
