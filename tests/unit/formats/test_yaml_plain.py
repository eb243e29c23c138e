"""YAML from other programs."""

import datetime

import pytest

from salt_g.errors import YamlError
from salt_g.formats.yaml_plain import load_plain


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0644", 420),
        ("-010", -8),
        ("'0644'", "0644"),
        ("08", "08"),
        ("12", 12),
        ("0x1F", 31),
        ("2020-01-02", datetime.date(2020, 1, 2)),
        ("'2020-01-02'", "2020-01-02"),
        ("2020-01-02 03:04:05.5", datetime.datetime(2020, 1, 2, 3, 4, 5, 500_000)),
        (
            "2020-01-02T03:04:05-01:30",
            datetime.datetime(
                2020, 1, 2, 3, 4, 5, tzinfo=datetime.timezone(-datetime.timedelta(hours=1, minutes=30))
            ),
        ),
        (
            "2020-01-02 03:04:05Z",
            datetime.datetime(2020, 1, 2, 3, 4, 5, tzinfo=datetime.timezone(datetime.timedelta())),
        ),
        ("{a: 1, a: 2}", {"a": 2}),
    ],
)
def test_values_are_read_as_other_programs_do(text, value):
    assert load_plain(text) == value


def test_an_invalid_date_is_an_error():
    with pytest.raises(YamlError, match="day is out of range"):
        load_plain("2020-02-31")
