"""Runners that call execution functions on the master: http, network, sdb."""

import socket
import types

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import network as network_module
from salt_g.modules import sdb as sdb_module
from salt_g.runners import http, network, sdb


class Targets:
    """Fake resolver: `desk*` matches these minions; any other target fails."""

    def __init__(self, *ids):
        self.ids = ids

    def resolve(self, tgt, tgt_type="glob", *, greedy=True):
        assert (tgt, tgt_type, greedy) == ("desk*", "glob", False)
        return types.SimpleNamespace(minions=list(self.ids))


@pytest.fixture
def woken(call_context, progress):
    """Yield a socket for magic packets; calling it returns the address in the next one."""
    data = {
        "desk1": ({"hwaddr_interfaces": {"lo": "00:00:00:00:00:00", "eth0": "08:00:27:13:69:77"}}, {}),
        "desk2": ({}, {}),
        "desk3": None,
    }
    call_context(
        functions={"network.wol": network_module.wol},
        progress=progress,
        targets=Targets(*data),
        minion_data=data,
    )
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.bind(("127.0.0.1", 0))
        ear.settimeout(60)
        port = ear.getsockname()[1]

        def received_mac():
            packet = ear.recv(1000)
            assert packet == b"\xff" * 6 + packet[-6:] * 16
            return packet[-6:].hex()

        yield {"bcast": "127.0.0.1", "destport": port}, received_mac


@pytest.mark.parametrize("mac", ["08:00:27:13:69:7a", "08-00-27-13-69-7A", "08002713697a"])
def test_a_machine_is_woken(woken, mac):
    where, received_mac = woken

    assert network.wol(mac, **where) is True
    assert received_mac() == "08002713697a"


def test_machines_of_a_list_are_woken(woken, tmp_path, progress):
    where, received_mac = woken
    (tmp_path / "list").write_text("# office\n08:00:27:13:69:77\n\n 080027136978 \n")

    assert network.wollist(str(tmp_path / "list"), **where) == ["08:00:27:13:69:77", "080027136978"]
    assert [received_mac(), received_mac()] == ["080027136977", "080027136978"]
    assert progress.written[0] == "Waking up 08:00:27:13:69:77"


def test_a_list_with_a_bad_line_wakes_no_machine(woken, tmp_path, progress):
    where, _ = woken
    (tmp_path / "list").write_text("08:00:27:13:69:77\nmine\n")

    with pytest.raises(CommandExecutionError, match="'mine' is not a hardware address"):
        network.wollist(str(tmp_path / "list"), **where)
    assert progress.written == []
    with pytest.raises(CommandExecutionError, match="cannot be read: .*no/such"):
        network.wollist("/no/such", **where)


def test_minions_of_a_target_are_woken(woken):
    where, received_mac = woken

    assert network.wolmatch("desk*", **where) == ["08:00:27:13:69:77"]
    assert received_mac() == "080027136977"


def test_http_query_is_that_of_the_module(call_context):
    call_context(functions={"http.query": lambda url, **options: (url, options)})

    assert http.query("http://x/", output=False, node="master", method="POST", __pub_jid="1") == (
        "http://x/",
        {"method": "POST"},
    )


def test_secrets_are_those_of_the_masters_profiles(call_context):
    kept = {}
    drivers = {
        "mine.get": lambda key, profile: kept.get(key),
        "mine.set": lambda key, value, profile: kept.update({key: value}) or True,
        "mine.delete": lambda key, profile: kept.pop(key, None) is not None,
    }
    names = ("get", "delete", "get_or_set_hash")
    functions = {f"sdb.{name}": getattr(sdb_module, name) for name in names}
    call_context(
        opts={"store": {"driver": "mine"}},
        functions={**functions, "sdb.set": sdb_module.set_},
        tables={"sdb": drivers},
    )

    assert sdb.set_("sdb://store/a", 1) is True
    assert sdb.get("sdb://store/a") == 1
    assert sdb.delete("sdb://store/a") is True
    made = sdb.get_or_set_hash("sdb://store/b", 12, "x")
    assert made == kept["b"] == "x" * 12
    assert len(sdb.get_or_set_hash("sdb://store/c")) == 8
