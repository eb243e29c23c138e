"""Automatic acceptance and rejection of keys."""

import errno
import os

import pytest

from salt_g.errors import KeysUnavailable
from salt_g.keys.policy import AutoSettings, Policy


@pytest.fixture
def listed(tmp_path):
    """Return a function that writes a file with these lines that only its owner can write."""

    def make(*lines, name="list", mode=0o600):
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n")
        path.chmod(mode)
        return str(path)

    return make


def test_nothing_is_accepted_by_itself(policy):
    assert policy().rules("m1", {}).accept == ""


def test_auto_accept_accepts_everyone_but_the_rejected(policy, listed):
    made = policy(auto_accept=True, autoreject_file=listed("bad*"))

    assert made.rules("m1", {}).accept
    assert made.rules("bad1", {}).accept == ""
    assert "'bad*'" in made.rules("bad1", {}).reject


def test_lists_skip_comments_and_empty_lines(policy, listed):
    made = policy(autosign_file=listed("# *", "", "  web*  "))

    assert made.rules("web1", {}).accept
    assert made.rules("db1", {}).accept == ""


def test_a_changed_list_is_read_again(policy, listed):
    made = policy(autosign_file=listed("web*"))
    assert made.rules("db1", {}).accept == ""

    listed("web*", "db*")

    assert made.rules("db1", {}).accept


def test_a_missing_list_is_empty(policy, tmp_path):
    assert policy(autosign_file=str(tmp_path / "none")).rules("m1", {}).accept == ""


@pytest.mark.parametrize(
    ("mode", "permissive", "accepts"), [(0o602, True, False), (0o620, False, False), (0o620, True, True)]
)
def test_a_list_that_others_can_write_is_ignored(policy, listed, mode, permissive, accepts, caplog):
    made = policy(autosign_file=listed("*", mode=mode), permissive_pki_access=permissive)

    assert bool(made.rules("m1", {}).accept) is accepts
    assert ("is ignored, because others can write to it" in caplog.text) is not accepts


def test_a_grain_accepts_by_its_value(policy, listed, tmp_path):
    (tmp_path / "grains").mkdir()
    listed("# no", "secret-1", "7", name="grains/uuid")
    made = policy(autosign_grains_dir=str(tmp_path / "grains"))

    assert "'uuid'" in made.rules("m1", {"uuid": "secret-1"}).accept
    assert made.rules("m1", {"uuid": 7}).accept
    assert made.rules("m1", {"uuid": "# no"}).accept == ""
    assert made.rules("m1", {"uuid": "secret"}).accept == ""
    assert made.rules("m1", {"../list": "x", "other": "secret-1"}).accept == ""


def test_a_stub_accepts_once(policy, tmp_path):
    stub = tmp_path / "pki" / "minions_autosign" / "m1"
    stub.parent.mkdir(parents=True)
    stub.touch()
    made = policy()

    assert made.rules("m1", {}).accept
    made.use_up("m1")
    assert made.rules("m1", {}).accept == ""


def test_an_old_stub_is_removed(tmp_path):
    stub = tmp_path / "minions_autosign" / "m1"
    stub.parent.mkdir()
    stub.touch()
    os.utime(stub, (1000, 1000))
    settings = AutoSettings(pki_dir=str(tmp_path), autosign_timeout=2)

    assert Policy(settings, clock=lambda: 1119.0).rules("m1", {}).accept
    assert Policy(settings, clock=lambda: 1121.0).rules("m1", {}).accept == ""
    assert not stub.exists()


def test_a_known_id_costs_no_list(policy, listed):
    rules = policy(autoreject_file=listed("*"), open_mode=True).rules_for_known(full="no place")

    assert (rules.reject, rules.open_mode, rules.full) == ("", True, "no place")


@pytest.mark.parametrize("name", ["autosign_file", "autoreject_file"])
def test_a_list_that_is_there_and_cannot_be_read_decides_nothing(tmp_path, monkeypatch, name):
    (tmp_path / "list").write_text("m1\n")
    (tmp_path / "list").chmod(0o600)
    policy = Policy(AutoSettings(str(tmp_path), **{name: str(tmp_path / "list")}))

    def fail(*args, **kwargs):
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as lacking:
        lacking.setattr("builtins.open", fail)
        with pytest.raises(KeysUnavailable, match="Too many open files"):
            policy.rules("m1", {})

    assert policy.rules("m1", {}).accept or policy.rules("m1", {}).reject


def test_a_list_that_is_too_long_decides_nothing(policy, listed, monkeypatch):
    monkeypatch.setattr("salt_g.keys.policy.MAX_LIST", 8)
    made = policy(autoreject_file=listed("web1", "web2", "db1"))

    with pytest.raises(KeysUnavailable, match="more than"):
        made.rules("db1", {})
