"""Redaction of secrets in logged commands."""

import time

import pytest

from salt_g.process import secret_hiding
from salt_g.process.redaction import (
    LONGEST,
    LONGEST_OUTPUT,
    Redacted,
    RedactedOutput,
    redacted,
    redacted_output,
)


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (["ls", "-l", "/etc/my file"], "ls -l '/etc/my file'"),
        (["tool", "--password", "s3cret", "--level", "3"], "tool --password REDACTED --level 3"),
        (["tool", "--db-password=s3' cret", "x"], "tool --db-password=REDACTED x"),
        (["tool", "--token", "s3' cret", "x"], "tool --token REDACTED x"),
        ("PGPASSWORD=s3cret psql -h db", "PGPASSWORD=REDACTED psql -h db"),
        ("export API_KEY='s3cret x'; run", "export API_KEY=REDACTED; run"),
        ("git clone https://me:s3cret@example.org/x.git", "git clone https://REDACTED@example.org/x.git"),
        ("git clone https://me:a@s3cret@example.org/x.git", "git clone https://REDACTED@example.org/x.git"),
        ("mysql -u root -ps3cret -e 'select 1'", "mysql -u root -pREDACTED -e 'select 1'"),
        ("useradd -p s3cret -m bob", "useradd -p REDACTED -m bob"),
        ("curl -u me:s3cret https://example.org", "curl -u REDACTED https://example.org"),
        (
            ["curl", "-H", "Authorization: Bearer s3cret", "url"],
            "curl -H 'Authorization: Bearer REDACTED url",
        ),
        ("openssl rsa -passin pass:s3cret -in k", "openssl rsa -passin REDACTED -in k"),
        ("create user x identified by 's3cret'", "create user x identified by REDACTED"),
        ("mkdir -p /srv/pass/x", "mkdir -p /srv/pass/x"),
        ("cat /etc/passwd /srv/tokens", "cat /etc/passwd /srv/tokens"),
        ("first\nsecond", "first\\nsecond"),
    ],
)
def test_secrets_are_replaced_and_the_rest_is_shown(command, shown):
    assert str(Redacted(command)) == shown


def test_a_long_command_is_cut_and_takes_no_time():
    started = time.perf_counter()

    shown = redacted("pass" * 1_000_000 + " -" * 100_000)

    assert len(shown) < LONGEST + 100
    assert shown.endswith("more characters)")
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize(
    ("output", "shown"),
    [
        (
            '{"user": "bob", "db_password": "s3cret", "n": 1}',
            '{"user": "bob", "db_password": REDACTED, "n": 1}',
        ),
        ("password = s3cret\n  port = 1", "password = REDACTED\n  port = 1"),
        ("  api_key: s3cret\nnext: line", "  api_key: REDACTED\nnext: line"),
        ("12 pts/0 mysql -u root -ps3cret", "12 pts/0 mysql -u root -pREDACTED"),
        ("A temporary password is generated for root@localhost: s3cret", None),
        ("Your password is: s3cret", "Your password is: REDACTED"),
        ("root:$6$salt$s3crethash.:19000:0:99999:7:::", "root:REDACTED:19000:0:99999:7:::"),
        ("< authorization: Bearer s3crets3cret", "< authorization: Bearer REDACTED"),
        ("remote: ghp_s3crets3crets3cret works", "remote: REDACTED works"),
        ("-----BEGIN PRIVATE KEY-----\ns3cret\n-----END PRIVATE KEY-----\nrest", None),
        ("-----BEGIN RSA PRIVATE KEY-----\ns3cret", None),
        ("sudo: a password is required", "sudo: a password is required"),
        ("-rw-r--r-- 1 root root 7 password.txt", "-rw-r--r-- 1 root root 7 password.txt"),
        ("password:\n\nnext line", "password:\n\nnext line"),
    ],
)
def test_secrets_in_output_are_replaced_line_by_line(output, shown):
    found = str(RedactedOutput(output))

    assert "s3cret" not in found
    assert shown is None or found == shown


@pytest.mark.parametrize(("show", "longest"), [(redacted, LONGEST), (redacted_output, LONGEST_OUTPUT)])
def test_a_known_secret_at_the_cut_is_not_shown_in_part(show, longest):
    with secret_hiding.forgotten():
        secret_hiding.add({"Cut-secret-1": "db"})
        # Lines are cut, too.
        shown = show("x\n" * ((longest - 8) // 2) + "Cut-secret-1" + "y" * 50)

    assert "Cut" not in shown
    assert "<secret" in shown


@pytest.mark.parametrize(
    "word", ["pass", "mysql ", "-pass ", "password for ", "a", "-----BEGIN PRIVATE KEY-----", "\n"]
)
def test_long_output_is_cut_and_takes_no_time(word):
    started = time.perf_counter()

    shown = redacted_output(word * (1_000_000 // len(word)))

    assert len(shown) < 2 * LONGEST_OUTPUT
    assert shown.endswith("more characters)")
    assert time.perf_counter() - started < 2
