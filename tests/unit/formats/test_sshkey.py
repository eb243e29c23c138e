"""Lines of keys: their fields, their types and their fingerprints."""

import hashlib

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.formats.sshkey import Line, fingerprint, key_type, make_line, parse


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("ssh-rsa AAAA", Line("ssh-rsa", "AAAA")),
        ("  ssh-ed25519   AAAA  me  at  home\n", Line("ssh-ed25519", "AAAA", "me at home")),
        (
            "no-pty,from=a ecdsa-sha2-nistp256 A c",
            Line("ecdsa-sha2-nistp256", "A", "c", ("no-pty", "from=a")),
        ),
        ("sk-ssh-ed25519@openssh.com AAAA", Line("sk-ssh-ed25519@openssh.com", "AAAA")),
        ('ssh-rsa AAAA say "no"', Line("ssh-rsa", "AAAA", 'say "no"')),
    ],
)
def test_a_line_has_options_a_type_a_key_and_a_comment(text, line):
    assert parse(text) == line


@pytest.mark.parametrize(
    "options", ['command="ssh-add -l"', r'command="echo \" ssh-rsa x"', 'no-pty,command="ssh-rsa a",from="b"']
)
def test_a_command_of_the_options_is_not_taken_for_the_key(options):
    line = parse(f"{options} ssh-rsa AAAA me")

    assert (line.enc, line.key, line.comment) == ("ssh-rsa", "AAAA", "me")
    assert line.text() == f"{options} ssh-rsa AAAA me"


@pytest.mark.parametrize("text", ["", "# a comment", "ssh-rsa ", 'command="ssh-rsa AAAA', "rsa AAAA"])
def test_a_line_without_a_key_gives_none(text):
    assert parse(text) is None


@pytest.mark.parametrize(
    ("name", "full"),
    [("rsa", "ssh-rsa"), ("dss", "ssh-dss"), ("e", "ecdsa-sha2-nistp256"), ("ed25519", "ssh-ed25519"),
     ("ssh-ed25519-cert-v01@openssh.com", "ssh-ed25519-cert-v01@openssh.com")],
)  # fmt: skip
def test_short_names_of_types_become_full_ones(name, full):
    assert make_line("AAAA", name, "c", ["no-pty"]).text() == f"no-pty {full} AAAA c"


@pytest.mark.parametrize("name", ["", "RSA", "ssh-rsa x", "ssh-rsa\nssh-dss"])
def test_an_unknown_type_is_refused(name):
    with pytest.raises(CommandExecutionError, match="Incorrect encryption key type"):
        key_type(name)


def test_a_fingerprint_is_that_of_the_decoded_key():
    assert fingerprint("aGk=") == hashlib.sha256(b"hi").digest().hex(":")
    assert fingerprint("aGk=", "MD5") == "49:f6:8a:5c:84:93:ec:2c:0b:f4:89:82:1c:21:fc:3b"


@pytest.mark.parametrize("key", ["aGk", "a Gk=", "ü"])
def test_a_key_without_valid_base64_has_no_fingerprint(key):
    assert fingerprint(key) is None


@pytest.mark.parametrize("kind", ["rot13", "shake_128"])
def test_a_hash_type_without_a_digest_is_refused(kind):
    with pytest.raises(CommandExecutionError, match=f"{kind} is not supported"):
        fingerprint("aGk=", kind)
