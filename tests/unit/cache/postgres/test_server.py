"""Error messages about an unusable server."""

import traceback

import pytest

psycopg = pytest.importorskip("psycopg")

from salt_g.cache.database import DatabaseFailure  # noqa: E402
from salt_g.cache.postgres import address  # noqa: E402
from salt_g.cache.postgres.server import advice, checked_parameters, failure  # noqa: E402
from salt_g.errors import ConfigError  # noqa: E402


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (
            psycopg.errors.DiskFull("could not extend file: No space left on device"),
            "is full: could not extend file: No space left on device; make room on the disk of its server",
        ),
        (
            psycopg.NotSupportedError("PostgreSQL 12.4; salt-g needs 14 or newer"),
            "is too old: PostgreSQL 12.4; salt-g needs 14 or newer",
        ),
        (
            psycopg.errors.IdleInTransactionSessionTimeout("terminating connection due to a timeout"),
            "cannot be reached: terminating connection due to a timeout; check that the server runs and"
            " accepts the setting store",
        ),
        (
            psycopg.OperationalError("connection refused\n"),
            "cannot be reached: connection refused; check that the server runs and accepts the setting store",
        ),
    ],
)
def test_a_server_that_cannot_be_used_is_unavailable_for_a_reason(error, text):
    assert failure(error) is DatabaseFailure.UNAVAILABLE
    assert advice(error) == text


@pytest.mark.parametrize("name", ["foo", "passwd", "PASSWORD", "pass", "pwd"])
def test_an_unknown_parameter_is_named_without_its_value_and_the_password(name):
    with pytest.raises(ConfigError) as refused:
        checked_parameters(f"postgresql://salt:{'sec'}ret@db1/salt?sslmode=require&{name}={'sec'}ret")

    problem = f'postgresql://... is not a URL of a PostgreSQL server: invalid URI query parameter: "{name}"'
    assert problem in str(refused.value)
    assert "secret" not in "".join(traceback.format_exception(refused.value))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://salt@db1/salt?password=a&secret=1",
        "postgresql://salt@db1/salt?pass%77ord=a&secret=1",
        "postgresql://salt:secret@db1/salt?foo",
    ],
)
def test_quotes_of_the_library_are_not_shown_where_they_may_be_a_password(url):
    with pytest.raises(ConfigError, match="percent-encode % and @") as refused:
        checked_parameters(address.checked(url))

    assert "secret" not in "".join(traceback.format_exception(refused.value))
