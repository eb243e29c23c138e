"""Functions that every template has."""

import json

import pytest

from salt_g.errors import RenderError


def test_raise_stops_the_rendering(render):
    with pytest.raises(RenderError, match="Jinja error: not here"):
        render("{{ raise(msg='not here') }}")


def test_odict_keeps_its_order(render):
    assert render("{{ odict([('z', 1), ('a', 2)]).keys() | list }}") == "['z', 'a']"


def test_the_full_context_is_plain_data(render):
    shown = json.loads(
        render("{{ show_full_context() | tojson }}", number=1, made=object(), keys={(1, 2): [None]})
    )

    assert (shown["number"], shown["sls"], shown["keys"]) == (1, "a.b", {"(1, 2)": [None]})
    assert shown["made"].startswith("<object object at")


def test_ifelse_asks_the_function_of_the_minion(call_context, files):
    from salt_g.render.service import RenderService

    calls = []

    def ifelse(*args, **options):
        calls.append((args, options))
        return "chosen"

    call_context(functions={"match.ifelse": ifelse})
    made = RenderService({}, files).render_template("{{ ifelse('web*', 1, 2) }}", engine="jinja")

    assert made == "chosen"
    assert calls == [(("web*", 1, 2), {"tgt_type": "compound", "minion_id": None})]


RENDERED = [
    ("'abc' is match('b')", "False"),
    ("'abc' is match('a.c')", "True"),
    ("1 is equalto(1)", "True"),
    ("(1,) is list", "False"),
    ("[1] is list", "True"),
    ("{} is mapping", "True"),
]


@pytest.mark.parametrize(("expression", "text"), RENDERED)
def test_an_expression_renders_as_with_stock(render, expression, text):
    assert render("{{ " + expression + " }}") == text
