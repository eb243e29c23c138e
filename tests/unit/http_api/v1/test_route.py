"""Routes and their parameters."""

import pytest

from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.route import AFTER, MAX_TEXT, Called, Parameter, V1Route, limit

KIND = Parameter("kind", "kind", "a", choices=("a", "b"))
ROUTE = V1Route("GET", "/keys/{id}:accept", None, "", answer={}, right="", takes=(AFTER, limit(5, 10), KIND))


def test_a_name_in_a_path_is_one_segment():
    assert ROUTE.pattern.fullmatch("/keys/a:b:accept").groupdict() == {"id": "a:b"}
    assert ROUTE.pattern.fullmatch("/keys/a/b:accept") is None
    assert ROUTE.pattern.fullmatch("/keys/:accept") is None
    assert ROUTE.names == ["id"]


def test_a_number_may_be_zero_where_its_minimum_is():
    skip = Parameter("skip", "", 0, 10, minimum=0)

    assert (skip.read("0"), skip.read(None), skip.schema["minimum"]) == (0, 0, 0)
    with pytest.raises(Refusal, match="from 0 to 10"):
        skip.read("11")


def test_parameters_have_defaults_and_types():
    assert ROUTE.read_query({}) == {"after": "", "limit": 5, "kind": "a"}
    assert ROUTE.read_query({"limit": "10", "kind": "b", "after": "x"})["limit"] == 10
    assert Parameter("why", "", is_flag=True).read("true") is True


@pytest.mark.parametrize(
    "query",
    [
        {"colour": "red"},
        {"limit": "0"},
        {"limit": "11"},
        {"limit": "x"},
        {"limit": "1" * 100},
        {"kind": "c"},
        {"after": "x" * (MAX_TEXT + 1)},
    ],
)
def test_other_parameters_are_refused(query):
    with pytest.raises(Refusal) as refusal:
        ROUTE.read_query(query)
    assert refusal.value.status == 400


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ({"refused": "over", "needs": "login"}, 401),
        ({"refused": "no right", "needs": "right"}, 403),
        ({"error": "a bad target"}, 400),
        ("unknown", 503),
    ],
)
def test_refusals_of_the_master_have_their_status(parts, session, make_request, master, reply, status):
    master.answers["grains"] = reply
    called = Called(parts, make_request(), {}, {}, None, session[1])
    with pytest.raises(Refusal) as refusal:
        called.ask("grains")
    assert refusal.value.status == status
