"""Answers to password askpass of `ssh`."""

import os
import pwd
import subprocess
import sys

import pytest

from salt_g.resources.ssh._secrets import Askpass
from salt_g.resources.ssh._settings import host_of

SETTINGS = {"host": "Web.example.org", "user": "fred", "priv": "/keys/id"}
SETTINGS.update(passwd="pw", priv_passwd="pp")
#: Asks as `ssh` does: as the parent of the helper.
ASK = """
import subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, text=True)
print([done.returncode, done.stdout])
"""


@pytest.fixture
def answer_to(tmp_path):
    """Return a function that returns the helper's answer to a prompt."""

    def ask(question, **settings):
        askpass = Askpass(str(tmp_path), host_of("w", {**SETTINGS, **settings}))
        with askpass as environment:
            askpass.answer(os.getpid())
            words = [environment["SSH_ASKPASS"], question]
            return subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False).stdout

    return ask


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("fred@web.example.org's password: ", "pw\n"),
        ("(fred@web.example.org) Password: ", "pw\n"),
        ("(fred@web.example.org) Password for fred@web.example.org:", "pw\n"),
        ("Enter passphrase for key '/keys/id': ", "pp\n"),
    ],
)
def test_the_questions_of_openssh_are_answered(answer_to, question, answer):
    assert answer_to(question) == answer


@pytest.mark.parametrize(
    "question",
    [
        "",
        "Password: ",
        "fred@web.example.org's password: again",
        "evil fred@web.example.org's password: ",
        "(fred@jump) fred@web.example.org's password: ",
        "(fred@jump) Password: ",
        "(fred@web.example.org) Enter passphrase for key '/keys/id': ",
        "(fred@jump) Enter passphrase for key '/keys/id': ",
        "Enter passphrase for key '/keys/id2': ",
        "Enter passphrase for key '/keys/id': \n",
        "fred@web.example.org.evil.org's password: ",
        "fred@jump's password: ",
        "Enter fred@web.example.org's new password: ",
        "Are you sure you want to continue connecting (yes/no/[fingerprint])? fred@web.example.org",
    ],
)
def test_other_questions_are_not(answer_to, question):
    assert answer_to(question) == ""


def test_paths_are_those_that_ssh_shows(answer_to):
    home = pwd.getpwuid(os.getuid()).pw_dir
    long = "/keys/" + "k" * 120

    assert answer_to(f"Enter passphrase for key '{home}/.ssh/id': ", priv="~/.ssh/id") == "pp\n"
    assert answer_to(f"Enter passphrase for key '{long}': ", priv=long) == "pp\n"
    assert answer_to(f"Enter passphrase for key '{long[:100]}': ", priv=long) == "pp\n"
    assert answer_to("fred@web's password: ", ssh_options=["HostKeyAlias=web"]) == "pw\n"
    assert answer_to("fred@*'s password: ") == ""


def test_another_process_than_the_one_that_was_started_gets_nothing(tmp_path):
    askpass = Askpass(str(tmp_path), host_of("w", SETTINGS))
    with askpass as environment:
        askpass.answer(os.getpid())
        words = [sys.executable, "-c", ASK, environment["SSH_ASKPASS"], "fred@web.example.org's password: "]

        done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)

    assert done.stdout == "[1, '']\n"
    assert not (tmp_path / "holder").exists()
