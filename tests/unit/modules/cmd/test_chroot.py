"""`cmd.run_chroot` with a recorded `mount` module."""

import os

import pytest

from salt_g.modules import cmd

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root may change the root directory")


@pytest.fixture
def mounts(call_context):
    """Return the calls of `mount.mount` and `mount.umount`, in order."""
    calls = []
    functions = {
        "mount.mount": lambda target, device, **options: calls.append(("mount", target, device)),
        "mount.umount": lambda target: calls.append(("umount", target)),
    }
    call_context(functions=functions)
    return calls


def test_a_command_runs_between_mounts_and_unmounts(mounts):
    done = cmd.run_chroot("/", "echo $((1 + 1))", binds=["/opt"])

    assert (done["stdout"], done["retcode"]) == ("2", 0)
    assert [call[:2] for call in mounts] == [
        ("mount", "/dev"),
        ("mount", "/proc"),
        ("mount", "/sys"),
        ("mount", "/opt"),
        ("umount", "/opt"),
        ("umount", "/sys"),
        ("umount", "/proc"),
        ("umount", "/dev"),
    ]


def test_a_user_inside_the_root_runs_the_command(mounts):
    done = cmd.run_chroot("/", ["id", "-un"], runas="nobody")

    assert done["stdout"] == "nobody"


def test_a_failed_command_unmounts_all_the_same(mounts):
    done = cmd.run_chroot("/", "exit 3")

    assert done["retcode"] == 3
    assert mounts[-1] == ("umount", "/dev")
