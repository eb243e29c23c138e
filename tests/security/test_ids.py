"""Ids: they have one of few forms from any source, and look-alikes are refused (property 6)."""

import os
import pathlib
import subprocess
import tempfile

import pytest
import yaml

from salt_g.errors import SaltGError, SignInRefused
from salt_g.wire.aes import Crypticle, new_key_text
from salt_g.wire.envelope import seal_clear
from salt_g.wire.packing import pack
from tests.support.commands import PROGRAM
from tests.support.daemons import RunningMinion
from tests.support.key_pairs import pair
from tests.support.peers import Peer, ask_clear, ask_raw, ask_socket, publish, run

BAD = [
    "",
    ".",
    "..",
    ".hidden",
    "-dash",
    "--yes",
    "a/b",
    "../m1",
    "/etc/passwd",
    "a\\b",
    "a\0b",
    "m1\0",
    "m1\n",
    "m1\r",
    "a\nb",
    "a\tb",
    "a b",
    " m1",
    "m1 ",
    "m\x1b[31m1",
    "m\x7f1",
    "naïve",
    "m\u0131",  # a dotless i
    "\u043c1",  # a Cyrillic m
    "m\u200b1",  # zero width
    "m\uff11",  # full-width digit
    "\u202em1",  # right-to-left override
    "m*",
    "m?",
    "[m]1",
    "m,1",
    "m;id",
    "$(id)",
    "`id`",
    "m'1",
    'm"1',
    "m%1",
    "{{1}}",
    "x" * 254,
    "x" * 100_000,
]
NO_TEXT = [None, 5, 1.5, True, [], ["m1"], {}, {"m1": 1}, b"\xff"]
GOOD = ["m", "0", "_x", "@x", ":x", "a.b-c_d@e:f", "x" * 253, "M1", "2001:db8::1", "a..b", "a-"]


def keys(master):
    return {path.name for path in master.pki_dir.glob("minions*/*")}


def sign_in(master, id):
    load = {"cmd": "_auth", "id": id, "nonce": "0" * 32, "pub": pair(0).public.pem}
    return ask_raw(
        master.ret_port, seal_clear({**load, "enc_algo": "OAEP-SHA1", "sig_algo": "PKCS1v15-SHA1"})
    )


def files(master):
    return {str(path.relative_to(master.root)) for path in master.root.rglob("*")}


@pytest.mark.parametrize("id", BAD + NO_TEXT, ids=lambda id: repr(id)[:20])
def test_a_malformed_id_can_neither_sign_in_nor_send_requests(shared_master, id):
    before = keys(shared_master)
    crypticle = Crypticle(new_key_text())
    load = {"cmd": "_file_envs", "id": id, "ts": 0, "nonce": "0" * 32, "tok": b"x"}
    envelope = {"enc": "aes", "load": crypticle.seal(load), "version": 3, "id": id}

    assert b"aes" not in sign_in(shared_master, id)
    assert len(ask_raw(shared_master.ret_port, pack(envelope))) < 100

    assert keys(shared_master) == before


def test_every_form_of_an_id_is_one(start_master):
    master = start_master()

    for id in GOOD:
        peer = Peer(master, id, 0).sign_in()
        assert peer.ask({"cmd": "_file_envs"}) == ["base"]

    assert keys(master) == set(GOOD)
    assert sorted(publish(master, "test.ping", tgt=GOOD, tgt_type="list")["minions"]) == sorted(GOOD)
    assert run(master, "key", "-d", "a..b", "-y").code == 0
    assert "a..b" not in keys(master)


def test_ids_that_differ_in_case_are_two(shared_master):
    one, other = Peer(shared_master, "case", 0).sign_in(), Peer(shared_master, "CASE", 1).sign_in()
    one.ask({"cmd": "_mine", "data": {"x": "of case"}})

    assert publish(shared_master, "test.ping", tgt="case")["minions"] == ["case"]
    assert publish(shared_master, "test.ping", tgt=["CASE"], tgt_type="list")["minions"] == ["CASE"]
    assert other.ask({"cmd": "_mine_get", "tgt": "CASE", "fun": "x"}) == {}
    with pytest.raises(SaltGError):
        other.ask_as({"cmd": "_file_envs"}, "case")
    with pytest.raises(SignInRefused):
        Peer(shared_master, "case", 1).sign_in()


