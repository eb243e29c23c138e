"""The keys of a fleet."""

import os

import pytest

from salt_g.errors import WireError
from salt_g.keys.acceptance import KeyChange
from salt_g.keys.admission import ACCEPTED, DENIED, PENDING, REJECTED
from salt_g.keys.files import KeyFiles
from salt_g.keys.store import KeyStore

STATES = (PENDING, REJECTED, ACCEPTED, DENIED)


def _put(keys, state, id, pem):
    directory = os.path.join(keys.pki_dir, state)
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, id), "w") as file:
        file.write(pem + "\n")


def _fields_of(changes):
    return [(change.act, change.id, change.revokes, change.offered) for change in changes]


def test_a_new_key_waits_and_is_let_in_once_accepted(keys, policy, pems, changes):
    first = keys.admit("m1", pems[0], policy())
    keys.accept("m1")
    second = keys.admit("m1", pems[0], policy())

    assert (first.act, second.act) == ("pend", "accept")
    assert keys.accepted() == {"m1"}
    assert keys.files.accepted_key("m1") == pems[0]
    assert _fields_of(changes) == [("pending", "m1", False, True), ("accepted", "m1", False, False)]


def test_an_accepted_key_stays_when_another_is_offered(keys, policy, pems, changes):
    keys.admit("m1", pems[0], policy(auto_accept=True))

    verdict = keys.admit("m1", pems[1], policy(auto_accept=True))

    assert verdict.act == "denied"
    assert keys.files.accepted_key("m1") == pems[0]
    assert keys.list_keys()[DENIED] == ["m1"]
    assert "another key of this id is accepted" in keys.why_denied("m1")


def test_a_denied_key_that_comes_again_is_written_and_reported_once(keys, policy, pems, changes):
    keys.admit("m1", pems[0], policy(auto_accept=True))
    for _ in range(3):
        keys.admit("m1", pems[1], policy())

    assert [change.act for change in changes] == ["accepted", "denied"]


def test_accepting_another_key_than_the_rejected_one_is_a_replacement(keys, policy, pems, changes):
    keys.admit("m1", pems[0], policy(auto_accept=True))
    keys.reject("m1", include_accepted=True)
    _put(keys, DENIED, "m1", pems[1])

    keys.accept("m1", include_denied=True)
    keys.reject("m1", include_accepted=True)
    keys.accept("m1", include_rejected=True)

    assert [change.replaces for change in changes if change.act == "accepted"] == [False, True, False]


def test_open_mode_replaces_a_key_and_revokes_the_old_one(keys, policy, pems, changes):
    keys.admit("m1", pems[0], policy(auto_accept=True))

    keys.admit("m1", pems[1], policy(open_mode=True))

    assert keys.files.accepted_key("m1") == pems[1]
    assert _fields_of(changes)[-1] == ("accepted", "m1", True, True)


def test_open_mode_takes_a_rejected_key_out(keys, policy, pems):
    _put(keys, REJECTED, "m1", pems[0])

    keys.admit("m1", pems[0], policy(open_mode=True))

    assert keys.list_keys() == {PENDING: [], REJECTED: [], ACCEPTED: ["m1"], DENIED: []}


def test_a_listed_id_moves_from_pending_to_accepted(keys, policy, pems, tmp_path):
    keys.admit("m1", pems[0], policy())
    (tmp_path / "list").write_text("m1\n")
    os.chmod(tmp_path / "list", 0o600)

    keys.admit("m1", pems[0], policy(autosign_file=str(tmp_path / "list")))

    assert keys.list_keys() == {PENDING: [], REJECTED: [], ACCEPTED: ["m1"], DENIED: []}


def test_a_stub_is_used_up_by_the_key_that_it_accepts(keys, policy, pems, tmp_path):
    stub = tmp_path / "pki" / "minions_autosign" / "m1"
    stub.parent.mkdir(parents=True)
    stub.touch()

    assert keys.admit("m1", pems[0], policy()).act == "accept"
    assert not stub.exists()


