"""Real network namespaces, and namespaces of a process."""

import subprocess

import pytest


def test_commands_and_network_are_those_of_the_namespace(inside, netns):
    a, b = netns
    call = inside({"edge": {"netns": a}})

    assert call("edge", "test.ping").value is True
    assert f"inet {netns[a]}/24" in call("edge", "cmd.run", "ip addr show w0").value
    assert call("edge", "network.ip_addrs").value == [netns[a]]
    assert sorted(call("edge", "network.interfaces").value) == ["lo", "w0"]
    assert call("edge", "network.default_route", "inet").value == [
        {
            "addr_family": "inet",
            "destination": "0.0.0.0",
            "gateway": netns[b],
            "netmask": "0.0.0.0",
            "flags": "UG",
            "interface": "w0",
        }
    ]


def test_exit_codes_and_streams_are_those_of_the_command(inside, netns):
    call = inside({"edge": {"netns": next(iter(netns))}})

    failed = call("edge", "cmd.run_all", "echo out; echo err >&2; exit 3")
    late = call("edge", "cmd.run_all", "sleep 20", "timeout=1")

    assert (failed.value["stdout"], failed.value["stderr"], failed.value["retcode"]) == ("out", "err", 3)
    assert call("edge", "cmd.retcode", "exit 4").value == 4
    assert call("edge", "cmd.run", 'printf "%s|" "a  b" c').value == "a  b|c|"
    assert call("edge", "cmd.run_stdout", "echo $WORD; pwd", "env={WORD: x}", "cwd=/tmp").value == "x\n/tmp"
    assert late.value["retcode"] == 1
    assert "Timed out after 1 seconds" in late.value["stdout"]


def test_namespaces_are_discovered_where_pillar_says_so(inside, netns):
    a, b = netns
    call = inside({}, discover=True)

    assert call(b, "network.ip_addrs").value == [netns[b]]
    assert call(a, "grains.item", "netns", "resource_type").value == {
        "netns": a,
        "resource_type": "container_ns",
    }


def test_a_namespace_has_no_files_of_its_own_and_one_that_is_gone_says_so(inside, netns):
    call = inside({"edge": {"netns": next(iter(netns))}, "gone": {"netns": "no-such"}})

    refused = call("edge", "file.read", "/etc/hostname")
    gone = call("gone", "cmd.run", "id")

    assert "edge has no root of its own: its files are the managing minion's" in refused.value
    assert "there is no network namespace 'no-such'" in gone.value
    assert call("gone", "test.ping").value is False


@pytest.fixture
def process(may_enter):
    """A process with a network, a mount and a host name of its own."""
    words = ["unshare", "--net", "--mount", "--uts", "--fork", "--kill-child", "sh", "-c"]
    script = "echo $$ >&2; hostname sg-inside 2>/dev/null || echo sg-inside > /proc/sys/kernel/hostname; "
    script += "mount -t tmpfs none /mnt; echo within > /mnt/note; echo ready; exec sleep 300"
    with subprocess.Popen([*words, script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as started:
        try:
            assert started.stdout.readline() == b"ready\n"
            with open(f"/proc/{started.pid}/task/{started.pid}/children") as file:
                yield int(file.read().split()[0])
        finally:
            started.kill()


def test_what_a_process_lives_in_is_entered(inside, process):
    call = inside({"app": {"pid": process}})

    assert call("app", "cmd.run", "cat /proc/sys/kernel/hostname").value == "sg-inside"
    assert call("app", "cmd.run", "cat /mnt/note").value == "within"
    assert call("app", "file.read", "/mnt/note").value == "within\n"
    assert sorted(call("app", "network.interfaces").value) == ["lo"]
