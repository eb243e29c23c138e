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


def test_options_of_ssh_are_taken_over(caplog):
    found = entry("h", {"ansible_ssh_common_args": "-o ProxyCommand='ssh -W %h:%p gate' -J jump -4 -oPort=1"})

    assert found["ssh_options"] == ["ProxyCommand=ssh -W %h:%p gate", "ProxyJump=jump", "Port=1"]
    assert "the option -4 of ssh has no effect" in caplog.text


def test_a_directory_is_an_inventory_of_all_its_files(tmp_path):
    for name, text in {
        "prod/1.ini": "[web]\nw1\n", "prod/2.yml": "web: {hosts: {w2: }, vars: {where: west}}\n",
        "prod/notes.md": "no [inventory\n", "prod/.git": "x y\n", "prod/east/3": "w3\n",
        "prod/group_vars/web/1.yml": "where: north\n", "prod/group_vars/web/sub/2": "floor: 2\n",
        "prod/group_vars/all.yml": "key: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  6132\nraw: !unsafe '{{'\n",
        "prod/host_vars/w2": "$ANSIBLE_VAULT;1.1;AES256\n6132\n",
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    read = inventories.read_inventory(str(tmp_path / "prod"))

    assert sorted(read.hosts()) == ["w1", "w2", "w3"]
    assert read.variables("w2") == {"where": "north", "floor": 2, "raw": "{{"}
    assert read.variables("w3") == {"raw": "{{"}


def test_an_empty_directory_is_no_inventory(tmp_path):
    with pytest.raises(RosterError, match="no inventory"):
        inventories.read_inventory(str(tmp_path))


def test_groups_override_in_the_order_of_depth_priority_and_name(inventory):
    text = (
        "[zeta]\nh\n[alpha:children]\nbelow\n[below]\nh\n[zeta:vars]\na=zeta\nb=zeta\n[below:vars]\na=below\n"
        "[zoo]\nh\n[zoo:vars]\nb=zoo\nc=zoo\n[ant]\nh\n[ant:vars]\nc=ant\nansible_group_priority=5\n"
    )

    found = inventories.read_inventory(inventory("hosts", text)).variables("h")

    assert (found["a"], found["b"], found["c"]) == ("below", "zoo", "ant")


def test_values_of_ini_are_literals_of_python_or_text(inventory):
    text = "h a=1 b=0644 c=True d=yes e=[1,2] f=1.5 g='x y' i=-2 j=None k={x m=1.2.3\n"

    found = inventories.read_inventory(inventory("hosts", text)).variables("h")

    assert found == {
        "a": 1, "b": "0644", "c": True, "d": "yes", "e": [1, 2], "f": 1.5, "g": "x y", "i": -2, "j": None,
        "k": "{x", "m": "1.2.3",
    }  # fmt: skip


def test_a_program_without_variables_of_hosts_is_asked_for_each(inventory, targets):
    path = inventory(
        "hosts", '#!/bin/sh\n[ "$1" = --list ] && echo \'{"web": ["w1"], "all2": ["w1"]}\'\n'
        '[ "$1" = --host ] && echo "{\\"ansible_host\\": \\"$2.example.org\\"}"\nexit 0\n', mode=0o755,
    )  # fmt: skip

    assert targets("ansible", roster_file=path) == {"w1": {"host": "w1.example.org"}}


@pytest.mark.parametrize("part", ["hosts: [w1]", "children: [x]", "vars: [x]", "hosts: w1"])
def test_a_part_of_a_group_that_is_no_mapping_is_reported(inventory, part):
    with pytest.raises(RosterError, match="of the group web is not a mapping"):
        inventories.read_inventory(inventory("hosts.yml", f"web: {{{part}}}\n"))


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
def test_a_malformed_inventory_is_reported_with_its_line(inventory, text, words):
    with pytest.raises(RosterError, match=words):
        inventories.read_inventory(inventory("hosts", text))


def test_a_group_that_holds_itself_ends(inventory):
    read = inventories.read_inventory(inventory("hosts", "[a]\nh\n[a:children]\nb\n[b:children]\na\n"))

    assert read.members("b") == ["h"]
