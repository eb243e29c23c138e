"""Connection limits of a local socket, shared among users."""

from salt_g.transport import user_limits
from salt_g.transport.user_limits import UserLimits


def test_a_user_has_a_share_and_others_are_let_in(monkeypatch):
    monkeypatch.setattr(user_limits.os, "geteuid", lambda: 7)
    places = UserLimits(16)

    answers = [places.take(1000) for _ in range(5)]

    assert answers == ["", "", *["this user has 2 connections, its share"] * 3]
    assert [places.take(uid) for uid in (1001, 0, 7)] == ["", "", ""]
    places.leave(1000)
    assert places.take(1000) == ""


def test_places_are_kept_for_root_and_the_daemons_user(monkeypatch):
    monkeypatch.setattr(user_limits.os, "geteuid", lambda: 7)
    places = UserLimits(16)
    for uid in range(100, 200):
        places.take(uid)

    assert places.take(300) == "users other than root and our own have 12 connections, their share"
    assert [places.take(uid) for uid in (0, 7, 0, 7)] == ["", "", "", ""]
    assert places.take(0) == "16 connections are open"
    assert len(places) == 16


def test_a_place_is_free_again_for_another_user():
    places = UserLimits(2)
    for _ in range(10):
        assert places.take(1000) == ""
        places.leave(1000)

    assert len(places) == 0
    assert places.take(1001) == ""
