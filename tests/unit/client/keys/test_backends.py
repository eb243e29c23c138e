"""Changes of keys by programs, without a master and through one."""

import pytest

from salt_g.client.keys.backends import FileBackend, KeyOptions, MasterBackend, running_master
from salt_g.errors import CommandExecutionError


@pytest.fixture
def opts(tmp_path, minion_key):
    """Return settings of a stopped master with a pending key."""
    for state in ("minions", "minions_pre", "minions_rejected", "minions_denied"):
        (tmp_path / "pki" / state).mkdir(parents=True)
    (tmp_path / "pki/minions_pre/web1").write_text(minion_key.public.pem)
    settings = {"pki_dir": str(tmp_path / "pki"), "cachedir": str(tmp_path), "sock_dir": str(tmp_path)}
    return {
        **settings,
        "hash_type": "sha256",
        "id": "m",
        "rotate_aes_key": True,
        "preserve_minion_cache": True,
    }


def test_files_are_changed_and_a_stock_master_is_asked_for_a_new_aes_key(opts, tmp_path):
    backend = FileBackend(opts)

    assert backend.change("accept", {"minions_pre": ["web1"]}, KeyOptions()) == {"minions": ["web1"]}
    assert not (tmp_path / ".dfn").exists()
    assert backend.change("reject", {"minions": ["web1"]}, KeyOptions()) == {"minions_rejected": ["web1"]}
    assert (tmp_path / ".dfn").read_text() == "m"
    assert backend.change("delete", backend.glob_match("web*"), KeyOptions(rotates=False)) == {}


def test_keys_of_a_cluster_are_changed_where_a_master_runs(opts):
    backend = FileBackend(opts)
    opts["cluster"] = "x"

    with pytest.raises(CommandExecutionError, match="no master runs here; start one"):
        backend.change("accept", {"minions_pre": ["web1"]}, KeyOptions())


def test_no_master_runs_without_its_socket(opts):
    assert running_master(opts) is None


class Link:
    """Connection to a master that echoes the request."""

    def __init__(self, **reply):
        self.requests, self.reply = [], reply

    def ask(self, load, *, timeout):
        self.requests.append(load)
        return self.reply


def test_a_master_changes_exactly_the_chosen_keys():
    link = Link(data={"success": True, "return": {"minions": ["web1"]}})

    now = MasterBackend(link, {"token": "t"}).change("reject", {"minions": ["web1"]}, KeyOptions())

    assert now == {"minions": ["web1"]}
    assert link.requests[0]["fun"] == "key.reject_dict" and link.requests[0]["token"] == "t"
    assert link.requests[0]["kwarg"]["include_accepted"] is True


def test_the_masters_error_is_raised():
    link = Link(data={"success": False, "return": "no"})

    with pytest.raises(CommandExecutionError, match="no"):
        MasterBackend(link, {}).list_status("all")
