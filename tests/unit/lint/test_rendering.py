"""Rendering without running code."""

import pytest

from salt_g.errors import RenderError
from salt_g.lint.rendering import LintRendering, RenderFailure
from salt_g.render.error_lines import Fault


class Inner:
    """Renders to the data {"a": [1]}, or raises; counts its calls."""

    def __init__(self, unknown):
        self.count, self.error, self._unknown = 0, None, unknown

    def names(self):
        return ["gpg", "jinja", "mako", "yaml"]

    def render_sls(self, path, *, sls, saltenv, tmplpath, pipe):
        self.count += 1
        self._unknown.append("cmd.run")
        if self.error:
            raise self.error
        return {"a": [1]}

    def render_step(self, name, data, **options):
        return name, data, options


@pytest.fixture
def unknown():
    return []


@pytest.fixture
def inner(unknown):
    return Inner(unknown)


@pytest.fixture
def render(tmp_path, inner, unknown):
    """Return a function that returns the data of an SLS `x` with this text; `render.of` is the rendering."""
    rendering = LintRendering(inner, "jinja|yaml", unknown, ["mine"])

    def run(text="a: 1\n"):
        path = tmp_path / "x.sls"
        path.write_text(text)
        return rendering.render_sls(str(path), sls="x", saltenv="base")

    run.of = rendering
    return run


def test_a_file_is_rendered_once_and_its_data_copied(render, inner, unknown):
    render()["a"].append(2)

    assert render() == {"a": [1]}
    assert inner.count == 1
    assert unknown == ["cmd.run", "cmd.run"]


def test_an_error_comes_again(render, inner, tmp_path):
    inner.error = RenderError("bad", path=str(tmp_path / "x.sls"), line=3)

    for _ in range(2):
        with pytest.raises(RenderError, match="bad"):
            render()
    assert inner.count == 1
    assert render.of.failures["x"] == RenderFailure("bad", Fault(3))


def test_python_is_parsed_only(render, inner):
    assert render("#!py\nraise SystemExit\n") == {}
    assert render.of.opaque == {"x"}
    assert inner.count == 0


def test_broken_python_has_its_line(render):
    with pytest.raises(RenderError) as failed:
        render("#!py\nx = (\n")

    assert failed.value.line == 2


@pytest.mark.parametrize("first_line", ["#!jinja|yaml|gpg", "#!mako|yaml", "#!mine"])
def test_other_renderers_are_not_run(render, inner, first_line):
    assert render(f"{first_line}\na: 1\n") == {}
    assert inner.count == 0


def test_an_unknown_renderer_is_an_error(render):
    with pytest.raises(RenderError, match="no renderer nosuch") as failed:
        render("#!jinja|nosuch\na: 1\n")

    assert failed.value.line == 1


def test_templates_that_used_a_changed_name_are_rendered_again(render, inner, tmp_path):
    render()
    render.of.forget({"other"})
    render()
    assert inner.count == 1

    render.of.forget({str(tmp_path / "x.sls")})
    render()

    assert inner.count == 2
    assert list(render.of.rendered()) == [(str(tmp_path / "x.sls"), {"a": [1]})]


def test_the_error_of_a_file_is_forgotten_with_it(render, inner, tmp_path):
    inner.error = RenderError("bad", path="/x", line=3)
    with pytest.raises(RenderError):
        render()
    assert list(render.of.rendered()) == []

    render.of.forget({str(tmp_path / "x.sls")})

    assert render.of.failures == {}


def test_a_step_that_runs_code_is_refused_and_others_are_of_the_engine(render):
    assert render.of.render_step("yaml", "a: 1", sls="x") == ("yaml", "a: 1", {"sls": "x"})
    with pytest.raises(RenderError, match="the renderer py is not run by lint"):
        render.of.render_step("py", "def run(): return {}")
