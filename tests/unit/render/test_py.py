"""Python files as SLS and as templates."""

import pytest

from salt_g.errors import RenderError
from salt_g.render.py import render, render_template
from salt_g.render.request import RenderRequest


@pytest.fixture
def request_of(call_context, files):
    """Return a function that returns the request of a file with these bytes."""

    def make(source, **options):
        call_context(functions={"test.echo": lambda text: text}, grains={"id": "unit"})
        path = files.root / "x.sls"
        path.write_bytes(source)
        return RenderRequest({"o": 1}, files, path=str(path), sls="a.b", **options)

    return make


def test_run_sees_the_call_and_the_sls(request_of):
    source = b"def run():\n    return [salt['test.echo']('e'), grains['id'], opts['o'], sls, __env__, more]\n"

    assert render("ignored", request_of(source, variables={"more": 1})) == ["e", "unit", 1, "a.b", "base", 1]


def test_a_file_may_name_its_encoding(request_of):
    source = "# -*- coding: latin-1 -*-\ndef run():\n    return 'ü'\n".encode("latin-1")

    assert render("", request_of(source)) == "ü"


@pytest.mark.parametrize("source", [b"x = 1\n", b"def run():\n    1 / 0\n"])
def test_a_fault_of_run_is_a_render_error(request_of, source):
    request = request_of(source)

    with pytest.raises(RenderError, match="Error") as caught:
        render("", request)

    assert caught.value.path == request.path


@pytest.mark.parametrize(
    ("source", "fault"),
    [(b"def run(:\n", SyntaxError), (b"x = '\xff'\n", SyntaxError), (b"x = y\n", NameError)],
)
def test_a_fault_of_the_module_itself_is_raised_as_it_is(request_of, source, fault):
    with pytest.raises(fault):
        render("", request_of(source))


@pytest.mark.parametrize("text", ["def run(:\n", "x = y\n", "def run():\n    1 / 0\n"])
def test_any_fault_of_a_template_is_a_render_error(request_of, text):
    with pytest.raises(RenderError, match="Error"):
        render_template(text, request_of(b""))


def test_a_missing_file_is_named(files, call_context):
    call_context()

    with pytest.raises(RenderError, match=r"Template /no/such is not a file!"):
        render("", RenderRequest({}, files, path="/no/such"))


def test_a_template_is_the_text_that_run_returns(request_of):
    request = request_of(b"", variables={"n": 2})

    assert render_template("def run():\n    return n + context['n']\n", request) == "4"
