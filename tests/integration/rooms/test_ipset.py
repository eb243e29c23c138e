"""Sets of the kernel's packet filter, in a network namespace."""

import pytest


@pytest.fixture
def inside(inside, need):
    """Return the command in its own network namespace without any sets."""
    need("ipset")
    return inside


IPSET = """
blocked:
  ipset.set_present:
    - set_type: hash:net
    - comment: true
ports:
  ipset.set_present:
    - set_type: hash:ip,port
    - timeout: 600
networks:
  ipset.present:
    - set_name: blocked
    - comment: of a neighbour
    - entry: [10.1.0.0/16, 192.168.7.0/24]
service:
  ipset.present:
    - set_name: ports
    - timeout: 300
    - entry: '10.0.0.1,80'
old:
  ipset.absent:
    - set_name: blocked
    - entry: 10.9.0.0/16
"""


def _results(outcome):
    return {tag.split("_|-")[1]: (ret["result"], ret["changes"]) for tag, ret in outcome.value.items()}


def test_sets_and_their_entries_are_made_once(inside):
    inside.write({"fw.sls": IPSET})

    planned = inside("state.apply", "fw", "test=True")
    first = inside("state.apply", "fw")
    second = inside("state.apply", "fw")

    assert planned.value["ipset_|-blocked_|-blocked_|-set_present"]["result"] is None
    assert _results(first) == {
        "blocked": (True, {"locale": "blocked"}),
        "ports": (True, {"locale": "ports"}),
        "networks": (True, {"locale": "networks"}),
        "service": (True, {"locale": "service"}),
        "old": (True, {}),
    }
    assert all(result == (True, {}) for result in _results(second).values())
    check = ("ipset.check", "blocked")
    assert inside(*check, "10.1.2.3").value is True
    assert inside(*check, "10.2.2.3").value is False
    assert inside(*check, "10.1.0.0/16 comment 'of a neighbour'").value is True
    assert inside(*check, "10.1.0.0/16 comment other").value is False
    assert inside("ipset.test", "ports", "10.0.0.1,tcp:80").value is True


def test_entries_change_and_go(inside):
    inside("ipset.new_set", "hosts", "hash:ip", "comment=True")
    inside("ipset.add", "hosts", "10.0.0.0-10.0.0.3")
    present = ("state.single", "ipset.present", "x", "set_name=hosts")

    again = inside("ipset.add", "hosts", "10.0.0.1")
    more = inside(*present, "entry=10.0.0.2-10.0.0.5", "comment=some")
    removed = inside("state.single", "ipset.absent", "x", "set_name=hosts", "entry=10.0.0.1")
    flushed = inside("state.single", "ipset.flush", "hosts")
    gone = inside("state.single", "ipset.set_absent", "hosts")
    nowhere = inside(*present, "entry=10.0.0.1")

    assert again.value == "Warn: Entry 10.0.0.1 already exists in set hosts"
    assert _results(more) == {"x": (True, {"locale": "x"})}
    assert _results(removed) == {"x": (True, {"locale": "x"})}
    assert _results(flushed) == {"hosts": (True, {"locale": "hosts"})}
    assert _results(gone) == {"hosts": (True, {"locale": "hosts"})}
    (result,) = nowhere.value.values()
    assert result["result"] is False
    assert "Error: Set hosts does not exist" in result["comment"]
    assert inside("ipset.list_sets").value == []


def test_a_refusal_of_ipset_fails_with_its_message(inside):

    wrong = inside("ipset.new_set", "hosts", "hash:ip", "netmask=99")
    unknown = inside("ipset.new_set", "hosts", "hash:foo")
    lacking = inside("ipset.add", "nosuch", "10.0.0.1")

    assert wrong.code != 0
    assert "netmask" in wrong.value
    assert unknown.value.startswith("Error: Set Type is invalid")
    assert lacking.value == "Error: Set nosuch does not exist"
