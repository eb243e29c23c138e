"""URLs of servers, as messages show them."""

import pytest

from salt_g.cache.postgres.address import checked, without_password
from salt_g.errors import ConfigError


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://db1/salt", "postgresql://db1/salt"),
        ("postgresql://salt:p%40ss@db1:5433/salt", "postgresql://salt@db1:5433/salt"),
        ("postgresql://salt:a@b@db1/salt", "postgresql://salt@db1/salt"),
        ("postgresql://salt:x@db1,db2/salt?password=y&sslmode=require",
         "postgresql://salt@db1,db2/salt?password=...&sslmode=require"),
        ("postgresql:///salt?host=/run/postgresql", "postgresql:///salt?host=/run/postgresql"),
    ],
)  # fmt: skip
def test_a_password_is_not_shown(url, shown):
    assert without_password(url) == shown
    assert checked(url) == url


def test_a_refusal_does_not_show_it_either():
    with pytest.raises(ConfigError) as refused:
        checked("mysql://root:secret@db1/salt")
    assert "secret" not in str(refused.value)