@pytest.mark.parametrize("state", [PENDING, DENIED, REJECTED])
def test_keys_from_minions_are_bounded_in_number(tmp_path, policy, pems, state, caplog):
    keys = KeyStore(KeyFiles(str(tmp_path / "pki")), limits={PENDING: 2, DENIED: 2, REJECTED: 2})
    reject = tmp_path / "reject"
    reject.write_text("*\n" if state == REJECTED else "")
    reject.chmod(0o600)
    if state == DENIED:
        for n in range(4):
            _put(keys, ACCEPTED, f"m{n}", pems[1])

    verdicts = [keys.admit(f"m{n}", pems[0], policy(autoreject_file=str(reject))) for n in range(4)]

    assert len(keys.list_keys()[state]) == 2
    assert len({verdict.act for verdict in verdicts}) == 1
    assert verdicts[-1].keep == ""
    assert "no room" in verdicts[-1].reason


def test_an_id_that_is_a_path_is_refused(keys, policy, pems):
    with pytest.raises(WireError):
        keys.admit("../m1", pems[0], policy())


def test_lists_are_in_stock_order(keys, pems):
    for id in ("Zed", "apple", "Beta", "beta"):
        _put(keys, PENDING, id, pems[0])

    assert keys.list_keys()[PENDING] == ["apple", "Beta", "beta", "Zed"]
    assert list(keys.list_keys()) == [PENDING, REJECTED, ACCEPTED, DENIED]


def test_status_words_are_those_of_stock(keys, pems):
    for state in STATES:
        _put(keys, state, "m1", pems[0])
    _put(keys, ".", "master.pub", pems[0])

    assert keys.list_status("acc") == {ACCEPTED: ["m1"]}
    assert keys.list_status("pre") == keys.list_status("un") == {PENDING: ["m1"]}
    assert keys.list_status("rejected") == {REJECTED: ["m1"]}
    assert keys.list_status("den") == {DENIED: ["m1"]}
    assert keys.list_status("all")["local"] == ["master.pub"]
    assert keys.list_status("what") == {}


def test_globs_lists_and_exact_names_choose(keys, pems):
    for state, id in ((ACCEPTED, "web1"), (ACCEPTED, "db1"), (PENDING, "web2")):
        _put(keys, state, id, pems[0])

    assert keys.glob_match("web*") == {PENDING: ["web2"], ACCEPTED: ["web1"]}
    assert keys.glob_match("web1,db*") == {ACCEPTED: ["db1", "web1"]}
    assert keys.glob_match("WEB*") == {}
    assert keys.list_match("web2,web*") == {PENDING: ["web2"]}


def test_accepting_takes_pending_keys_only_by_default(keys, pems, changes):
    _put(keys, REJECTED, "m1", pems[0])
    _put(keys, DENIED, "m2", pems[1])

    keys.accept("*")
    assert keys.accepted() == frozenset()

    assert keys.accept("*", include_rejected=True, include_denied=True) == {ACCEPTED: ["m1", "m2"]}


def test_accepting_a_denied_key_revokes_the_one_it_replaces(keys, pems, changes):
    _put(keys, ACCEPTED, "m1", pems[0])
    _put(keys, DENIED, "m1", pems[1])

    keys.accept("m1", include_denied=True)

    assert keys.files.accepted_key("m1") == pems[1]
    assert _fields_of(changes) == [("accepted", "m1", True, False)]


def test_rejecting_an_accepted_key_revokes_it(keys, pems, changes):
    _put(keys, ACCEPTED, "m1", pems[0])

    assert keys.reject("m1") == {ACCEPTED: ["m1"]}
    assert keys.reject("m1", include_accepted=True) == {REJECTED: ["m1"]}
    assert _fields_of(changes) == [("rejected", "m1", True, False)]


def test_a_deleted_key_is_gone_when_its_end_is_reported(tmp_path, pems):
    seen = []
    files = KeyFiles(str(tmp_path))
    keys = KeyStore(files, on_change=lambda change: seen.append((change, files.find(change.id))))
    _put(keys, ACCEPTED, "m1", pems[0])
    _put(keys, PENDING, "m2", pems[0])

    assert keys.delete("*") == {}
    assert seen == [
        (KeyChange("m2", "delete"), None),
        (KeyChange("m1", "delete", revokes=True), None),
    ]


