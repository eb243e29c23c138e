"""Processes that hold deleted files: a real one, and some from a directory in place of /proc."""

import os
import shutil
import subprocess

import pytest

from salt_g.modules import _systemd, restartcheck


@pytest.fixture
def machine(call_context, monkeypatch, tmp_path):
    """Return a machine: `packages` is {program: package}, `files` are those of packages.

    `booted` is whether systemd runs.
    """

    class Machine:
        packages = {}
        files = []
        kernel_is_old = False

    monkeypatch.setattr(_systemd, "BOOTED_MARK", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    call_context(
        functions={
            "pkg.owner": lambda path: Machine.packages.get(path, ""),
            "pkg.file_list": lambda package: {"errors": [], "files": Machine.files},
            "kernelpkg.needs_reboot": lambda: Machine.kernel_is_old,
        }
    )
    return Machine


@pytest.fixture
def proc(tmp_path, monkeypatch):
    """Return a function that makes a process below a directory that is read in place of /proc."""
    root = tmp_path / "proc"
    (root / "self").mkdir(parents=True)
    (root / "self" / "root").symlink_to("/")
    real = restartcheck.holders_below
    monkeypatch.setattr(restartcheck, "holders_below", lambda place: real(str(root)))

    def make(pid, program, *gone, unit="", inside="/"):
        place = root / str(pid)
        place.mkdir()
        lines = [f"7f00-7f01 r-xp 00000000 fe:01 77   {file} (deleted)\n" for file in gone]
        (place / "maps").write_text("".join([*lines, "7f02-7f03 rw-p 00000000 00:00 0 \n", *lines]))
        (place / "comm").write_text(f"{os.path.basename(program)}\n")
        (place / "cgroup").write_text(f"0::{unit}\n")
        (place / "root").symlink_to(inside)
        (place / "exe").symlink_to(program)

    return make


def test_a_process_of_a_program_that_was_removed_is_found(tmp_path):
    program = f"/opt/salt-g-test-{os.getpid()}"
    try:
        shutil.copyfile("/bin/cat", program)
    except OSError:
        pytest.skip("/opt cannot be written to")
    os.chmod(program, 0o755)
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdin.write(b"up\n")
        process.stdin.flush()
        process.stdout.readline()
        os.unlink(program)

        (found,) = [one for one in restartcheck.holders_below("/proc") if one.pid == process.pid]
        process.stdin.close()

    assert (found.program, found.file) == (program, program)


def test_services_are_reported_with_what_restarts_them(machine, proc):
    machine.packages = {"/usr/sbin/sshd": "openssh-server", "/bin/worker": "worker"}
    proc(10, "/usr/sbin/sshd (deleted)", "/usr/lib/libssl.so.3", unit="/system.slice/ssh.service")
    proc(9, "/usr/sbin/sshd", "/usr/lib/libssl.so.3", unit="/user.slice/user-0.slice/session-1.scope")
    proc(
        11,
        "/usr/bin/worker",
        "/usr/lib/liba.so",
        "/usr/lib/libb.so",
        unit="/user.slice/user@1.service/x.service",
    )

    assert restartcheck.restartcheck() == (
        "Found 2 processes using old versions of upgraded files.\n"
        "These are the packages:\n"
        "Of these, 1 seem to contain systemd service definitions or init scripts"
        " which can be used to restart them:\n"
        "openssh-server:\n"
        "\t9 /usr/sbin/sshd (file: /usr/lib/libssl.so.3)\n"
        "\t10 /usr/sbin/sshd (file: /usr/lib/libssl.so.3)\n"
        "\n\nThese are the systemd services:\n"
        "systemctl restart ssh.service"
        "\n\nThese processes 1 do not seem to have an associated init script to restart them:\n"
        "worker:\n"
        "\t11 /usr/bin/worker (file: /usr/lib/liba.so)\n"
        "\t11 /usr/bin/worker (file: /usr/lib/libb.so)\n"
    )
    assert restartcheck.restartcheck(verbose=False) == ["openssh-server", "worker"]


def test_init_scripts_restart_where_no_systemd_runs(machine, proc, monkeypatch):
    monkeypatch.setattr(_systemd, "BOOTED_MARK", "/nosuch")
    machine.packages = {"/usr/sbin/crond": "cron"}
    machine.files = ["/usr/sbin/crond", "/etc/init.d/cron", "/etc/init.d/own.sh"]
    proc(10, "/usr/sbin/crond", "/usr/lib/libc.so.6")

    assert restartcheck.restartcheck().endswith("\n\nThese are the initd scripts:\nservice cron restart")


@pytest.mark.parametrize(
    "options", [{"ignorelist": "cron"}, {"blacklist": ["/usr/lib/libc.so.6"]}, {"excludepid": "10"}]
)
def test_ignored_programs_are_left_out(machine, proc, options):
    machine.packages = {"/usr/sbin/crond": "cron"}
    proc(10, "/usr/sbin/crond", "/usr/lib/libc.so.6")

    assert restartcheck.restartcheck(**options) == "No packages seem to need to be restarted."


@pytest.mark.parametrize("file", ["/tmp/x", "/memfd:x", "/dev/shm/x", "/SYSV00", "/a/icon-theme.cache"])
def test_files_that_come_and_go_mean_nothing(machine, proc, file):
    proc(10, "/usr/sbin/crond", file)

    assert restartcheck.restartcheck() == "No packages seem to need to be restarted."


def test_processes_of_containers_are_not_ours(machine, proc, tmp_path):
    proc(10, "/usr/sbin/crond", "/usr/lib/libc.so.6", inside=str(tmp_path))

    assert restartcheck.restartcheck() == "No packages seem to need to be restarted."


def test_a_new_kernel_needs_the_machine(machine, proc):
    machine.kernel_is_old = True

    assert restartcheck.restartcheck() == "System restart required.\n\n"
    assert restartcheck.restartcheck(verbose=False) == ["System restart required."]


def test_a_user_other_than_root_is_reported(machine, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    result = restartcheck.restartcheck()

    assert result == {
        "result": False,
        "comment": "Could not get list of processes. (Do you have root access?)",
    }
