"""Equality of repeated sign-ins, and the data of their events."""

import pytest

from salt_g import config
from salt_g.master.admission.authentication import event_grains, sign_in_key
from salt_g.master.settings import AuthenticationSettings
from salt_g.transport.protocols import Arrival
from salt_g.wire.envelope import seal_clear


def arrival(*, address="10.0.0.1", **changes):
    load = {"cmd": "_auth", "id": "m1", "nonce": "a" * 32, "pub": "key", "token": b"x" * 256}
    return Arrival(seal_clear({**load, **changes}), address)


def test_a_repeated_sign_in_asks_for_the_same():
    assert sign_in_key(arrival()) == sign_in_key(arrival(nonce="b" * 32, token=b"y" * 256)) is not None


@pytest.mark.parametrize("other", [{"id": "m2"}, {"pub": "another"}, {"address": "10.0.0.2"}])
def test_another_id_key_or_place_asks_for_something_else(other):
    assert sign_in_key(arrival()) != sign_in_key(arrival(**other))


@pytest.mark.parametrize("changes", [{"id": 5}, {"pub": None}, {"id": ["m1"]}])
def test_other_messages_than_a_sign_in_ask_for_nothing(changes):
    assert sign_in_key(arrival(**changes)) is None
    assert sign_in_key(Arrival(b"\xa5_auth", "")) is None


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        ({}, []),
        ({"auth_events_autosign_grains": ["pend", "denied"]}, ["pend", "denied"]),
        ({"auth_events_pend_autosign_grains": True}, ["pend"]),
        (
            {"auth_events_autosign_grains": ["full"], "auth_events_pend_autosign_grains": True},
            ["pend", "full"],
        ),
    ],
)
def test_events_of_the_wanted_results_show_the_grains_of_a_sign_in(tmp_path, settings, shown):
    wanted = AuthenticationSettings.of(config.load("master", str(tmp_path), settings).opts)
    grains = {"rack": {"row": "7"}, "salt-g-invitation": "aaaaaaaa:00"}

    acts = ["accept", "pend", "reject", "denied", "full", "error"]
    events = {act: event_grains(wanted, act, grains) for act in acts}

    assert events == {act: {"rack": {"row": "7"}} if act in shown else None for act in acts}
