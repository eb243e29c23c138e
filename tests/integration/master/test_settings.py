"""Settings of master and minion that change the wire, admission, and retention."""

import concurrent.futures
import json
import os
import subprocess

import pytest

from salt_g.errors import SignInRefused
from salt_g.wire.envelope import seal_clear
from salt_g.wire.packing import unpack
from salt_g.wire.pem import fingerprint
from tests.support.commands import PROGRAM, outcome_of
from tests.support.daemons import RunningMinion
from tests.support.key_pairs import pair
from tests.support.peers import Peer, ask_raw
from tests.support.peers import publish as publish_as_root
from tests.support.waiting import until


@pytest.fixture
def runner():
    """Return a function: `runner(master, "manage.status")` is the value of a runner function."""

    def run(master, *words):
        result = outcome_of([PROGRAM, "run", "-c", str(master.config_dir), "--out=json", *words])
        assert result.code == 0, result.err
        return json.loads(result.out)

    return run


@pytest.fixture
def key():
    """Return a function: `key(master, "--gen-signature")` is an Outcome of `salt-g key`."""

    def run(master, *words):
        return outcome_of([PROGRAM, "key", "-c", str(master.config_dir), "-y", *words])

    return run


@pytest.mark.parametrize(
    ("of_master", "of_minion"),
    [
        ({"zmq_filtering": True}, {"zmq_filtering": True}),
        ({"zmq_filtering": True}, {}),
        ({"sign_pub_messages": False}, {"sign_pub_messages": False}),
        (
            {"publish_signing_algorithm": "PKCS1v15-SHA224"},
            {"encryption_algorithm": "OAEP-SHA224", "signing_algorithm": "PKCS1v15-SHA224"},
        ),
        ({"minion_data_cache": False, "enforce_mine_cache": True}, {}),
        ({"job_cache": False}, {}),
        ({"minimum_auth_version": 0, "request_server_ttl": 60, "publish_session": 3600}, {}),
    ],
    ids=lambda settings: ",".join(settings) or "default",
)
def test_jobs_of_every_kind_of_target_arrive_with(start_master, start_minion, salt, of_master, of_minion):
    nodegroups = {"inner": "L@a", "outer": "N@inner or G@role:db"}
    master = start_master(timeout=5, nodegroups=nodegroups, **of_master)
    for id, role in (("a", "web"), ("b", "db")):
        start_minion(master, id, grains={"role": role}, **of_minion)

    targets = {
        ("*",): {"a", "b"},
        ("-E", "a|b"): {"a", "b"},
        ("-L", "a"): {"a"},
        ("-G", "role:db"): {"b"},
        ("-P", "role:w.*"): {"a"},
        ("-C", "G@role:web or L@b and not E@a"): {"a", "b"},
        ("-N", "outer"): {"a", "b"},
        ("-N", "inner"): {"a"},
        ("-S", "127.0.0.0/8"): {"a", "b"},
    }
    with concurrent.futures.ThreadPoolExecutor(3) as threads:
        result = threads.map(lambda target: salt(master, *target, "test.ping").minions, targets)

    # A minion without known grains may be selected, and decides itself whether it is.
    answers = [{id for id, value in one.items() if value is True} for one in result]
    assert dict(zip(targets, answers, strict=True)) == targets


def test_a_master_whose_key_is_signed_is_believed_and_another_is_not(start_master, start_minion, salt, key):
    master = start_master(master_sign_pubkey=True)
    wants = {"verify_master_pubkey_sign": True}
    knowing = RunningMinion(master.root.parent / "a", id="a", master=f"127.0.0.1:{master.ret_port}", **wants)
    pki = knowing.root / "pki"
    pki.mkdir(parents=True)
    (pki / "master_sign.pub").write_text((master.pki_dir / "master_sign.pub").read_text())
    try:
        assert knowing.start().is_connected
        assert salt(master, "a", "test.ping").minions == {"a": True}

        # A signature made beforehand, so that the signing key need not be there.
        assert key(master, "--gen-signature").code == 0
        master.stop()
        (master.pki_dir / "master_sign.pem").rename(master.root / "elsewhere.pem")
        master.settings["master_use_pubkey_signature"] = True
        master.start()
        assert salt(master, "a", "test.ping").minions == {"a": True}
        knowing.stop()
        assert knowing.start().is_connected
    finally:
        knowing.stop()


def test_a_master_with_another_fingerprint_is_not_believed(start_master, start_minion):
    master = start_master()
    right = fingerprint((master.pki_dir / "master.pub").read_text(), "sha256")

    good = start_minion(master, "good", master_finger=right)
    bad = start_minion(master, "bad", master_finger=":".join(["00"] * 32))

    assert (good.is_connected, bad.is_connected) == (True, False)
    assert "master_finger" in bad.log()
    assert "minion_master.pub" not in os.listdir(bad.root / "pki")


def test_more_than_max_minions_are_not_let_in(start_master, start_minion):
    master = start_master(max_minions=1)
    start_minion(master, "first")

    with pytest.raises(SignInRefused):
        Peer(master, "second", 0).sign_in()

    assert "max_minions (1) are connected" in master.log()


