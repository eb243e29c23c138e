"""The minion's own process."""

import os

from salt_g.grains.process import path, shell, user


def test_user_and_group_have_names_and_numbers():
    found = user()

    assert (found["uid"], found["gid"], found["pid"]) == (os.geteuid(), os.getegid(), os.getpid())


def test_the_path_is_text_and_list(monkeypatch):
    monkeypatch.setenv("PATH", "/a:/b")

    assert path() == {"path": "/a:/b", "systempath": ["/a", "/b"]}


def test_a_process_without_a_shell_has_the_posix_one(monkeypatch):
    monkeypatch.delenv("SHELL", raising=False)

    assert shell() == {"shell": "/bin/sh"}
