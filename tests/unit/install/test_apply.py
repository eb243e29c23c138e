"""Execution and display of installation steps."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.install import apply
from salt_g.install.host import Host
from salt_g.install.manifest import DIRECTORY, FILE, TREE
from salt_g.install.steps import CopyFile, CopyTree, MakeDirectory, PutFile, PutLink, Remove, RunCommand


@pytest.fixture
def host(tmp_path):
    (tmp_path / "root").mkdir()
    return Host(str(tmp_path / "root"))


def test_steps_are_carried_out_in_order_with_a_line_each(host, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "program").write_text("x")
    (source / "program").chmod(0o700)
    steps = [
        MakeDirectory("/opt", 0o750),
        PutFile("/opt/conf", b"a\n", 0o600),
        CopyFile("/opt/one", str(source / "program")),
        CopyTree("/opt/tree", str(source)),
        PutLink("/opt/link", "one"),
    ]

    lines = list(apply.carry_out(steps, host))

    assert lines[0] == "make    /opt/" and lines[-1] == "link    /opt/link -> one"
    assert [host.mode(path) for path in ("/opt", "/opt/conf", "/opt/one", "/opt/tree/program")] == [
        *(0o750, 0o600, 0o755, 0o755)
    ]
    assert host.read("/opt/link") == b"x"


def test_a_link_is_replaced_at_once(host):
    list(apply.carry_out([PutLink("/link", "one"), PutLink("/link", "two")], host))

    assert host.names("/") == ["link"]
    assert host.place("/link") and host.digest("/link") != ""


def test_a_directory_with_further_files_stays(host):
    make = [MakeDirectory("/d"), PutFile("/d/f", b"")]
    list(apply.carry_out([*make, Remove("/d", DIRECTORY)], host))
    assert host.names("/d") == ["f"]

    list(apply.carry_out([Remove("/d/f", FILE), Remove("/d/f", FILE), Remove("/d", DIRECTORY)], host))

    assert host.names("/") == []


def test_a_tree_is_removed_whole(host):
    list(apply.carry_out([MakeDirectory("/d"), PutFile("/d/f", b""), Remove("/d", TREE)], host))

    assert host.names("/") == []


@pytest.mark.parametrize("words", [("sh", "-c", "echo broken >&2; exit 3"), ("/nonexistent/program",)])
def test_a_failed_command_ends_the_installation_unless_it_may_fail(host, words):
    list(apply.carry_out([RunCommand(words, may_fail=True)], host))

    with pytest.raises(CommandExecutionError, match="broken|No such file"):
        list(apply.carry_out([RunCommand(words)], host))


def test_a_dry_run_shows_modes_and_diffs(host):
    list(apply.carry_out([PutFile("/f", b"one\n")], host))

    shown = apply.details(PutFile("/f", b"two\n", 0o600), host)

    assert shown.startswith("write   /f (mode 0600)\n") and "-one" in shown and "+two" in shown
    assert apply.details(MakeDirectory("/d", 0o700), host) == "make    /d/ (mode 0700)"
    assert apply.details(PutFile("/f", b"x", instead="a list"), host) == "write   /f (mode 0644): a list"
