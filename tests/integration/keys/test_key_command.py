"""`salt-g key` on files alone, and through a running master."""

import subprocess
import sys

import pytest
import yaml

from salt_g.wire.rsa import PrivateKey


@pytest.fixture(scope="module")
def pems():
    return [PrivateKey.generate(2048).public.pem + "\n" for _ in range(2)]


@pytest.fixture
def keys(salt_g, pems):
    """Return the command on a `pki_dir` with one key in each state: `keys("-L")` is its outcome."""
    pki = salt_g.root / "pki"
    for state, id, number in (
        ("minions", "web1", 0),
        ("minions_pre", "new1", 0),
        ("minions_pre", "New2", 1),
        ("minions_rejected", "bad1", 0),
        ("minions_denied", "web1", 1),
    ):
        (pki / state).mkdir(parents=True, exist_ok=True)
        (pki / state / id).write_text(pems[number])
    settings = {"root_dir": str(salt_g.root), "pki_dir": str(pki), "cachedir": str(salt_g.root / "cache")}
    settings.update(sock_dir=str(salt_g.root / "sock"), key_logfile=str(salt_g.root / "log"))
    (salt_g.conf / "master").write_text(yaml.safe_dump(settings))
    (salt_g.root / "cache").mkdir(exist_ok=True)

    def run(*words, stdin=None):
        return salt_g.run("key", "-c", salt_g.conf, *words, stdin=stdin)

    run.pki = pki
    return run


def test_all_keys_are_listed_by_state(keys):
    shown = keys("-L")

    assert shown.code == 0
    assert shown.out == (
        "Accepted Keys:\nweb1\nDenied Keys:\nweb1\nUnaccepted Keys:\nNew2\nnew1\nRejected Keys:\nbad1\n"
    )


def test_denied_keys_are_explained_beside_the_list(keys):
    shown = keys("-l", "denied")

    assert shown.out == "Denied Keys:\nweb1\n"
    assert shown.err.startswith("web1: another key of this id is accepted: ")


def test_accepting_asks_for_confirmation_and_names_the_keys(keys):
    shown = keys("-a", "n*", stdin="y\n")

    assert shown.out == (
        "The following keys are going to be accepted:\nUnaccepted Keys:\nnew1\n"
        "Proceed? [n/Y] Key for minion new1 accepted.\n"
    )
    assert (keys.pki / "minions" / "new1").exists()


def test_an_empty_answer_accepts_and_does_not_delete(keys):
    keys("-a", "new1", stdin="\n")
    keys("-d", "new1", stdin="\n")

    assert (keys.pki / "minions" / "new1").exists()


def test_without_a_terminal_to_confirm_nothing_changes(keys):
    shown = keys("-a", "new1")

    assert shown.code == 1
    assert "--yes" in shown.err
    assert (keys.pki / "minions_pre" / "new1").exists()


def test_no_match_is_reported_with_the_states_that_were_looked_at(keys):
    shown = keys("-a", "nope", "--include-rejected", "--include-denied")

    assert shown.out == "The key glob 'nope' does not match any unaccepted, rejected or denied keys.\n"


def test_an_id_without_a_key_fails_and_one_that_is_as_wanted_does_not(keys):
    unknown = keys("-y", "-a", "nope,New2")
    rejected = keys("-y", "-a", "bad1")
    codes = [keys("-y", "-a", match).code for match in ("New2", "no*")]

    assert (unknown.code, unknown.err) == (1, "nope: there is no key with this id; salt-g key -L lists all\n")
    assert (keys.pki / "minions" / "New2").exists()
    assert (rejected.code, rejected.err) == (1, "bad1: its key is rejected: --include-rejected includes it\n")
    assert codes == [0, 0]
    assert keys("-y", "-d", "nope").code == 0


def test_a_malformed_key_cannot_be_accepted(keys):
    (keys.pki / "minions_pre" / "new1").write_text("no key")

    shown = keys("-a", "new1", "-y")

    assert shown.code == 1
    assert "Unable to accept invalid key for new1." in shown.err
    assert not (keys.pki / "minions" / "new1").exists()


def test_deleting_asks_a_stock_master_for_a_new_aes_key_by_default(keys, salt_g):
    keys("-d", "new1", "-y", "--rotate-aes-key=False")
    assert not (salt_g.root / "cache" / ".dfn").exists()

    keys("-d", "web1", "-y")

    assert (salt_g.root / "cache" / ".dfn").exists()
    assert not (keys.pki / "minions" / "web1").exists()
    assert not (keys.pki / "minions_denied" / "web1").exists()


def test_a_key_pair_is_made_with_private_modes(keys, salt_g):
    shown = keys("--gen-keys", "web9", "--gen-keys-dir", salt_g.out)

    assert shown.code == 0
    assert oct((salt_g.out / "web9.pem").stat().st_mode)[-3:] == "400"
    assert "return:" in shown.out


def test_a_signature_is_made_for_minions_that_know_the_signing_key(keys, salt_g, pems):
    assert "No usable private-key found" in keys("--gen-signature").out
    (keys.pki / "master.pub").write_text(pems[0])

    shown = keys("--gen-signature", "--auto-create", "--signature-path", salt_g.out)

    assert shown.code == 0, shown.err
    (signature,) = salt_g.out.iterdir()
    assert signature.name.endswith("_pubkey_signature")


def test_listing_loads_no_heavy_library(keys, salt_g):
    program = (
        "import sys\nfrom salt_g.cli import dispatch\ndispatch.run(['salt-g', 'key', *sys.argv[1:]])\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "-c", salt_g.conf, "-l", "acc"], capture_output=True, text=True
    )

    assert not {"gevent", "zmq", "Crypto", "jinja2", "ssl", "asyncio"} & set(done.stderr.split())


def test_changes_go_through_the_running_master(start_master, salt_g, pems):
    master = start_master(auto_accept=False)
    (master.pki_dir / "minions_pre" / "new1").write_text(pems[0])

    shown = salt_g.run("key", "-c", master.config_dir, "-A", "-y")
    deleted = salt_g.run("key", "-c", master.config_dir, "-d", "new1", "-y")

    assert "Key for minion new1 accepted." in shown.out
    assert "Key for minion new1 deleted." in deleted.out
    assert "new1: key accepted" in master.log()
    assert "wheel.key.delete_dict" in master.log()


def test_the_socket_of_a_killed_master_is_not_an_obstacle(start_master, salt_g, pems):
    master = start_master(auto_accept=False)
    master.kill()
    (master.pki_dir / "minions_pre" / "new1").write_text(pems[0])

    shown = salt_g.run("key", "-c", master.config_dir, "-A", "-y")

    assert "Key for minion new1 accepted." in shown.out
    assert (master.pki_dir / "minions" / "new1").exists()
