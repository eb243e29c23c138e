"""Changes of single keys: the files, the reports, and the end of a session."""

import pytest

from salt_g.keys.acceptance import Acceptance
from salt_g.keys.admission import ACCEPTED, DENIED, PENDING, REJECTED, AdmissionVerdict, KeyState
from salt_g.keys.files import KeyFiles


@pytest.fixture
def files(tmp_path):
    return KeyFiles(str(tmp_path / "pki"))


@pytest.fixture
def acceptance(files, changes):
    return Acceptance(files, on_change=changes.append, limits={PENDING: 1, REJECTED: 1, DENIED: 1})


def states_of(files, id):
    return [state for state, directory in files.directories.items() if id in directory.names()]


def test_an_operator_moves_a_key_and_it_is_in_one_state_only(acceptance, files, pems, changes):
    files.directories[PENDING].write("m1", pems[0])
    files.directories[REJECTED].write("m1", pems[1])

    acceptance.move("m1", PENDING, ACCEPTED, rotates=True)

    assert (states_of(files, "m1"), files.accepted_key("m1")) == ([ACCEPTED], pems[0])
    assert [(one.act, one.revokes, one.replaces, one.offered) for one in changes] == [
        ("accepted", False, True, False)
    ]


def test_a_key_that_is_no_longer_accepted_ends_its_session(acceptance, files, pems, changes):
    files.directories[ACCEPTED].write("m1", pems[0])

    acceptance.move("m1", ACCEPTED, REJECTED, rotates=False)
    acceptance.move("m1", REJECTED, PENDING, rotates=True)

    assert [(one.act, one.revokes, one.rotates) for one in changes] == [
        ("rejected", True, False),
        ("pending", False, True),
    ]


def test_text_that_is_no_key_stays_where_it_is_and_is_reported(acceptance, files, changes, caplog):
    files.directories[PENDING].write("m1", "-----BEGIN PUBLIC KEY-----\nQUJD\n-----END PUBLIC KEY-----")

    acceptance.move("m1", PENDING, ACCEPTED, rotates=True)

    assert states_of(files, "m1") == [PENDING]
    assert [(one.act, one.result) for one in changes] == [("accepted", False)]
    assert "m1: the pending key is invalid" in caplog.text


def test_an_offer_without_room_is_not_stored_but_an_accepted_one_is(acceptance, files, pems, changes):
    pending = AdmissionVerdict("pend", "nobody accepted it", PENDING)
    acceptance.keep_offer("m1", pems[0], None, pending)

    refused = acceptance.keep_offer("m2", pems[1], None, pending)
    accepted = acceptance.keep_offer("m3", pems[2], None, AdmissionVerdict("accept", "auto_accept", ACCEPTED))

    assert (refused.keep, "no room to keep it" in refused.reason) == ("", True)
    assert (accepted.keep, states_of(files, "m2"), states_of(files, "m3")) == (ACCEPTED, [], [ACCEPTED])
    assert [(one.id, one.act, one.offered) for one in changes] == [
        ("m1", "pending", True),
        ("m3", "accepted", True),
    ]


@pytest.mark.parametrize(
    ("state", "same", "revokes"), [(ACCEPTED, False, True), (ACCEPTED, True, False), (PENDING, False, False)]
)
def test_a_generated_key_ends_the_session_of_the_accepted_one_that_it_replaces(
    acceptance, files, pems, changes, state, same, revokes
):
    known = KeyState(state, pems[0])
    files.directories[state].write("m1", pems[0])

    acceptance.accept_generated("m1", pems[0] if same else pems[1], known)

    assert states_of(files, "m1") == [ACCEPTED]
    assert [(one.act, one.revokes) for one in changes] == [("accepted", revokes)]


def test_a_removed_key_is_reported_once_with_the_operators_options(acceptance, files, pems, changes):
    files.directories[ACCEPTED].write("m1", pems[0])

    for _ in range(2):
        acceptance.remove("m1", ACCEPTED, keeps_data=True, rotates=False)

    [change] = changes
    assert (change.act, change.revokes, change.keeps_data, change.rotates) == ("delete", True, True, False)
