"""Where a file failed, by the error of its renderer."""

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


def test_an_error_of_python_code_is_at_its_last_line_in_the_file():
    wrapped = RenderError("Traceback ...", path=PATH)
    wrapped.__cause__ = raised("def run():\n    return {}['x']\n\nrun()\n")

    assert fault_of(wrapped, PATH) == Fault(2)
    assert fault_of(raised("a = 1\nb = }\n"), PATH) == Fault(2)