def test_in_open_mode_a_changed_key_is_taken(start_master):
    master = start_master(open_mode=True, auto_accept=False)
    Peer(master, "m1", 0).sign_in()

    Peer(master, "m1", 1).sign_in()

    assert (master.pki_dir / "minions" / "m1").read_text().strip() == Peer(
        master, "m1", 1
    ).key.public.pem.strip()


def test_grains_let_a_key_in_that_the_master_expects(start_master, start_minion, daemon_root):
    # Like other directories of a master it is below its root_dir.
    grains = daemon_root / "master" / "autosign"
    grains.mkdir(mode=0o700, parents=True)
    (grains / "secret").write_text("right\n")
    (grains / "secret").chmod(0o600)
    master = start_master(auto_accept=False, autosign_grains_dir="autosign")

    known = start_minion(master, "known", autosign_grains=["secret"], grains={"secret": "right"})
    stranger = start_minion(master, "stranger", autosign_grains=["secret"], grains={"secret": "wrong"})

    assert (known.is_connected, stranger.is_connected) == (True, False)
    assert os.listdir(master.pki_dir / "minions_pre") == ["stranger"]


@pytest.mark.parametrize("version", [0, 1, 2])
def test_an_old_protocol_is_refused_unless_it_is_allowed(start_master, version):
    load = {"cmd": "_auth", "id": "old", "pub": pair(0).public.pem}
    if version:
        load["nonce"] = "0" * 32
    request = seal_clear(load, version=version)

    refused = unpack(ask_raw(start_master().ret_port, request))
    allowed = unpack(ask_raw(start_master(minimum_auth_version=0).ret_port, request))
    # What is signed since version 2 is packed once more.
    reply = unpack(allowed["load"]) if isinstance(allowed.get("load"), (bytes, str)) else allowed

    assert refused == "bad load"
    assert reply["enc"] == "pub"
    assert "aes" in reply
    assert "session" not in reply


def test_events_that_are_too_large_are_trimmed(start_master, start_minion, salt):
    master = start_master(max_event_size=4000)
    start_minion(master, "a")

    result = salt(master, "a", "test.echo", "x" * 10_000)

    assert result.minions == {"a": "VALUE_TRIMMED"}


def test_a_master_listens_at_the_configured_address(start_master, salt):
    master = start_master(interface="::1", ipv6=True)
    minion = RunningMinion(master.root.parent / "a", id="a", master=f"[::1]:{master.ret_port}", ipv6=True)

    try:
        assert minion.start().is_connected
        assert salt(master, "a", "test.ping").minions == {"a": True}
    finally:
        minion.stop()


def test_presence_is_reported_by_the_clock(start_master, start_minion):
    master = start_master(presence_events=True, loop_interval=1)
    start_minion(master, "a")
    command = [PROGRAM, "event", "-c", str(master.config_dir), "--count=1", "salt/presence/present"]

    finished = subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert json.loads(finished.stdout.split("\t")[1])["present"] == ["a"]


def test_jobs_are_kept_as_long_as_configured(start_master, start_minion, salt, runner):
    master = start_master(keep_jobs_seconds=1, loop_interval=1)
    start_minion(master, "a")
    salt(master, "a", "test.ping")

    # What a runner leaves is a job as well.
    until(
        lambda: not any(job["Function"] == "test.ping" for job in runner(master, "jobs.list_jobs").values()),
        "the job is gone",
    )


def test_jobs_and_events_go_to_returners(start_master, start_minion, salt, daemon_root):
    events = daemon_root / "events"
    master = start_master(
        event_return="rawfile_json",
        event_return_whitelist=["salt/job/*/ret/a"],
        **{"rawfile_json.filename": str(events)},
    )
    start_minion(master, "a")

    salt(master, "a", "test.ping")

    kept = until(lambda: events.exists() and events.read_text(), "an event is written")
    assert all("/ret/a" in line for line in kept.splitlines())


def test_the_settings_of_the_output_have_their_effect(start_master, start_minion, salt):
    master = start_master(
        show_jid=True, cli_summary=True, show_timeout=False, timeout=2, gather_job_timeout=2
    )
    start_minion(master, "a")
    gone = start_minion(master, "b")
    gone.stop()

    result = salt(master, "*", "test.ping", as_json=False)

    assert result.out.startswith("jid: 2")
    assert (
        "# of minions targeted: 2\n# of minions returned: 1\n# of minions that did not return: 1\n"
        in result.out
    )
    assert "Minion did not return" not in result.out


def test_the_only_minion_asks_again_when_its_key_is_deleted_and_is_known_at_once(
    start_master, start_minion, salt, key
):
    master = start_master(auto_accept=True)
    start_minion(master, "a")

    assert key(master, "-d", "a").code == 0
    until(lambda: json.loads(key(master, "-l", "acc", "--out=json").out)["minions"] == ["a"], "a key of a")

    assert salt(master, "-G", "kernel:Linux", "test.ping").minions == {"a": True}


def test_a_key_of_the_fleet_changes_when_one_is_deleted_and_everybody_stays(
    start_master, start_minion, salt, key
):
    master = start_master(rotate_aes_key=True, ping_on_rotate=True)
    start_minion(master, "a")
    Peer(master, "gone", 0).sign_in()

    assert key(master, "-d", "gone").code == 0

    assert salt(master, "*", "test.ping").minions == {"a": True}
    assert publish_as_root(master, "test.ping", tgt="*")["minions"] == ["a"]