@pytest.mark.parametrize("fun", ["key.accept_dict", "key.reject_dict", "key.delete_dict"])
@pytest.mark.parametrize("name", ["../master.pem", "../minions/m1", "/etc/hostname", "..", ".", "", 5, None])
def test_keys_of_wheel_functions_are_ids(shared_master, fun, name):
    Peer(shared_master, "m1", 0).sign_in()
    before = files(shared_master)

    for state in ("minions", "minions_pre", "minions_denied", "..", "/etc"):
        ask_socket(shared_master, {"cmd": "wheel", "fun": fun, "kwarg": {"match": {state: [name]}}})

    assert before - files(shared_master) == set()
    assert (shared_master.pki_dir / "minions" / "m1").exists()


@pytest.mark.parametrize("option", ["-a", "-d", "-r", "-p", "-f"])
@pytest.mark.parametrize("name", ["../master.pem", "../../pki/master.pem", "/etc/hostname", "..", "m1/../m1"])
def test_names_on_the_command_line_lead_nowhere(shared_master, option, name):
    Peer(shared_master, "m1", 0).sign_in()
    before = files(shared_master)

    done = run(shared_master, "key", option, name, "-y", "--include-all")

    assert "PRIVATE" not in done.out
    assert before - files(shared_master) == set()


@pytest.mark.parametrize("name", ["../out", "/tmp/../out", "..", "a/b", "x" * 300])
def test_a_key_pair_is_made_beside_nothing(shared_master, name):
    place = shared_master.root / "made"
    place.mkdir(exist_ok=True)
    outside = set(os.listdir(shared_master.root))

    run(shared_master, "key", f"--gen-keys={name}", "--gen-keys-dir", str(place))
    call = {"cmd": "wheel", "fun": "key.gen_accept", "kwarg": {"id_": name}}
    ask_socket(shared_master, call)

    assert set(os.listdir(shared_master.root)) == outside
    assert list(place.iterdir()) == []
    assert name not in keys(shared_master)


@pytest.mark.parametrize(
    "id", ["../x", "a/b", "a\nb", "-x", "x" * 254, "naïve", "a b", "x.", "G@os:x", "not"]
)
def test_a_minion_does_not_start_with_what_is_not_an_id(id):
    # Not tmp_path: names of UNIX sockets have at most 107 characters.
    with tempfile.TemporaryDirectory(prefix="sg-") as directory:
        root = pathlib.Path(directory)
        minion = RunningMinion(root / "minion", id=id, master="127.0.0.1:1")
        minion.config_dir.mkdir()
        (minion.config_dir / "minion").write_text(yaml.safe_dump(minion.settings))

        done = subprocess.run(
            [PROGRAM, "minion", "-c", str(minion.config_dir)], capture_output=True, text=True, timeout=90
        )

        assert done.returncode != 0
        assert "id" in done.stdout + done.stderr
        assert not (root / "x").exists()


@pytest.mark.parametrize(
    "tgt", ["../../pki/master.pem", "/etc/passwd", "m1/../../x", "a\0b", "\n", "x" * 5000]
)
def test_a_target_is_not_a_path(shared_master, tgt):
    load = {"cmd": "publish", "fun": "test.ping", "arg": [], "ret": "", "jid": "", "tgt": tgt}
    load.update(key=shared_master.root_key, user=shared_master.settings["user"])
    before = files(shared_master)

    for tgt_type in ("glob", "list", "compound"):
        assert not ask_clear(shared_master, {**load, "tgt_type": tgt_type}).get("load", {}).get("minions")
    for fun in ("cache.grains", "cache.pillar", "cache.mine"):
        assert "PRIVATE" not in run(shared_master, "run", fun, f"tgt={tgt}".replace("\0", "")).out[:9999]

    new = {name for name in files(shared_master) - before if not name.startswith(("m0/cache/jobs", "cache/"))}
    assert new == set()


@pytest.mark.parametrize("id", ["G@os:Linux", "E@x", "N@webs", "L@m1", "not", "and", "or", "x.", "x..."])
def test_an_id_that_targets_misread_is_not_let_in(shared_master, id):
    before = keys(shared_master)

    assert b"aes" not in sign_in(shared_master, id)

    assert keys(shared_master) == before
