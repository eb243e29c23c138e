"""Routes of functions, resources and schedules."""

import pytest

from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.fleet_routes import _shown


def test_arguments_at_the_end_have_defaults():
    spec = {"args": ["a", "b", "c"], "defaults": [None, 5], "varargs": True, "kwargs": None}
    shown = _shown("x.y", spec, None)
    assert [(one["name"], one["required"], one["default"]) for one in shown["arguments"]] == [
        ("a", True, None),
        ("b", False, None),
        ("c", False, 5),
    ]
    assert (shown["takes_more"], shown["takes_any"], shown["doc"]) == (True, False, "")


@pytest.mark.parametrize("query", [{}, {"q": "*"}, {"q": "a;b", "on": "m1"}, {"q": "test"}])
def test_a_search_names_functions_and_a_minion(call, query):
    with pytest.raises(Refusal) as refusal:
        call("GET", "/functions", query)
    assert refusal.value.status == 400
