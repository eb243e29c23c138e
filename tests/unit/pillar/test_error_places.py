"""Source locations of errors in pillar SLS."""

import pytest

from salt_g.errors import RenderError, YamlError
from salt_g.pillar import error_places
from salt_g.pillar.error_places import place_of, place_of_name
from salt_g.shapes import RenderedSls, SourceLine


class Rendering:
    """Returns these source lines; counts the requests."""

    def __init__(self, *sources):
        self.sources, self.call_count = sources, 0

    def locate_sls(self, path, *, sls, saltenv, **variables):
        self.call_count += 1
        if not self.sources:
            raise ValueError("it fails now")
        return RenderedSls({}, {}, "", path, self.sources)


@pytest.fixture(autouse=True)
def _no_places(monkeypatch):
    monkeypatch.setattr(error_places, "_places", {})


def yaml_error(line):
    error = RenderError("bad", line=line)
    error.__cause__ = YamlError("bad", line=line)
    return error


def found(exc, rendering):
    return place_of(exc, rendering, "/p/db.sls", "db", "base", {"a": 1})


def test_a_line_of_rendered_text_becomes_one_of_the_file():
    rendering = Rendering(SourceLine("", 1), SourceLine("", 9), SourceLine("lib.jinja", 3, 5))

    assert found(yaml_error(2), rendering) == "/p/db.sls:9"
    assert found(yaml_error(3), rendering) == "lib.jinja:3, used at /p/db.sls:5"


def test_a_place_is_looked_up_once():
    rendering = Rendering(SourceLine("", 4))

    assert [found(yaml_error(1), rendering) for _ in range(3)] == ["/p/db.sls:4"] * 3
    assert rendering.call_count == 1


def test_kept_places_are_bounded(monkeypatch):
    monkeypatch.setattr(error_places, "MAX_PLACES", 2)
    rendering = Rendering(*(SourceLine("", line) for line in (1, 2, 3)))

    for line in (1, 2, 3):
        found(yaml_error(line), rendering)

    assert len(error_places._places) == 2


def test_an_error_of_the_template_has_its_line_already():
    rendering = Rendering()

    assert found(RenderError("bad", path="/p/db.sls", line=8), rendering) == "/p/db.sls:8"
    assert found(RenderError("bad", path="/p/other.jinja", line=8), rendering) == "/p/db.sls"
    assert found(ValueError("bad"), rendering) == "/p/db.sls"
    assert rendering.call_count == 0


def test_a_file_that_cannot_be_rendered_again_is_named_alone():
    assert found(yaml_error(2), Rendering()) == "/p/db.sls"


def test_a_name_is_where_a_top_file_or_an_include_has_it(tmp_path):
    top, sub, made = (str(tmp_path / name) for name in ("top.sls", "sub.sls", "made.sls"))
    (tmp_path / "top.sls").write_text("base:\n  # gone\n  '*':\n    - here\n    - gone.now\n")
    (tmp_path / "sub.sls").write_text("include:\n  - .next\n")
    (tmp_path / "made.sls").write_text("include: [{{ name }}]\n")

    assert place_of_name([made, top], "gone.now") == f"{top}:5"
    assert place_of_name([sub], "a.next") == f"{sub}:2"
    assert place_of_name([made], "gone") == made
    assert place_of_name([str(tmp_path / "none.sls")], "gone") == str(tmp_path / "none.sls")
    assert place_of_name([], "gone") == ""
