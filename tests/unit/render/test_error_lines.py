"""Line of a file at which its renderer failed."""

import json

import pytest

from salt_g.errors import RenderError, YamlError
from salt_g.render.error_lines import Fault, fault_of

PATH = "/srv/salt/t.sls"


def raised(text):
    """Return the error of Python code in the file."""
    try:
        exec(compile(text, PATH, "exec"), {})
    except Exception as exc:
        return exc


def test_an_error_in_a_template_that_the_file_uses_is_there():
    error = RenderError("bad", path=PATH, line=2, advice="do this")
    error.template, error.used_at = ("/srv/salt/lib.jinja", 5), 3

    assert fault_of(error, PATH) == Fault(5, path="/srv/salt/lib.jinja", used_at=3, advice="do this")


def test_a_line_of_the_file_is_taken_as_it_is():
    assert fault_of(RenderError("bad", path=PATH, line=2), PATH) == Fault(2)
    assert fault_of(RenderError("bad", path="/other", line=2), PATH) == Fault()


def test_an_error_of_yaml_is_at_a_rendered_line_whatever_is_raised_for_it():
    error = ValueError("undefined alias")
    error.__cause__ = YamlError("bad", problem="found undefined alias", line=4, stage="compose")

    fault = fault_of(error, PATH)

    assert (fault.line, fault.is_rendered) == (4, True)
    assert "*" in fault.advice


def test_the_fault_of_an_unclosed_bracket_is_where_it_opens():
    error = RenderError("bad")
    error.__cause__ = YamlError("bad", problem="did not find expected ','", line=4, opened=2)

    assert fault_of(error, PATH).line == 2


def test_an_error_of_json_is_at_its_line_of_the_file(tmp_path):
    path = tmp_path / "t.sls"
    path.write_text('#!json\n{\n"a": }\n')
    with pytest.raises(ValueError) as caught:
        json.loads('{\n"a": }\n')

    assert fault_of(caught.value, str(path)) == Fault(3)
    path.write_text('#!jinja|json\n{\n"a": }\n')
    assert fault_of(caught.value, str(path)) == Fault(3, is_rendered=True)
    assert fault_of(caught.value, "/none") == Fault(2)


def test_an_error_of_python_code_is_at_its_last_line_in_the_file():
    wrapped = RenderError("Traceback ...", path=PATH)
    wrapped.__cause__ = raised("def run():\n    return {}['x']\n\nrun()\n")

    assert fault_of(wrapped, PATH) == Fault(2)
    assert fault_of(raised("a = 1\nb = }\n"), PATH) == Fault(2)


def test_an_import_of_a_missing_name_fails_where_the_import_is():
    text = "the template 'lib' (imported on line 4) does not export the requested name 'x'"
    error = RenderError(text, path=PATH, line=9)

    assert fault_of(error, PATH) == Fault(4)
    error.template = ("/srv/salt/b.jinja", 9)
    assert fault_of(error, PATH) == Fault(4, path="/srv/salt/b.jinja")


def test_a_line_without_a_file_is_one_of_the_rendered_text():
    assert fault_of(RenderError("found unacceptable key", line=3), PATH) == Fault(3, is_rendered=True)


@pytest.mark.parametrize(
    ("first", "fault"),
    [
        ("", Fault(2)),
        ("#!json\n", Fault(3)),
        ("{% set x = 1 %}\n", Fault(2, is_rendered=True)),
    ],
)
def test_an_error_of_json_is_at_the_line_of_the_file_or_of_what_a_template_made(tmp_path, first, fault):
    path = tmp_path / "a.sls"
    path.write_text(first + '{"a":\n}\n')

    with pytest.raises(ValueError) as failed:
        json.loads('{"a":\n}\n')

    assert fault_of(failed.value, str(path)) == fault


def test_bytes_that_are_no_text_have_their_line():
    with pytest.raises(UnicodeDecodeError) as failed:
        b"a: 1\nb: \xe4\n".decode()

    assert fault_of(failed.value, PATH) == Fault(2)


def test_the_data_of_a_template_says_nothing_about_the_lines_of_the_file():
    error = RenderError("Jinja error", path=PATH)
    error.__cause__ = json.JSONDecodeError("bad", "{\n\n", 3)

    assert fault_of(error, PATH) == Fault()
