"""PAM in a process of its own, and groups of the system."""

from salt_g.auth import pam


def test_pam_is_asked_in_a_process_of_its_own(tmp_path):
    asking = tmp_path / "python"
    asking.write_text("#!/bin/sh\nread question\ncase $question in *right*) exit 0;; esac\nexit 1\n")
    asking.chmod(0o755)
    checker = pam.Checker({"auth.pam.python": str(asking)}, {})

    assert checker.is_right("root", "right")
    assert not checker.is_right("root", "wrong")
    assert "root" in checker.groups("root")
    assert checker.groups("no such user") == []
