"""Invitations as a master keeps them."""

import json
import os
import threading

import pytest

from salt_g.errors import KeysError
from salt_g.keys import invitations as kept
from salt_g.keys.admission import ACCEPTED, DENIED, PENDING, REJECTED
from salt_g.keys.invitations import Invitations
from salt_g.wire.invitation import GRAIN, offer, read_offer


@pytest.fixture
def now():
    return [1000.0]


@pytest.fixture
def invitations(tmp_path, now):
    return Invitations(str(tmp_path / "pki"), clock=lambda: now[0])


def redeem(invitations, code, id="m1", pem="KEY"):
    return invitations.redeem(read_offer(offer(code, id, pem)), id, pem)


def test_a_code_lets_in_once(invitations):
    code = invitations.make(lifetime=60)

    assert redeem(invitations, code) == ""
    assert redeem(invitations, code) == "it has already admitted this id"
    assert redeem(invitations, code, "m2") == "it was used by m1"


def test_a_code_of_several_uses_lets_in_that_many(invitations):
    code = invitations.make(lifetime=60, uses=2)

    found = [redeem(invitations, code, id) for id in ("m1", "m2", "m3")]

    assert found == ["", "", "it was used by m1, m2"]


def test_a_minion_that_was_deleted_does_not_come_back_by_the_same_code(invitations):
    code = invitations.make(lifetime=60, uses=5)
    redeem(invitations, code)

    assert redeem(invitations, code) == "it has already admitted this id"


def test_an_expired_code_is_reported_and_then_forgotten(invitations, now):
    code = invitations.make(lifetime=60)
    now[0] += 60

    assert redeem(invitations, code) == "it has expired"
    now[0] += kept.REMEMBERED + 1
    invitations.make(lifetime=60)
    assert [one.number for one in invitations.all()] != [code.number]
    assert len(invitations.all()) == 1


def test_a_code_for_one_id_is_for_no_other(invitations):
    code = invitations.make(lifetime=60, id="web1")

    assert redeem(invitations, code, "web2") == "it is for web1"
    assert redeem(invitations, code, "web1") == ""


def test_a_proof_for_another_key_or_id_counts_for_nothing(invitations):
    code = invitations.make(lifetime=60)
    intercepted = read_offer(offer(code, "m1", "KEY"))

    assert invitations.redeem(intercepted, "m1", "OTHER") == "the proof does not fit this id and key"
    assert invitations.redeem(intercepted, "m2", "KEY") == "the proof does not fit this id and key"
    assert invitations.all()[0].left == 1


def test_a_revoked_code_is_unknown(invitations):
    code = invitations.make(lifetime=60)

    assert invitations.revoke(code.number)
    assert not invitations.revoke(code.number)
    assert redeem(invitations, code) == "unknown invitation"


def test_the_stored_invitation_is_private_and_differs_from_the_code(invitations):
    code = invitations.make(lifetime=60)

    with open(invitations.path) as file:
        text = file.read()
    assert str(code).partition("-")[2] not in text
    assert os.stat(invitations.path).st_mode & 0o777 == 0o600


def test_a_refusal_is_reported_once(invitations, caplog):
    code = invitations.make(lifetime=60, id="web1")

    for _ in range(3):
        redeem(invitations, code, "m1")

    assert len([one for one in caplog.records if one.levelname == "WARNING"]) == 1
    assert invitations.refused() == {"m1": f"invitation {code.number} is refused: it is for web1"}


def test_strangers_fill_a_bounded_number_of_lines(invitations, monkeypatch):
    monkeypatch.setattr(kept, "MOST_REFUSED", 3)
    code = invitations.make(lifetime=60, id="web1")

    for number in range(6):
        redeem(invitations, code, f"m{number}")

    assert len(invitations.refused()) == 3


def test_the_number_of_open_invitations_is_bounded(invitations, monkeypatch, now):
    monkeypatch.setattr(kept, "MOST", 2)
    invitations.make(lifetime=60)
    invitations.make(lifetime=60)

    with pytest.raises(KeysError, match="2 invitations are open"):
        invitations.make(lifetime=60)
    now[0] += 60
    invitations.make(lifetime=60)


def test_a_damaged_file_is_named_and_admits_no_minion(invitations):
    code = invitations.make(lifetime=60)
    for text in ("{", "[]", json.dumps({"invitations": {"x": {"y": 1}}, "refused": {}})):
        with open(invitations.path, "w") as file:
            file.write(text)

        with pytest.raises(KeysError, match="not a file of invitations"):
            redeem(invitations, code)


def test_of_many_at_once_exactly_one_wins(tmp_path):
    code = Invitations(str(tmp_path / "pki")).make(lifetime=60)
    found, start = [], threading.Barrier(8)

    def come(id):
        start.wait()
        found.append(redeem(Invitations(str(tmp_path / "pki")), code, id))

    threads = [threading.Thread(target=come, args=(f"m{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found.count("") == 1


def _invited(code, id, pem):
    return {GRAIN: offer(code, id, pem)}


def test_an_invited_key_is_accepted_in_place_of_one_that_a_stranger_offered(keys, policy, pems):
    code = keys.invitations.make(lifetime=60)
    keys.admit("m1", pems[0], policy())

    verdict = keys.admit("m1", pems[1], policy(), grains=_invited(code, "m1", pems[1]))

    assert (verdict.act, verdict.invitation) == ("accept", code.number)
    assert keys.files.accepted_key("m1") == pems[1]
    assert keys.list_keys()[PENDING] == []


def test_an_invitation_opens_no_way_to_an_id_that_has_a_key(keys, policy, pems):
    code = keys.invitations.make(lifetime=60)
    keys.admit("m1", pems[0], policy(auto_accept=True))
    keys.admit("m2", pems[0], policy())
    keys.reject("m2")

    taken = keys.admit("m1", pems[1], policy(), grains=_invited(code, "m1", pems[1]))
    rejected = keys.admit("m2", pems[1], policy(), grains=_invited(code, "m2", pems[1]))

    assert (taken.act, rejected.act) == ("denied", "reject")
    assert keys.invitations.all()[0].left == 1
    assert keys.list_keys() == {PENDING: [], REJECTED: ["m2"], ACCEPTED: ["m1"], DENIED: ["m1"]}


def test_an_invitation_is_not_used_up_by_a_minion_admitted_anyway_or_without_a_place(keys, policy, pems):
    code = keys.invitations.make(lifetime=60)

    keys.admit("m1", pems[0], policy(auto_accept=True), grains=_invited(code, "m1", pems[0]))
    full = keys.admit("m2", pems[1], policy(), grains=_invited(code, "m2", pems[1]), full="full")

    assert full.act == "full"
    assert keys.invitations.all()[0].left == 1


def test_a_code_that_was_used_leaves_the_next_key_pending(keys, policy, pems):
    code = keys.invitations.make(lifetime=60)
    keys.admit("m1", pems[0], policy(), grains=_invited(code, "m1", pems[0]))

    verdict = keys.admit("m2", pems[1], policy(), grains=_invited(code, "m2", pems[1]))

    assert (verdict.act, verdict.invitation) == ("pend", "")
    assert keys.list_keys()[PENDING] == ["m2"]
