"""`salt.utils.roster_matcher` for users' rosters."""

import pytest

from salt_g import api, config
from salt_g.compat.utils.calls.roster_matcher import targets
from salt_g.local_call import local_context

RAW = {"web1": {"host": "192.0.2.1"}, "web2": "192.0.2.2", "db1": {"port": 2222}, "gone": None}


@pytest.fixture
def in_call(tmp_path):
    """Enter a call on a master whose settings have a nodegroup and defaults of a roster."""
    settings = {"ssh_list_nodegroups": {"all": "web2,db1"}, "roster_defaults": {"user": "deploy"}}
    opts = config.load("master", str(tmp_path), {"root_dir": str(tmp_path)}, asks_for_id=False).opts
    with api.use(local_context({**opts, **settings})):
        yield


@pytest.mark.parametrize(
    ("tgt", "tgt_type", "ids"),
    [
        ("web*", "glob", ["web1", "web2"]),
        (".*[^2]$", "pcre", ["web1", "db1"]),
        (["web1", "gone"], "list", ["web1"]),
        ("db1,web2", "list", ["web2", "db1"]),
        ("all", "nodegroup", ["web2", "db1"]),
        ("web1", "xyzzy", []),
    ],
)
@pytest.mark.usefixtures("in_call")
def test_hosts_are_selected_as_in_stock(tgt, tgt_type, ids):
    assert list(targets(RAW, tgt, tgt_type)) == ids


@pytest.mark.usefixtures("in_call")
def test_entries_have_the_defaults_and_a_text_is_an_address():
    assert targets(RAW, "web*", "glob") == {
        "web1": {"host": "192.0.2.1", "user": "deploy"}, "web2": {"host": "192.0.2.2", "user": "deploy"},
    }  # fmt: skip
