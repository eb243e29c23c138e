"""Sessions on disk."""

import pytest

from salt_g.http_api.sessions import OF_ONE_USER, LoginSessions, is_masters_token
from tests.support.clocks import Clock

TOKEN = "cd" * 32


@pytest.fixture
def clock():
    return Clock(1000.0)


@pytest.fixture
def ended():
    return []


@pytest.fixture
def make(tmp_path, clock, ended):
    def made():
        sessions = LoginSessions(str(tmp_path / "s"), clock=clock, on_end=ended.append)
        sessions.start()
        return sessions

    return made


def content(user="ann", start=1000.0, expire=2000.0):
    return {"token": TOKEN, "name": user, "eauth": "pam", "start": start, "expire": expire}


def test_a_session_is_found_by_its_token_also_after_a_restart(make):
    token, session = make().make(content())

    again = make()
    assert again.get(token) == session
    assert session.token == TOKEN
    assert again.get("0" * 40) is None
    assert again.get("../" + token[3:]) is None


def test_the_disk_holds_neither_token(make, tmp_path):
    token, _ = make().make(content())

    for path in (tmp_path / "s").iterdir():
        text = path.name + path.read_text()
        assert token not in text
        assert TOKEN not in text


def test_a_session_ends_with_its_time_and_by_word(make, clock, ended):
    sessions = make()
    token, session = sessions.make(content())
    other, _ = sessions.make(content("bob", expire=9000.0))

    clock.now = 2001.0
    assert sessions.get(token) is None
    assert ended == [session.digest]
    sessions.end(sessions.get(other).digest)
    assert sessions.get(other) is None
    assert len(make()) == 0


def test_sessions_that_are_over_are_cleaned(make, clock, tmp_path):
    sessions = make()
    sessions.make(content())
    clock.now = 3000.0

    assert sessions.clean() == 1
    assert list((tmp_path / "s").iterdir()) == []


def test_a_users_sessions_are_limited_and_the_oldest_is_dropped(make):
    sessions = make()
    other, _ = sessions.make(content("bob"))
    first, _ = sessions.make(content())
    for _ in range(OF_ONE_USER):
        last, _ = sessions.make(content())

    assert sessions.get(first) is None
    assert sessions.get(last)
    assert sessions.get(other)


def test_a_damaged_session_is_none(make, tmp_path):
    sessions = make()
    token, session = sessions.make(content())
    (tmp_path / "s" / session.digest).write_text("{")

    assert sessions.get(token) is None
    assert len(make()) == 0


def test_the_form_of_a_masters_token():
    assert is_masters_token(TOKEN)
    assert not is_masters_token(TOKEN[:40])
    assert not is_masters_token(7)
