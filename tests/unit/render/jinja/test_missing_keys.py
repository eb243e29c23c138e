import pytest
from jinja2.utils import missing

from salt_g.api import Deferred
from salt_g.render.jinja.missing_keys import about_missing
from salt_g.render.jinja.undefined import AdvisedText

WEB = {"root": "/srv"}
PILLAR = {"port": 80, "web": WEB}


def lacks(key, owner):
    text = AdvisedText("no such name")
    text.owner, text.key = owner, key
    return text


@pytest.mark.parametrize("pillar", [PILLAR, Deferred(lambda: PILLAR)])
def test_a_key_is_named_with_its_path_and_the_nearest(pillar):
    result = about_missing(lacks("rot", WEB), {"grains": {}, "pillar": pillar})

    assert result == (
        "pillar has no key 'web:rot' (did you mean root?);"
        " for an optional one: salt['pillar.get']('web:rot', DEFAULT)"
    )


def test_a_variable_is_named_only_with_a_similar_one():
    assert (
        about_missing(lacks("pilar", missing), {"pillar": {}}) == "no variable 'pilar' (did you mean pillar?)"
    )
    assert about_missing(lacks("zzz", missing), {"pillar": {}}) == ""


def test_other_values_get_no_advice():
    assert about_missing(lacks("a", {}), {"grains": {}, "pillar": PILLAR}) == ""
    assert about_missing(lacks(3, PILLAR), {"pillar": PILLAR}) == ""
