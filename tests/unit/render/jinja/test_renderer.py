"""The renderer `jinja`: variables visible to a template, and texts that need no Jinja."""

import pytest

from salt_g.errors import RenderError
from salt_g.render.jinja.renderer import render, render_template
from salt_g.render.request import RenderRequest


@pytest.fixture
def request_of(service, files):
    """Return a function that makes a request within a call whose pillar is `{"role": "web"}`."""
    service(pillar={"role": "web"})
    return lambda **fields: RenderRequest({}, files, **fields)


def test_an_sls_sees_the_call_and_its_own_name_and_path(request_of, tmp_path):
    request = request_of(sls="web.site", path=str(tmp_path / "web/site.sls"), saltenv="dev")
    text = "{{ [grains.id, pillar.role, saltenv, sls, slspath, tplfile, salt['test.echo'](1)] | tojson }}"

    assert render(text, request) == '["unit", "web", "dev", "web.site", "web", "web/site.sls", 1]'


def test_variables_of_the_caller_replace_the_common_ones(request_of):
    request = request_of(sls="web", variables={"saltenv": "mine", "slspath": "else", "more": 1})

    assert render("{{ saltenv }} {{ slspath }} {{ more }}", request) == "mine else 1"


def test_a_managed_file_has_the_variables_of_an_sls_only_with_one(request_of):
    text = "{{ sls is defined }} {{ slspath is defined }}"

    assert render_template(text, request_of()) == "False False"
    assert render_template(text, request_of(variables={"sls": "web.site"})) == "True True"


@pytest.mark.parametrize("text", ["plain\n", "", "no newline", "a: {b: 1}\n\n"])
def test_a_text_without_syntax_is_itself(request_of, text):
    assert render(text, request_of()) == text


@pytest.mark.parametrize(
    ("text", "expected"), [("{{ 1 }}\n", "1\n"), ("{{ 1 }}", "1"), ("a\r\nb\n", "a\nb\n")]
)
def test_the_last_newline_stays(request_of, text, expected):
    assert render(text, request_of()) == expected


def test_only_the_argument_of_stock_is_known(request_of):
    assert render("x", request_of(argline="-s")) == "x"
    with pytest.raises(RenderError, match="Unknown renderer option: -q"):
        render("x", request_of(argline="-q"))
