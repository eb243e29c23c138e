"""SLS files and texts rendered through whole pipes."""

import os

import pytest

from salt_g import api
from salt_g.compat.utils.calls.decorators.jinja import jinja_filter
from salt_g.errors import RenderError
from salt_g.formats.ordered import Ordered
from salt_g.render.jinja import plugin_names
from salt_g.report.recording.known_runs import KnownRuns
from salt_g.report.recording.reads import Reads


class ObservedReads(Reads):
    """Record that stores whether a rendering was observed."""

    has_observed = False

    def rendering(self, *args):
        self.has_observed = True
        return super().rendering(*args)


def test_an_sls_is_rendered_by_jinja_and_yaml(service, files):
    path = files.add("web/init.sls", "{{ sls }}:\n  test.nop:\n    - at: {{ tpldir }} {{ grains.id }}\n")

    data = service().render_sls(path, sls="web", saltenv="base")

    assert data == {"web": {"test.nop": [{"at": "web unit"}]}}


@pytest.mark.parametrize("text", ["", " \n\n", "# comment\n"])
def test_an_sls_without_content_is_not_an_error(service, files, text):
    assert service().render_sls(files.add("a.sls", text), sls="a", saltenv="base") == {}


def test_the_setting_renderer_is_the_default_pipe(service):
    assert service(renderer="json").render_text('{"a": 1}') == {"a": 1}


def test_a_callers_pipe_comes_before_the_setting(service, files):
    path = files.add("a.txt", '{"a": 1}')

    assert service().render_sls(path, sls="", saltenv="base", pipe="json") == {"a": 1}


def test_an_unknown_renderer_gives_nothing(service):
    assert service().render_text("#!nosuch|yaml\na: 1\n") == {}


def test_lost_carriage_returns_come_back(service):
    assert service().render_text("a {{ 1 }}\r\nb\r\n", pipe="jinja") == "a 1\r\nb\r\n"


def test_a_text_without_jinja_stays_as_it_is(service):
    assert service().render_text("a: b\n\n", pipe="jinja") == "a: b\n\n"


def test_a_users_renderer_is_called_as_stock_does(service):
    def shout(data, saltenv, sls, argline="", **kwargs):
        return {saltenv: data.read().upper(), "argline": argline, "tmplpath": kwargs["tmplpath"]}

    made = service(tables={"renderers": {"shout.render": shout}})

    assert made.render_text("#!shout\nx", saltenv="dev") == {
        "dev": "#!SHOUT\nX",
        "argline": "",
        "tmplpath": ":string:",
    }


def test_the_py_renderer_runs_the_file(service, files):
    path = files.add("p.sls", "#!py\ndef run():\n    return {__sls__: [__grains__['id'], saltenv]}\n")

    assert service().render_sls(path, sls="p", saltenv="base") == {"p": ["unit", "base"]}


def test_the_py_renderer_shows_the_traceback(service, files):
    path = files.add("p.sls", "#!py\ndef run():\n    raise ValueError('broken here')\n")

    with pytest.raises(RenderError, match="(?s)Traceback.*ValueError: broken here"):
        service().render_sls(path, sls="p", saltenv="base")


def test_a_scanner_error_is_reported_without_its_place(service):
    with pytest.raises(RenderError) as caught:
        service().render_text("a: b: c")

    assert str(caught.value) == "mapping values are not allowed in this context"


def test_a_second_document_is_not_a_render_error(service):
    with pytest.raises(Exception, match="expected a single document") as caught:
        service().render_text("a: 1\n---\nb: 1\n")

    assert not isinstance(caught.value, RenderError)


def test_the_lines_of_ids_are_those_of_the_rendered_text(service, files):
    path = files.add("a.sls", "{% for i in [1, 2] %}\nid{{ i }}:\n  test.nop: []\n{% endfor %}\n")

    located = service().locate_sls(path, sls="a", saltenv="base")

    assert located.lines[("id2",)] == 5
    assert located.text.splitlines()[4] == "id2:"


def test_lines_are_looked_for_as_a_template_sees_its_functions(service, files, monkeypatch):
    rendering, seen = service(), []
    monkeypatch.setitem(
        api.current().table("modules"),
        "test.echo",
        lambda text: seen.append(api.current().in_template) or text,
    )
    path = files.add("a.sls", "{{ salt['test.echo']('a') }}:\n  test.nop: []\n")

    rendering.locate_sls(path, sls="a", saltenv="base")

    assert seen == [True]


def test_yamlex_joins_what_is_marked(service):
    text = "x: !aggregate [1]\nx: !aggregate [1, 2]\ny: [1]\n!reset y: [9]\nz: {a: 1}\nz: {b: 2}\n"

    assert service().render_text(text, pipe="yamlex") == {"x": [1, 2], "y": [9], "z": {"b": 2}}


