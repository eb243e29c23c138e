"""Templates in Mako, as SLS and as managed files."""

import pytest

from salt_g.errors import RenderError

pytest.importorskip("mako")


def test_an_sls_sees_the_names_of_templates(service):
    text = "<%def name='twice(x)'>${x}${x}</%def>a: ${twice(sls)} ${saltenv} ${opts['id']}\n"

    assert service(id="m1").render_text(text, pipe="mako|yaml", sls="web.site") == {
        "a": "web.siteweb.site base m1"
    }


def test_control_lines_and_more_variables(service):
    text = "% for n in names:\n${n}: 1\n% endfor\n"

    assert service().render_text(text, pipe="mako|yaml", names=["x", "y"]) == {"x": 1, "y": 1}


def test_files_of_the_environment_are_included(service, files):
    files.add("inc.mako", "b: ${who}\n")
    files.add("deep/inc.mako", "c: 1\n")

    made = service().render_text(
        "<%include file='inc.mako'/><%include file='salt://deep/inc.mako'/>", pipe="mako|yaml", who="me"
    )

    assert made == {"b": "me", "c": 1}


@pytest.mark.parametrize("text, message, line", [
    ("a: 1\nb: ${nosuch}\n", "NameError: 'nosuch' is not defined", 2),
    ("a: ${1 / 0}\n", "ZeroDivisionError: division by zero", 1),
    ("a: 1\n% for x\n", "CompileException: Fragment 'for x'", 2),
    ("<%include file='nosuch.mako'/>", "no file salt://nosuch.mako in the environment base", 0),
    ("<%include file='../out.mako'/>", "is outside of the file roots", 0),
])  # fmt: skip
def test_errors_name_their_line(service, text, message, line):
    with pytest.raises(RenderError) as caught:
        service().render_text(text, pipe="mako")

    assert message in str(caught.value)
    assert caught.value.line == line or not line


def test_a_managed_file_is_rendered(service):
    made = service().render_template("${a} ${source}\n", engine="mako", context={"a": 1}, source="salt://t")

    assert made == "1 salt://t\n"
