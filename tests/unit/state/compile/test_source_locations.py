"""Source locations of findings."""

import logging

import pytest

from salt_g.errors import RenderError
from salt_g.shapes import RenderedSls, SourceLine
from salt_g.state.compile.diagnostics import Problem, StateLocation
from salt_g.state.compile.source_locations import MAX_LOCATED, SourceLocations, top_name


class Rendering:
    """Knows the lines of one text; counts its renderings."""

    def __init__(self, text="", lines=None, sources=()):
        self.text, self.lines, self.sources, self.calls = text, lines or {}, sources, []

    def locate_sls(self, path, *, sls, saltenv):
        self.calls.append((path, sls, saltenv))
        if not self.text:
            raise RenderError("nothing to see")
        return RenderedSls({}, self.lines, self.text, path, self.sources)


@pytest.fixture
def places():
    """Return a function that locates findings in `web` (included from `top`) and `top` as rendered."""

    def make(rendering):
        made = SourceLocations(lambda: rendering)
        made.add("web", url="salt://web.sls", path="/c/web.sls", saltenv="base", included_from="top")
        made.add("top", url="salt://top.sls", path="/c/top.sls", saltenv="base")
        return made

    return make


def test_the_line_of_an_id_is_reported_with_its_text(places):
    made = places(Rendering("# x\n  a:\n", {("a",): 2}))
    problem = Problem("bad ", sls="web", state_id="a", wanted="ngnix", known=["nginx"])

    assert made.describe(problem) == (
        "salt://web.sls:2 (base): bad; rendered line 2: 'a:'; included from top; nearest: 'nginx'"
    )
    assert made.location_of(problem) == "salt://web.sls:2 (base): 'ngnix' does not exist; nearest: 'nginx'"


def test_the_place_of_an_id_needs_no_rendering(tmp_path):
    (tmp_path / "a.sls").write_text("# x\nhere:\n  test.nop: []\n")
    rendering = Rendering()
    made = SourceLocations(lambda: rendering)
    made.add("a", url="salt://a.sls", path=str(tmp_path / "a.sls"), saltenv="base")

    assert made.place_of("a", "here") == "salt://a.sls:2"
    assert made.place_of("a", "made by a template") == "salt://a.sls"
    assert made.place_of("b", "here") == ""
    assert rendering.calls == []


def test_a_line_is_that_of_the_source(places):
    sources = [SourceLine("", 1), SourceLine("", 5), SourceLine("lib.jinja", 2, 7)]
    made = places(Rendering("# x\na:\nb:\n", {("a",): 2, ("b",): 3}, sources))

    assert made.location_of(Problem("x", sls="web", state_id="a")) == "salt://web.sls:5 (base)"
    assert made.location_of(Problem("x", sls="web", state_id="b")) == (
        "salt://lib.jinja:2 (base), used at salt://web.sls:7"
    )
    assert made.describe(Problem("bad", sls="web", line=2, is_rendered=True)) == (
        "salt://web.sls:5 (base): bad; included from top"
    )


def test_a_rendered_line_without_its_source_is_not_shown(places):
    problem = Problem("x", sls="web", line=12, is_rendered=True)

    assert places(Rendering()).location_of(problem) == "salt://web.sls (base)"


def test_a_file_is_rendered_once_for_all_its_findings(places):
    rendering = Rendering()
    made = places(rendering)

    assert [made.location_of(Problem("x", sls="web", state_id=name)) for name in "ab"] == [
        "salt://web.sls (base)"
    ] * 2
    assert rendering.calls == [("/c/web.sls", "web", "base")]


def test_an_error_of_a_renderer_leaves_the_finding_without_a_line(places):
    class Broken(Rendering):
        def locate_sls(self, path, **about):
            raise ValueError("a plugin's own error")

    assert (
        places(Broken()).describe(Problem("bad", sls="web", state_id="a")).startswith("salt://web.sls (base)")
    )


def test_the_place_is_that_of_the_local_file(places):
    made = places(Rendering("a:\n", {("a",): 1}, [SourceLine("lib.jinja", 2, 7)]))

    assert made.source_line(Problem("bad", sls="web", state_id="a")) == (
        "/c/web.sls",
        SourceLine("lib.jinja", 2, 7),
    )
    assert made.source_line(Problem("bad", sls="nosuch")) is None


def test_a_line_that_is_known_needs_no_rendering(places):
    rendering = Rendering("text")

    assert places(rendering).location_of(Problem("x", sls="web", line=7)) == "salt://web.sls:7 (base)"
    assert places(rendering).location_of(Problem("x", sls="web")) == "salt://web.sls (base)"
    assert rendering.calls == []


