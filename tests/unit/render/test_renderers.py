"""Renderers by name: our own, and users' in place of them."""

import io
from collections import OrderedDict

import pytest

from salt_g.formats.ordered import Ordered
from salt_g.render import renderers
from salt_g.render.request import RenderRequest


@pytest.fixture
def request_for(call_context):
    """Return a function that returns the input of a renderer, in a call with these user renderers."""

    def make(users=None, **parts):
        call_context(tables={"renderers": users or {}})
        return RenderRequest(opts={}, files=None, **parts)

    return make


@pytest.mark.parametrize("name", renderers.names())
def test_each_of_ours_is_found_without_a_call(name):
    assert callable(renderers.find(name))


def test_an_unknown_name_is_none(request_for):
    request_for()

    assert renderers.find("nosuch") is None


def test_a_users_renderer_takes_the_place_of_ours_and_is_called_as_stock_does(request_for):
    seen = []

    def render(source, saltenv, sls, **keywords):
        seen.append((source.read(), saltenv, sls, keywords))
        return {"a": 1}

    request = request_for(
        {"yaml.render": render}, saltenv="dev", sls="web", path="/f.sls", argline="-x", variables={"v": 2}
    )

    assert renderers.find("yaml")("text", request) == {"a": 1}
    assert seen[0][:3] == ("text", "dev", "web")
    assert "yaml" in seen[0][3].pop("renderers")
    assert seen[0][3] == {"tmplpath": "/f.sls", "v": 2, "argline": "-x"}


def test_text_that_is_not_a_file_has_a_name_and_data_come_as_they_are(request_for):
    seen = []
    request = request_for({"x.render": lambda source, *names, **keywords: seen.append((source, keywords))})

    renderers.find("x")({"data": 1}, request)

    assert seen[0][0] == {"data": 1} and seen[0][1]["tmplpath"] == ":string:"


def test_mappings_have_the_class_of_stock(request_for):
    seen = []
    request = request_for({"x.render": lambda source, *names, **keywords: seen.append(source)})

    renderers.find("x")(Ordered(b=[Ordered(c=1)], a={"d": 2}), request)

    (data,) = seen
    kinds = (data, data["b"][0], data["a"])
    assert all(type(one) is OrderedDict for one in kinds) and list(data) == ["b", "a"]


def test_a_renderer_may_return_a_file(request_for):
    request = request_for({"x.render": lambda source, *names, **keywords: io.StringIO("read")})

    assert renderers.find("x")("", request) == "read"
