"""Hosts of a roster, which may be a user's module."""

import pytest

from salt_g import config
from salt_g.cli.ssh.roster_hosts import RosterHosts
from salt_g.errors import RosterError

ROSTER = """
def targets(tgt, tgt_type="glob"):
    if tgt == "raises":
        raise RuntimeError("the inventory is down")
    if tgt == "ends":
        raise SystemExit(3)
    return {"list": ["web1"], "text": {"web1": "192.0.2.1"}, "none": None}.get(tgt, {"web1": {"host": "x"}})
"""


@pytest.fixture
def hosts(tmp_path):
    """Return hosts of the roster `own`."""
    (tmp_path / "own.py").write_text(ROSTER)
    settings = {"root_dir": str(tmp_path), "roster": "own", "roster_dirs": [str(tmp_path)]}
    return RosterHosts(config.load("master", str(tmp_path), settings, asks_for_id=False).opts)


def test_a_users_roster_says_the_hosts_of_a_target(hosts):
    assert hosts.listed("*", "glob") == {"own": {"web1": "x"}}
    assert hosts.listed("none", "glob") == {"own": {}}


@pytest.mark.parametrize(
    ("tgt", "reason"),
    [
        ("raises", "'own' failed: RuntimeError: the inventory is down"),
        ("ends", "'own' failed: SystemExit: 3"),
        ("list", "must return {id: settings}, but returned \"\\['web1'\\]\""),
        ("text", "must return {id: settings}, but returned '192.0.2.1'"),
    ],
)
def test_one_that_cannot_is_an_error_with_the_reason(hosts, tgt, reason):
    with pytest.raises(RosterError, match=reason):
        hosts.listed(tgt, "glob")
