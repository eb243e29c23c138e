"""Server URLs as messages show them."""

import pytest

from salt_g.cache.postgres.address import checked, malformed, without_password
from salt_g.errors import ConfigError


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://db1/salt", "postgresql://db1/salt"),
        ("postgresql://salt:p%40ss@db1:5433/salt", "postgresql://salt@db1:5433/salt"),
        ("postgresql://salt:a?b:c@db1/salt", "postgresql://salt@db1/salt"),
        ("postgresql://salt:a@[::1]:5432,db2/salt", "postgresql://salt@[::1]:5432,db2/salt"),
        ("postgresql://db1/salt?user=a@b", "postgresql://db1/salt?user=a@b"),
        ("postgresql://salt:x@db1,db2/salt?password=y&sslmode=require",
         "postgresql://salt@db1,db2/salt?password=...&sslmode=require"),
        ("postgresql:///salt?host=/run/postgresql", "postgresql:///salt?host=/run/postgresql"),
        ("postgresql://salt@db1/salt?pass%77ord=x&s%73lmode=require",
         "postgresql://salt@db1/salt?password=...&s%73lmode=require"),
        ("postgresql://salt@db1/salt?oauth_client_secret=x&scram_client_key=y&scram_server_key=z",
         "postgresql://salt@db1/salt?oauth_client_secret=...&scram_client_key=...&scram_server_key=..."),
        ("postgresql://salt@db1/salt?passwd=x&PASSWORD=y& password=z", "postgresql://salt@db1/salt?...&...&..."),
        ("postgresql://salt@db1/salt?password=x&y=z", "postgresql://salt@db1/salt?password=...&..."),
        ("postgresql://salt@db1/salt?password=x@y", "postgresql://salt@db1/salt?password=..."),
    ],
)  # fmt: skip
def test_a_password_is_not_shown(url, shown):
    assert without_password(url) == shown
    assert checked(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://salt@db1/salt?user=me@corp",
        "postgresql://salt@db1:5432/salt?passfile=/home/salt@corp/.pgpass",
        "postgresql://db1:5432/salt?user=me@corp",
        "postgresql://salt@[::1]:5432/salt?application_name=a@b",
        "postgresql://salt@db1?host=/tmp/a@b",
        "postgresql://salt@db1/salt@corp",
        "postgresql://salt@[fe80::1%25eth0]/salt",
    ],
)
def test_a_url_without_a_password_may_have_an_at_in_a_value(url):
    assert checked(url) == url
    assert without_password(url) == url


def test_a_zone_of_an_address_is_advised_to_be_encoded():
    with pytest.raises(ConfigError, match="write the % before the zone of an IPv6 address as %25") as refused:
        checked("postgresql://salt:secret@[fe80::1%eth0]/salt")

    assert "secret" not in str(refused.value)


def test_a_refusal_does_not_show_it_either():
    with pytest.raises(ConfigError) as refused:
        checked("mysql://root:secret@db1/salt")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://salt:sec%ret@db1/salt",
        "postgresql://salt:sec%00ret@db1/salt",
        "postgresql://salt:sec@ret@db1/salt",
        "postgresql://salt:sec/ret@db1/salt",
        "postgresql://salt:sec@ret/x@db1/salt",
        "postgresql://salt:sec@db1/x?y=ret@db1",
        "postgresql://salt:5432/ret?x=sec@db1",
        "postgresql://salt:secret",
        "postgresql://salt:secret@db1:ret/salt",
        "postgresql://salt:secret@[::1/salt",
        "postgresql://db1/salt?password=sec&ret",
        "postgresql://db1/ret@sec",
        "postgresql://salt@db1:54/sec@ret",
        "postgresql://salt@db1:54/32?x=sec@ret",
        "postgresql://salt@corp:12/sec?x=ret@db1",
        "postgresql://db1?password=sec@ret/salt",
    ],
)
def test_a_url_that_may_be_divided_in_two_ways_is_refused_without_any_part_of_it(url):
    with pytest.raises(ConfigError, match="percent-encode % and @ in a password") as refused:
        checked(url)

    assert "sec" not in str(refused.value)
    assert "ret" not in str(refused.value)
    assert "sec" not in without_password(url)


@pytest.mark.parametrize("value", ["salt:secret@db1", "host=db1 password=secret", "Pg:salt:secret@db1"])
def test_an_invalid_url_is_not_shown_if_it_may_contain_a_password(value):
    with pytest.raises(ConfigError, match="store: the value is not a URL") as refused:
        checked(value)

    assert "secret" not in str(refused.value)


def test_a_misspelled_word_is_shown():
    with pytest.raises(ConfigError, match="store: embeded is not a URL"):
        checked("embeded")


def test_a_space_is_advised_to_be_encoded():
    # Not each release of libpq refuses it.
    text = str(malformed("postgresql://salt:secret@db1/s t", "store"))

    assert (
        "store: postgresql://salt@db1/s t is not a URL of a PostgreSQL server; write a space as %20" in text
    )