def test_toml_is_read(service):
    pytest.importorskip("tomllib")

    assert service().render_text("[a]\nb = 1\n", pipe="toml") == {"a": {"b": 1}}


def test_broken_toml_is_a_render_error(service):
    pytest.importorskip("tomllib")

    with pytest.raises(RenderError, match="invalid TOML"):
        service().render_text("[a", pipe="toml")


def test_a_template_of_two_sls_is_known_for_each(service):
    """Both files include it, so a change of its inputs concerns both."""
    runs, made, found = KnownRuns(), service(), []
    for _ in range(3):
        context = api.current()
        reads = Reads(runs, "highstate")
        held = context.unread("grains"), context.unread("pillar")
        reads.begin({"grains": context.grains, "pillar": context.pillar}, held)
        for sls in ("web", "db"):
            with api.use(context.replace(reads=reads, low={"__sls__": sls})):
                made.render_template("{{ grains['id'] }}", engine="jinja")
        reads.sources(lambda: False)
        reads.remember()
        found.append(reads.names())

    assert found == [{"web": {"grain:id": ""}, "db": {"grain:id": ""}}] * 3


def test_one_text_is_known_for_each_pipe_path_and_sls(service, files):
    """Reads of a renderer of another kind are observed in each run, even after runs of the same text."""
    runs, made = KnownRuns(), service()
    path, copy = (files.add(name, "a: {{ grains['id'] }}\n") for name in ("a.sls", "b.sls"))

    def is_observed(path, sls, pipe):
        context, reads = api.current(), ObservedReads(runs, "highstate")
        held = context.held()
        reads.begin({"grains": context.grains, "pillar": context.pillar}, held)
        with api.use(context.replace(reads=reads)):
            made.render_sls(path, sls=sls, saltenv="base", pipe=pipe)
        reads.sources(lambda: False)
        reads.remember()
        return reads.has_observed

    known = (path, "a", "jinja|yaml")
    others = [(path, "a", "jinja|yamlex"), (path, "b", "jinja|yaml"), (copy, "a", "jinja|yaml")]

    assert [is_observed(*known), is_observed(*known)] == [True, False]
    assert [is_observed(*other) for other in others] == [True] * len(others)
    assert [is_observed(path, "a", "jinja|yamlex") for _ in range(2)] == [True, True]


@pytest.fixture
def record(service):
    """Return a function: `record(text)` renders a template in a recorded run.

    It returns (whether it was observed, names).
    """
    runs, made = KnownRuns(), service()

    def render(text, *, pillar=None, **context):
        call = api.current()
        if pillar is not None:
            call = call.replace(pillar=pillar)
        reads = ObservedReads(runs, "highstate")
        held = call.unread("grains"), call.unread("pillar")
        reads.begin({"grains": call.grains, "pillar": call.pillar}, held)
        reads.sources(lambda: False)
        with api.use(call.replace(reads=reads, low={"__sls__": "web"})):
            made.render_template(text, engine="jinja", context=context)
        reads.remember()
        return reads.has_observed, {name for names in reads.names().values() for name in names}

    return render


def test_a_template_with_mappings_for_variables_is_known(record):
    """Like `context` in an SLS, whose mappings are YAML's; another value or order may cause other reads."""
    sites = ({"a": 1, "b": 2}, {"a": 1, "b": 2}, {"b": 2, "a": 1}, {"b": 2, "a": 3})

    found = [record("{{ grains['id'] }}", site=Ordered(site))[0] for site in sites]

    assert found == [True, False, True, True]


@pytest.mark.parametrize("name", ["grains.get", "own.get"])
def test_a_function_of_a_user_may_depend_on_anything(record, monkeypatch, name):
    monkeypatch.setitem(api.current().table("modules"), name, lambda key: key)

    found = [record(f"{{{{ salt['{name}']('x') }}}}")[0] for _ in range(3)]

    assert found == [True, True, True]


@pytest.mark.parametrize(
    "condition",
    [
        "'{0}' | file_hashsum | length",
        "not '{0}' | is_empty",
        "'{0}' | is_text_file",
        "[1] | random",
        "none | strftime('%Y') | int > 0",
        "'{0}' | size_of",
    ],
)
def test_where_a_look_up_depends_on_a_filter_that_sees_the_machine_it_is_observed(
    record, tmp_path, monkeypatch, condition
):
    monkeypatch.setitem(plugin_names.FILTERS, "size_of", None)
    jinja_filter("size_of")(os.path.getsize)
    gate = tmp_path / "gate"
    gate.write_text("")
    text = f"{{% if {condition.format(gate)} %}}{{{{ grains['id'] }}}}{{% endif %}}"
    for _ in range(2):
        record(text)

    gate.write_text("open")

    assert record(text) == (True, {"grain:id"})
