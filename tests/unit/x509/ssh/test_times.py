"""Spans of time in settings of OpenSSH's certificates."""

import pytest

from salt_g.errors import InvocationError
from salt_g.x509 import ssh


@pytest.mark.parametrize("span", ["1w", "", "h", "-1d"])
def test_a_span_that_makes_no_sense_is_refused(span):
    with pytest.raises(InvocationError, match="Invalid time string format"):
        ssh.times.seconds(span)


@pytest.mark.parametrize(
    ("span", "seconds"), [(None, None), (90, 90.0), ("30s", 30.0), ("1.5h", 5400.0), ("2d", 172800.0)]
)
def test_a_span_has_an_optional_unit(span, seconds):
    assert ssh.times.seconds(span) == seconds
