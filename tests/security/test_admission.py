"""Automatic admission: settings, lists, grains, stubs, preseeded keys; bounds (property 8)."""

import pytest

from salt_g.errors import SignInRefused
from tests.support.key_pairs import pair
from tests.support.peers import Peer, publish, run


def is_let_in(peer, **more):
    try:
        peer.sign_in(**more)
    except SignInRefused:
        return False
    return True


def write(path, text, mode=0o600):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def test_a_list_of_patterns_lets_in(start_master):
    # File names are below `root_dir`.
    master = start_master(auto_accept=False, autosign_file="/sign", autoreject_file="/reject")
    write(master.root / "sign", "# ours\nweb*\ndb[0-9]+\n")
    write(master.root / "reject", "web-old\n")

    assert is_let_in(Peer(master, "web1"))
    assert is_let_in(Peer(master, "db12"))
    assert not is_let_in(Peer(master, "xdb12"))
    assert not is_let_in(Peer(master, "web-old"))
    assert (master.pki_dir / "minions_rejected" / "web-old").exists()
    assert (master.pki_dir / "minions_pre" / "xdb12").exists()


def test_a_list_that_others_can_write_counts_for_nothing(start_master):
    master = start_master(auto_accept=False, autosign_file="/sign")
    write(master.root / "sign", "*\n", mode=0o666)

    assert not is_let_in(Peer(master, "web1"))
    assert "is ignored, because others can write to it" in master.log()


def test_a_grain_that_the_operator_listed_lets_in(start_master):
    master = start_master(auto_accept=False, autosign_grains_dir="/grains")
    write(master.root / "grains" / "uuid", "1234\n")

    assert is_let_in(Peer(master, "web1"), autosign_grains={"uuid": "1234"})
    assert not is_let_in(Peer(master, "web2"), autosign_grains={"uuid": "12345"})
    assert not is_let_in(Peer(master, "web3"), autosign_grains={"../uuid": "1234", "uuid/": "1234"})
    assert not is_let_in(Peer(master, "web4"))


def test_a_stub_lets_in_once(start_master):
    master = start_master(auto_accept=False)
    stubs = master.pki_dir / "minions_autosign"
    stubs.mkdir(parents=True)
    (stubs / "web1").touch()

    assert is_let_in(Peer(master, "web1", 0))
    run(master, "key", "-d", "web1", "-y")

    assert list(stubs.iterdir()) == []
    assert not is_let_in(Peer(master, "web1", 0))


def test_a_key_placed_beforehand_lets_in_its_owner_only(start_master):
    master = start_master(auto_accept=False)
    (master.pki_dir / "minions").mkdir(exist_ok=True)
    (master.pki_dir / "minions" / "web1").write_text(pair(0).public.pem)

    assert not is_let_in(Peer(master, "web1", 1))
    assert is_let_in(Peer(master, "web1", 0))
    assert publish(master, "test.ping")["minions"] == ["web1"]


def test_a_key_made_by_the_master_admits_its_owner(start_master):
    master = start_master(auto_accept=False)
    made = run(master, "key", "--gen-keys", "web1", "--gen-keys-dir", str(master.root / "made"))
    assert made.code == 0, made.err
    from salt_g.wire.rsa import PrivateKey

    peer = Peer(master, "web1")
    peer.key = PrivateKey((master.root / "made" / "web1.pem").read_text())
    (master.pki_dir / "minions").mkdir(exist_ok=True)
    (master.pki_dir / "minions" / "web1").write_text((master.root / "made" / "web1.pub").read_text())

    assert is_let_in(peer)


def test_open_mode_replaces_a_key_and_cuts_off_its_owner(start_master):
    master = start_master(auto_accept=False, open_mode=True)
    first = Peer(master, "web1", 0).sign_in()
    first.ask({"cmd": "_mine", "data": {"secret": "old"}})

    second = Peer(master, "web1", 1).sign_in()

    assert second.ask({"cmd": "_file_envs"}) == ["base"]
    assert second.ask({"cmd": "_mine_get", "tgt": "web1", "fun": "secret"}) == {}
    with pytest.raises(Exception, match="refused"):
        first.ask({"cmd": "_file_envs"})


def test_no_more_minions_than_allowed(start_master):
    master = start_master(max_minions=1)
    peer = Peer(master, "web1", 0).sign_in()
    peer.ask({"cmd": "_file_envs"})

    try:
        Peer(master, "web2", 1).sign_in()
    except SignInRefused as exc:
        assert exc.reason == "full"
    assert is_let_in(Peer(master, "web1", 0))
