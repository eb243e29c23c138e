"""State of a host: its paths, digests and init system."""

import os

import pytest

from salt_g.install import host as hosts
from salt_g.install.host import Host


@pytest.fixture
def host(tmp_path):
    return Host(str(tmp_path))


def test_paths_are_those_of_the_host(host, tmp_path):
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/motd").write_text("hi")

    assert host.place("/etc/motd") == str(tmp_path / "etc/motd")
    assert (host.read("/etc/motd"), host.names("/etc"), host.is_here) == (b"hi", ["motd"], False)
    assert Host().is_here and Host().place("/etc/motd") == "/etc/motd"


def test_a_broken_link_exists(host, tmp_path):
    (tmp_path / "link").symlink_to("nowhere")

    assert host.exists("/link") and not host.exists("/nowhere")
    assert host.digest("/link") == hosts.of_link("nowhere")


def test_a_digest_is_that_of_the_content(host, tmp_path):
    (tmp_path / "f").write_text("text")

    assert host.digest("/f") == hosts.of_content(b"text")
    assert host.digest("/nothing") == ""


def test_the_digest_of_a_tree_shows_each_change(host, tmp_path):
    program = tmp_path / "tree/bin/program"
    program.parent.mkdir(parents=True)
    program.write_text("x")
    found = [host.digest("/tree")]
    program.chmod(0o755)
    found.append(host.digest("/tree"))
    (tmp_path / "tree/link").symlink_to("bin")
    found.append(host.digest("/tree"))
    os.rename(program, f"{program}2")
    found.append(host.digest("/tree"))

    assert len(set(found)) == 4


@pytest.mark.parametrize(
    ("paths", "init"),
    [
        (["run/systemd/system/", "etc/init.d/"], hosts.SYSTEMD),
        (["lib/systemd/systemd"], hosts.SYSTEMD),
        (["sbin/openrc-run", "etc/init.d/"], hosts.OPENRC),
        (["etc/init.d/"], hosts.SYSV),
        ([], hosts.NONE),
    ],
)
def test_the_init_system_is_recognized(host, tmp_path, paths, init):
    for path in paths:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        if path.endswith("/"):
            (tmp_path / path).mkdir(exist_ok=True)
        else:
            (tmp_path / path).write_text("")

    assert host.init() == init
    assert not host.runs_systemd() and not host.is_active("x.service")
