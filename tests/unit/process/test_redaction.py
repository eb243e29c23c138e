"""Secrets that commands show in logs."""

import time

import pytest

from salt_g.process.redaction import LONGEST, Redacted, redacted


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
