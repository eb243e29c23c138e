"""Inventories of Ansible: three formats, groups, variables."""

import pytest

from salt_g.errors import RosterError
from salt_g.rosters import _ansible_inventory as inventories
from salt_g.rosters.ansible import entry

INI = """
lone
[web]
w[01:03] ansible_host=192.0.2.1 http_port=80   # three
[db]
d1:2222 ansible_ssh_user=gt ansible_ssh_pass='pass word'
[both:children]
web
db
[both:vars]
ansible_user=deploy
where = "east"
[web:vars]
where=west
"""
YAML = """
all:
  hosts:
    lone:
  vars: {ansible_user: deploy}
  children:
    web:
      hosts:
        w[01:02]: {ansible_port: 2200}
      children:
        edge: {hosts: {e1: {}}}
"""
PROGRAM = """#!/bin/sh
echo '{"web": ["w1"], "all2": {"children": ["web"], "vars": {"a": 1}},
 "_meta": {"hostvars": {"w1": {"ansible_host": "192.0.2.1"}}}}'
"""


@pytest.fixture
def inventory(tmp_path):
    def write(name, text, mode=0o644):
        path = tmp_path / name
        path.write_text(text)
        path.chmod(mode)
        return str(path)

    return write


@pytest.mark.parametrize(
    ("tgt", "tgt_type", "ids"),
    [
        ("*", "glob", ["lone", "w01", "w02", "w03", "d1"]),
        ("both", "nodegroup", ["d1", "w01", "w02", "w03"]),
        ("web", "glob", ["w01", "w02", "w03"]),
        ("all", "nodegroup", ["lone", "w01", "w02", "w03", "d1"]),
        ("w0[12]", "pcre", ["w01", "w02"]),
        ("d1", "glob", ["d1"]),
    ],
)
def test_hosts_and_groups_of_a_file_are_targets(inventory, targets, tgt, tgt_type, ids):
    found = targets("ansible", tgt, tgt_type, roster_file=inventory("hosts", INI))

    assert sorted(found) == sorted(ids)


def test_variables_become_settings_and_the_nearest_group_wins(inventory, targets):
    found = targets("ansible", roster_file=inventory("hosts", INI))

    assert found["w01"] == {
        "host": "192.0.2.1", "user": "deploy", "minion_opts": {"where": "west", "http_port": 80},
    }  # fmt: skip
    assert found["d1"] == {
        "host": "d1", "port": 2222, "user": "deploy", "passwd": "pass word", "minion_opts": {"where": "east"},
    }  # fmt: skip


def test_trees_in_yaml_are_read(inventory, targets):
    path = inventory("hosts.yml", YAML)

    assert sorted(targets("ansible", "web", "nodegroup", roster_file=path)) == ["e1", "w01", "w02"]
    assert targets("ansible", "w01", roster_file=path) == {
        "w01": {"host": "w01", "port": 2200, "user": "deploy"}
    }


def test_a_program_prints_an_inventory(inventory, targets):
    path = inventory("hosts", PROGRAM, mode=0o755)

    assert targets("ansible", "all2", "nodegroup", roster_file=path) == {
        "w1": {"host": "192.0.2.1", "minion_opts": {"a": 1}}
    }


def test_files_of_variables_beside_the_inventory_count(inventory, tmp_path):
    (tmp_path / "group_vars").mkdir()
    (tmp_path / "host_vars").mkdir()
    (tmp_path / "group_vars" / "web.yml").write_text("where: north\n")
    (tmp_path / "host_vars" / "w02").write_text("where: here\n")

    read = inventories.read_inventory(inventory("hosts", INI))

    assert [read.variables(host)["where"] for host in ("w01", "w02", "d1")] == ["north", "here", "east"]


def test_passwords_of_sudo_switch_it_on():
    found = entry("h", {"ansible_sudo_pass": "secret", "ansible_become_user": "bob"})

    assert found == {"host": "h", "sudo": True, "passwd": "secret", "sudo_user": "bob"}


@pytest.mark.parametrize(
    ("name", "hosts"),
    [
        ("a", ["a"]),
        ("w[8:10]", ["w8", "w9", "w10"]),
        ("w[01:05:2]", ["w01", "w03", "w05"]),
        ("[a:c]x", ["ax", "bx", "cx"]),
    ],
)
def test_ranges_are_expanded(name, hosts):
    assert list(inventories.expanded(name)) == hosts


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[web:things]\nx\n", "line 2: .*'things'"),
        ("[web:vars]\nx\n", "line 2"),
        ("a b\n", "line 1: 'b'"),
        ("w[1:xy]\n", "range"),
    ],
)
def test_what_cannot_be_read_is_reported_with_its_line(inventory, text, words):
    with pytest.raises(RosterError, match=words):
        inventories.read_inventory(inventory("hosts", text))


def test_a_group_that_holds_itself_ends(inventory):
    read = inventories.read_inventory(inventory("hosts", "[a]\nh\n[a:children]\nb\n[b:children]\na\n"))

    assert read.members("b") == ["h"]
