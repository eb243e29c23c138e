import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from salt_g.modules._debian_versions import compare, without_epoch

UPSTREAM = st.text("0019ab.+~", max_size=7).map(lambda text: f"1{text}")
VERSIONS = st.builds(
    lambda epoch, upstream, revision: f"{epoch}{upstream}{revision}",
    st.sampled_from(["", "", "0:", "2:"]),
    UPSTREAM,
    st.sampled_from(["", "", "-1", "-0", "-1~b", "-1+deb12u1"]),
)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("1.0", "1.0", 0),
        ("1.0", "1.0-0", 0),
        ("1.10", "1.9", 1),
        ("1.0~rc1", "1.0", -1),
        ("1.0", "1.0+b1", -1),
        ("1:0.1", "9", 1),
        ("0:1", "1", 0),
        ("1.0a", "1.0+", -1),
        ("1-2-3", "1-2-4", -1),
    ],
)
def test_versions_are_in_debians_order(first, second, expected):
    assert compare(first, second) == expected
    assert compare(second, first) == -expected


def test_without_epoch_keeps_the_rest():
    assert without_epoch("1:2.0-1") == "2.0-1"


@pytest.mark.skipif(not shutil.which("dpkg"), reason="needs dpkg")
@settings(max_examples=60)
@given(VERSIONS, VERSIONS)
def test_the_order_is_that_of_dpkg(first, second):
    word = {-1: "lt", 0: "eq", 1: "gt"}[compare(first, second)]

    agreed = subprocess.run(["dpkg", "--compare-versions", first, word, second], check=False)

    assert agreed.returncode == 0


@given(VERSIONS, VERSIONS, VERSIONS)
def test_the_order_is_transitive(first, second, third):
    if compare(first, second) <= 0 and compare(second, third) <= 0:
        assert compare(first, third) <= 0
