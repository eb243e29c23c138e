"""Real network namespaces, and namespaces of a process."""

import subprocess
import sys

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


def test_a_namespace_has_no_files_of_its_own_and_one_that_is_gone_is_named(inside, netns):
    call = inside({"edge": {"netns": next(iter(netns))}, "gone": {"netns": "no-such"}})

    refused = call("edge", "file.read", "/etc/hostname")
    gone = call("gone", "cmd.run", "id")

    assert "edge shares the managing minion's root, so its files are the minion's" in refused.value
    assert "there is no network namespace 'no-such'" in gone.value
    assert call("gone", "test.ping").value is False


@pytest.fixture
def process(may_enter):
    """Yield the pid of a process in network, mount and UTS namespaces of its own."""
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


def test_the_namespaces_of_a_process_are_entered(inside, process):
    call = inside({"app": {"pid": process}})

    assert call("app", "cmd.run", "cat /proc/sys/kernel/hostname").value == "sg-inside"
    assert call("app", "cmd.run", "cat /mnt/note").value == "within"
    assert call("app", "file.read", "/mnt/note").value == "within\n"
    assert sorted(call("app", "network.interfaces").value) == ["lo"]


#: Installs a seccomp filter that refuses mkdir with EPERM, and says so.
FILTERED = """
import ctypes, signal, struct
libc = ctypes.CDLL(None)
steps = [(0x20, 0, 0, 0), (0x15, 0, 1, 83), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7FFF0000)]
code = b"".join(struct.pack("HBBI", *step) for step in steps)
kept = ctypes.create_string_buffer(code, len(code))
class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]
assert libc.prctl(22, 2, ctypes.byref(Program(4, ctypes.addressof(kept))), 0, 0) == 0
print("ready", flush=True)
signal.pause()
"""
WAITING = "import signal; print('ready', flush=True); signal.pause()"
BOUNDED = ["setpriv", "--bounding-set=-all,+chown,+setuid", "--inh-caps=-all"]
CONTAINERS = {
    "bounding set": ["unshare", "--mount", *BOUNDED, sys.executable, "-c", WAITING],
    "no new privileges": ["unshare", "--net", *BOUNDED, "--no-new-privs", sys.executable, "-c", WAITING],
    "seccomp": ["unshare", "--mount", sys.executable, "-c", FILTERED],
    "user namespace": ["unshare", "--user", "--map-root-user", "--mount", sys.executable, "-c", WAITING],
}


def limits(status):
    """Return the restrictions of a process from its status file."""
    lines = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return {name: lines[name].strip() for name in ("CapBnd", "CapEff", "CapInh", "NoNewPrivs", "Seccomp")}


@pytest.mark.parametrize("kind", CONTAINERS)
def test_programs_inside_have_no_more_rights_than_the_process(inside, may_enter, kind):
    with subprocess.Popen(CONTAINERS[kind], stdout=subprocess.PIPE) as started:
        try:
            assert started.stdout.readline() == b"ready\n"
            with open(f"/proc/{started.pid}/status") as file:
                wanted = limits(file.read())
            call = inside({"app": {"pid": started.pid}})

            found = call("app", "cmd.run", "cat /proc/self/status; echo map: $(cat /proc/self/uid_map)").value

            assert limits(found) == wanted
            with open(f"/proc/{started.pid}/uid_map") as file:
                assert f"map: {' '.join(file.read().split())}" in found
        finally:
            started.kill()


def test_a_seccomp_filter_holds_inside(inside, may_enter):
    with subprocess.Popen(CONTAINERS["seccomp"], stdout=subprocess.PIPE) as started:
        try:
            assert started.stdout.readline() == b"ready\n"
            call = inside({"app": {"pid": started.pid}})

            code = "import os\ntry: os.mkdir('/tmp/sg-no')\nexcept PermissionError: print('refused')"
            assert call("app", "cmd.run", f'{sys.executable} -c "{code}"').value == "refused"
            assert started.poll() is None
        finally:
            started.kill()
