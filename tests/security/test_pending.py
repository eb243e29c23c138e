"""Pending minions: they may repeat their sign-in, and use few resources (property 8)."""

import pytest

from salt_g.errors import SignInRefused
from salt_g.keys.acceptance import LIMITS
from salt_g.wire.aes import Crypticle, new_key_text
from salt_g.wire.envelope import seal_clear
from salt_g.wire.packing import unpack
from salt_g.wire.requests import seal_request
from tests.support.key_pairs import pair
from tests.support.peers import Peer, ask_raw, ask_socket

COMMANDS = [
    "_return",
    "_pillar",
    "_minion_event",
    "_mine",
    "_mine_get",
    "_serve_file",
    "_file_recv",
    "_master_opts",
    "minion_pub",
    "minion_runner",
    "pub_ret",
    "revoke_auth",
    "_register_resources",
]


@pytest.fixture(scope="module")
def strict(fleet):
    """Return a master that accepts no key automatically."""
    return fleet[0](auto_accept=False)


def refused_sign_in(peer):
    with pytest.raises(SignInRefused):
        peer.sign_in()


@pytest.mark.parametrize("cmd", COMMANDS)
def test_no_command_is_served_to_a_pending_minion(strict, cmd):
    peer = Peer(strict, "pending", 0)
    refused_sign_in(peer)
    guess = Crypticle(new_key_text())

    answer = ask_raw(strict.ret_port, peer.seal({"cmd": cmd}, session=guess))
    old = seal_request({"cmd": cmd}, "pending", guess, nonce="0" * 32, now=0, tok=b"x" * 256)
    clear = ask_raw(strict.ret_port, seal_clear({"cmd": cmd, "id": "pending"}, version=3))

    assert isinstance(unpack(answer), str)
    assert isinstance(unpack(ask_raw(strict.ret_port, old.replace(b"version\x03", b"version\x02"))), str)
    assert unpack(clear) == {}
    assert "pending: " not in "".join(line for line in strict.log().splitlines() if cmd in line)


def test_a_pending_minion_is_not_a_target(strict):
    refused_sign_in(Peer(strict, "pending", 0))
    job = {"cmd": "publish", "fun": "test.ping", "arg": [], "ret": "", "jid": ""}

    for tgt, tgt_type in (
        ("*", "glob"),
        ("pending", "list"),
        ("pending", "glob"),
        ("G@x:y or *", "compound"),
    ):
        reply = ask_socket(strict, {**job, "tgt": tgt, "tgt_type": tgt_type})
        assert reply["load"].get("minions") == [], (tgt, reply)


def test_many_sign_ins_of_one_id_leave_one_key(strict):
    for number in (0, 1, 2, 0, 1):
        refused_sign_in(Peer(strict, "many", number))

    kept = {state: (strict.pki_dir / state / "many") for state in ("minions_pre", "minions_denied")}
    assert kept["minions_pre"].read_text().strip() == pair(0).public.pem
    assert kept["minions_denied"].exists()
    assert sum(path.stat().st_size for path in kept.values()) < 8192


@pytest.mark.parametrize(
    "change",
    [
        lambda pem: pem + "x" * 60_000,
        lambda pem: pem.replace("-----END", "A" * 50_000 + "\n-----END"),
        lambda pem: "",
        lambda pem: "ssh-rsa AAAA",
        lambda pem: pem.replace("PUBLIC KEY", "CERTIFICATE"),
        lambda pem: ["x"] * 100,
        lambda pem: None,
    ],
)
def test_a_malformed_key_is_not_stored(strict, change):
    load = {"cmd": "_auth", "id": "odd", "nonce": "0" * 32, "pub": change(pair(0).public.pem)}
    load.update(enc_algo="OAEP-SHA1", sig_algo="PKCS1v15-SHA1")

    answer = ask_raw(strict.ret_port, seal_clear(load, version=3))

    assert len(answer) < 2048
    assert not list(strict.pki_dir.glob("minions*/odd"))


def test_text_around_a_key_is_not_stored(strict):
    pem = pair(0).public.pem
    load = {"cmd": "_auth", "id": "wide", "nonce": "0" * 32, "pub": "\n" * 5_000 + pem + " " * 1_000}

    ask_raw(strict.ret_port, seal_clear(load, version=3))

    assert (strict.pki_dir / "minions_pre" / "wide").read_text() == pem + "\n"


@pytest.mark.parametrize(
    ("state", "settings"),
    [
        ("minions_pre", {"auto_accept": False}),
        ("minions_rejected", {"auto_accept": False, "autoreject_file": "/reject"}),
    ],
)
def test_there_is_an_end_to_what_strangers_can_leave(start_master, state, settings):
    master = start_master(**settings)
    (master.root / "reject").write_text("*\n")
    (master.root / "reject").chmod(0o600)
    if state == "minions_pre":
        (master.root / "reject").unlink()
    folder = master.pki_dir / state
    folder.mkdir(mode=0o700, exist_ok=True)
    for number in range(LIMITS[state]):
        (folder / f"x{number}").touch()

    refused_sign_in(Peer(master, "new", 0))

    assert not list(master.pki_dir.glob("minions*/new"))
    assert "new: key not stored" in master.log()


def test_denied_keys_have_an_end_too(start_master):
    master = start_master()
    first = Peer(master, "m1", 0).sign_in()
    folder = master.pki_dir / "minions_denied"
    folder.mkdir(mode=0o700, exist_ok=True)
    for number in range(LIMITS["minions_denied"]):
        (folder / f"x{number}").touch()

    refused_sign_in(Peer(master, "m1", 1))

    assert not (folder / "m1").exists()
    assert first.ask({"cmd": "_file_envs"}) == ["base"]