def test_a_line_past_the_end_shows_the_last_one(places):
    made = places(Rendering("one\ntwo", {("a",): 9}))

    assert "rendered line 9: 'two'" in made.describe(Problem("x", sls="web", state_id="a"))


def test_files_that_include_each_other_end_the_chain():
    made = SourceLocations(lambda: Rendering())
    made.add("a", url="salt://a.sls", path="/a", saltenv="base", included_from="b")
    made.add("b", url="salt://b.sls", path="/b", saltenv="base", included_from="a")

    assert made.describe(Problem("x", sls="a")) == "salt://a.sls (base): x; included from b < a"


def test_a_finding_of_no_file_stays_as_it_is(places):
    made = places(Rendering())

    assert made.location_of(Problem("x", sls="other")) == ""
    assert made.describe(Problem("x", sls="other", wanted="w")) == "x"


def test_a_finding_of_no_file_is_sent_if_there_is_something_to_do(places):
    made = places(Rendering())

    assert made.report([Problem("no a", wanted="a"), Problem("no SLS", advice="add one")]) == [
        "no SLS: add one"
    ]
    assert made.report([Problem("no webb", wanted="webb", known=["web"])]) == [
        "'webb' does not exist; nearest: 'web'"
    ]


def test_many_findings_are_all_logged_but_not_all_located(places, caplog):
    rendering = Rendering("x", {})
    made = places(rendering)
    problems = [Problem(f"bad {number}", sls="web", line=number) for number in range(1, MAX_LOCATED + 3)]

    with caplog.at_level(logging.ERROR):
        found = made.report([*problems, problems[0]])

    assert found == [f"salt://web.sls:{number} (base)" for number in range(1, MAX_LOCATED + 1)]
    assert caplog.messages[-2:] == [f"bad {MAX_LOCATED + 2}", "bad 1"]
    assert len(caplog.messages) == MAX_LOCATED + 3


def test_a_finding_is_at_the_line_of_its_words_in_the_block_of_its_state(places):
    text = "b: aa\na:\n  test.nop:\n    - name: aa-b\n    - require:\n      - test: aa\nc: aa"
    made = places(Rendering(text, {("a",): 2}))

    def place(*words, state_id="a"):
        return made.location_of(Problem("bad", sls="web", state_id=state_id, words=words))

    assert place("require", "aa") == "salt://web.sls:6 (base)"
    assert place("require", "none") == "salt://web.sls:5 (base)"
    assert place("c") == "salt://web.sls:2 (base)"
    assert place("c", state_id=None) == "salt://web.sls:7 (base)"
    assert place("none", state_id=None) == "salt://web.sls (base)"


def test_words_are_looked_for_below_the_id_which_may_hold_them(places):
    text = "aa:\n  test.nop:\n  - require:\n    - test: aa\n"
    made = places(Rendering(text, {("aa",): 1}))
    problem = Problem("bad", sls="web", state_id="aa", words=("test", "require", "aa"))

    assert made.location_of(problem) == "salt://web.sls:4 (base)"
    assert made.location_of(problem._replace(words=("aa",))) == "salt://web.sls:4 (base)"


def test_a_finding_with_several_places_names_them_all(places):
    made = places(Rendering("x:\na:\n", {("a",): 2, ("b",): 1}))
    others = (StateLocation("web", "a", ()), StateLocation("top", "b", ()), StateLocation("web", "a", ()))
    problem = Problem("twice", sls="web", state_id="a", advice="rename one", others=others)

    assert made.location_of(problem) == "salt://web.sls:2 (base) and salt://top.sls:1 (base): rename one"
    assert made.describe(problem).startswith("salt://web.sls:2 (base): twice; ")
    assert "; and salt://top.sls:1 (base); included from top; rename one" in made.describe(problem)


def test_a_finding_in_another_template_is_at_its_line(places):
    made = places(Rendering())

    def place(path, used_at=0):
        return made.location_of(Problem("bad", sls="web", template=(path, 3), used_at=used_at))

    assert place("/c/lib/m.jinja", 7) == "salt://lib/m.jinja:3 (base), used at salt://web.sls:7"
    assert place("/c/lib/m.jinja") == "salt://lib/m.jinja:3 (base), used at salt://web.sls"
    assert place("/elsewhere/m.jinja") == "/elsewhere/m.jinja:3 (base), used at salt://web.sls"


def test_top_files_stay_known_for_the_next_compile(places):
    made = places(Rendering("base:\n  '*':\n    - none\n"))
    made.add(top_name("base"), url="salt://top.sls", path="/c/top.sls", saltenv="base")

    kept = made.tops()

    assert (
        kept.location_of(Problem("bad", sls=top_name("base"), words=("none",))) == "salt://top.sls:3 (base)"
    )
    assert kept.location_of(Problem("bad", sls="web")) == ""