def test_only_what_a_listing_names_is_changed(keys, pems):
    for state in (PENDING, ACCEPTED):
        _put(keys, state, "m1", pems[0])
    _put(keys, PENDING, "m2", pems[0])

    assert keys.delete({PENDING: ["m1"], "local": ["master.pub"]}) == {ACCEPTED: ["m1"]}
    assert keys.list_keys()[PENDING] == ["m2"]


def test_denied_keys_can_be_deleted_alone(keys, pems):
    _put(keys, ACCEPTED, "m1", pems[0])
    _put(keys, DENIED, "m1", pems[1])

    left = keys.delete_denied()

    assert (left[ACCEPTED], left[DENIED]) == (["m1"], [])


def test_a_malformed_key_is_not_accepted(keys, changes, caplog):
    _put(keys, PENDING, "m1", "garbage")

    assert keys.accept("m1") == {PENDING: ["m1"]}
    assert [(change.act, change.result) for change in changes] == [("accepted", False)]


def test_a_rejected_key_counts_before_an_accepted_one(keys, policy, pems):
    for state in (ACCEPTED, REJECTED):
        _put(keys, state, "m1", pems[0])

    assert keys.admit("m1", pems[0], policy()).act == "reject"


#: Made by stock 3008.3, with what its `salt-call --local key.finger` says of it.
STOCK_KEY = """-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAneoM6EGsIneZGGj4pr7F
bCmB+zF1qhNkjMM+2TjIDTlgtqVoTkLfuSVHQZfJR/DEFTZBKqsjtP8pnEN6RjeD
Ofh/sQj10Mi1bhw9Y5M6zwBFR5ngd6MsTrPretw9nXSmsGiWQbwOvdet9/RCyzg/
jEhEXt8ui56dLok+oUnoT46LFpUkA3YKPciPyCd7DsgSEx3Bzk+rgp7QBZWCnaUe
s8/RUREoUCOboWKMOaHA+ChJAmyJj+AxJnOOVxaGQiCgrdKduRFPze+hREeKiLHj
Q6qrmbP6LieK4luqHVDUHAj5GBKWUm5UH+mWrS5Asc4SjkuejGSvSnZxsrOQFuO1
uwIDAQAB
-----END PUBLIC KEY-----
"""
STOCK_FINGER = (
    "a7:5e:e1:04:42:2b:ac:ca:77:9d:34:88:e3:a5:16:c1:ec:c2:02:41:17:8f:20:99:da:a5:b3:b9:66:5a:78:6f"
)


def test_fingers_are_what_the_minion_says_of_itself(keys):
    _put(keys, ACCEPTED, "m1", STOCK_KEY)

    assert keys.finger("*") == {ACCEPTED: {"m1": STOCK_FINGER}}
    assert keys.finger("m1", hash_type="md5")[ACCEPTED]["m1"].count(":") == 15
    assert keys.key_str("m1") == {ACCEPTED: {"m1": STOCK_KEY}}


class LateFiles(KeyFiles):
    """Keys of which one becomes known only at a second look, as with several masters."""

    late = ""

    def refresh(self, id):
        if self.late:
            self.directories[PENDING].write(id, self.late)


@pytest.mark.parametrize("act", ["accept", "reject", "delete"])
def test_a_key_that_was_listed_elsewhere_is_looked_for_again(tmp_path, pems, act):
    files = LateFiles(str(tmp_path / "pki"))
    keys = KeyStore(files)
    files.late = pems[0]

    now = getattr(keys, act)({PENDING: ["m1"]})

    assert now.get(PENDING, []) == []
    assert now == {"accept": {ACCEPTED: ["m1"]}, "reject": {REJECTED: ["m1"]}, "delete": {}}[act]


@pytest.mark.parametrize("match", ["m*", {ACCEPTED: ["m1"]}])
def test_a_key_that_comes_again_while_other_masters_are_waited_for_counts_as_deleted(
    tmp_path, policy, pems, match
):
    comes = []
    keys = KeyStore(
        KeyFiles(str(tmp_path)),
        settle=lambda: [keys.admit("m1", pem, policy(auto_accept=True)) for pem in comes],
    )
    keys.admit("m1", pems[0], policy(auto_accept=True))
    comes.append(pems[1])

    assert not any(keys.delete(match).values())
    assert keys.accepted() == {"m1"}
