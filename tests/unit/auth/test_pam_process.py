"""The real PAM, with test services."""

import ctypes

import pytest

from salt_g.auth import pam_process


def test_the_real_pam_refuses_unknown_users():
    try:
        answer = pam_process.is_right("login", "no-such-user-here", "x")
    except OSError:
        pytest.skip("there is no PAM on this machine")

    assert answer is False


class PrivateServices:
    """libpam with services from a test directory in place of the machine's."""

    def __init__(self, library, directory):
        self._library = library
        self._directory = str(directory).encode()

    def __getattr__(self, name):
        return getattr(self._library, name)

    def pam_start(self, service, username, conversation, handle):
        return self._library.pam_start_confdir(service, username, conversation, self._directory, handle)


def test_the_real_pam_gets_the_password_from_the_conversation(tmp_path, monkeypatch):
    try:
        library, libc = pam_process._libraries()
        start = library.pam_start_confdir
    except (OSError, AttributeError):
        pytest.skip("this machine has no PAM, or one that is too old to read services of a test")
    text = ctypes.c_char_p
    start.argtypes = (text, text, ctypes.c_void_p, text, ctypes.c_void_p)
    check = tmp_path / "check"
    check.write_text("#!/bin/sh\n[ \"$(tr -d '\\0')\" = 'right word' ]\n")
    check.chmod(0o755)
    (tmp_path / "mine").write_text(
        f"auth required pam_exec.so quiet expose_authtok {check}\naccount required pam_permit.so\n"
    )
    monkeypatch.setattr(pam_process, "_libraries", lambda: (PrivateServices(library, tmp_path), libc))

    if not pam_process.is_right("mine", "root", "right word"):
        pytest.skip("PAM of this machine has no module pam_exec")
    assert not pam_process.is_right("mine", "root", "wrong word")
