"""Jobs that run through sudo, where it is installed."""

import os
import shutil

import pytest


@pytest.mark.skipif(shutil.which("sudo") is None, reason="sudo is not installed")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs no rule to use sudo")
def test_functions_run_as_the_user_that_sudo_names(start_master, start_minion, salt):
    master = start_master()
    start_minion(master, sudo_user="root")

    ran = salt(master, "m1", "cmd.run", "echo $SUDO_USER")

    assert ran.minions == {"m1": "root"}, ran.err
