"""File texts and errors of the providers of `ip.*`, compared with recorded ones.

The JSON files were recorded from stock Salt 3008.3: each line is a call with the lines that it returned, or
its error. rh_ip's are the same for releases 7, 8 and 9, but that 7 refuses the hash policy vlan+srcmac.
"""

import json
import pathlib

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import netplan_ip, nm_ip, rh_ip
from salt_g.modules.nm_ip import _files as nm_files

HERE = pathlib.Path(__file__).parent
#: Interfaces that the recording machine had.
PRESENT = ("eth0", "eth1", "eth2", "eth3", "bond0", "br0", "team0", "ipip0", "ib0", "eth0.5", "eth0:1")


def rows(provider):
    found = json.loads((HERE / f"{provider}.json").read_text())
    return [pytest.param(row, id=f"{row['call']} {row['args']} {row['settings']}"[:120]) for row in found]


@pytest.fixture
def machine(call_context, monkeypatch, tmp_path):
    """Interfaces with hardware addresses and two processors, no files."""
    monkeypatch.setattr(nm_files, "CONNECTIONS", str(tmp_path))
    monkeypatch.setattr(netplan_ip, "NETPLAN", str(tmp_path))
    found = {name: {"hwaddr": f"02:00:00:00:00:0{number}"} for number, name in enumerate(PRESENT)}
    call_context(functions={"network.interfaces": lambda: found}, grains={"num_cpus": 2})


def outcome(provider, row):
    try:
        return getattr(provider, row["call"])(*row["args"], **row["settings"], test=True)
    except (AttributeError, CommandExecutionError) as exc:
        return f"{type(exc).__name__}: {exc}"


@pytest.mark.parametrize("row", rows("rh_ip"))
def test_ifcfg_files_are_those_of_stock(machine, row):
    assert outcome(rh_ip, row) == row["stock"]


@pytest.mark.parametrize("row", rows("nm_ip"))
def test_keyfiles_are_those_of_stock(machine, row):
    assert outcome(nm_ip, row) == row["stock"]


@pytest.mark.parametrize("row", rows("netplan_ip"))
def test_netplan_files_are_those_of_stock(machine, row):
    assert outcome(netplan_ip, row) == row["stock"]
