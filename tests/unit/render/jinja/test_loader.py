"""Templates by name: below the roots of a saltenv, beside the importing file, or missing."""

import pytest
from jinja2 import TemplateNotFound

from salt_g.render.jinja.environment import Environment, compiled
from salt_g.render.jinja.loader import SaltLoader


@pytest.fixture
def load(files):
    """Return a function that returns the text of a template, and the variables set by its import."""

    def text(name, saltenv="base", path="", **variables):
        environment = Environment.of_rendering((), variables)
        loader = SaltLoader(files, saltenv, path, load_code=compiled)
        rendered = loader.load(environment, name).render()
        return rendered, {key: environment.globals.get(key) for key in ("tplfile", "tpldir", "tpldot")}

    return text


def test_a_name_begins_at_the_roots_and_says_where_it_is(load, files):
    files.add("web/lib.jinja", "library")

    assert load("web/lib.jinja") == (
        "library",
        {"tplfile": "web/lib.jinja", "tpldir": "web", "tpldot": "web"},
    )


def test_a_relative_name_begins_at_the_directory_of_its_importer_and_keeps_it(load, files):
    files.add("web/deep/lib.jinja", "deep")

    assert load("./deep/lib.jinja", tpldir="web") == (
        "deep",
        {"tplfile": "./deep/lib.jinja", "tpldir": "web", "tpldot": "web"},
    )
    assert load("../web/deep/lib.jinja", tpldir="web")[0] == "deep"


@pytest.mark.parametrize(
    ("name", "variables", "logged"),
    [
        ("../../etc/passwd", {"tpldir": "web"}, "attempts to ascend outside of salt://"),
        ("./lib.jinja", {}, "cannot be resolved without an environment"),
        ("nosuch.jinja", {}, ""),
    ],
)
def test_a_template_outside_of_the_roots_is_not_found(load, caplog, name, variables, logged):
    with pytest.raises(TemplateNotFound):
        load(name, **variables)

    assert logged in caplog.text


def test_a_file_on_disk_may_be_named_by_its_path(load, tmp_path):
    (tmp_path / "there.jinja").write_text("there")

    assert load(str(tmp_path / "there.jinja"))[0] == "there"
    with pytest.raises(TemplateNotFound):
        load(str(tmp_path / "gone.jinja"))


def test_without_a_saltenv_names_begin_beside_the_importing_file(load, tmp_path):
    (tmp_path / "near.jinja").write_text("near")

    assert load("near.jinja", saltenv="", path=str(tmp_path / "main.j2"))[0] == "near"
