"""Tables of `salt.loader` that plugins take functions from; results recorded from stock 3008."""

import io

import pytest
import yaml as pyyaml

from salt_g import api
from salt_g.compat import loader, template
from salt_g.compat.utils.values import yaml
from salt_g.compat.utils.values.yamlloader import SaltYamlSafeLoader
from salt_g.compat.utils.values.yamlloader import load as load_yaml
from salt_g.errors import YamlError
from salt_g.loader import import_shim
from salt_g.local_call import local_context


@pytest.fixture
def opts(tmp_path):
    """Yield settings of a call without a master, with the call entered."""
    import_shim.install()
    settings = {"id": "web1", "cachedir": str(tmp_path), "file_client": "local", "grains": {"os": "Mine"}}
    settings |= {"file_roots": {"base": [str(tmp_path)]}, "pillar_roots": {}, "extension_modules": ""}
    context = local_context(settings).replace(grains={"os": "Mine"}, pillar={"a": {"b": "c"}})
    with api.use(context):
        yield settings


def test_renderers_have_their_names_and_take_files_or_data(opts):
    render = loader.render({**opts, "pillar": {"a": 5}}, {})

    made = render["jinja"](io.StringIO("a: {{ pillar.a + x }} {{ sls }} {{ grains.os }}"), "base", "web", x=1)
    assert made.read() == "a: 6 web Mine"
    assert render["yaml"](io.StringIO("a: 1")) == {"a": 1}
    assert render["json"]('{"a": 1}') == {"a": 1}
    assert render["gpg"]({"a": "plain"}) == {"a": "plain"}
    assert "yaml" in render and "yaml.render" not in render and render.get("nothing") is None


def test_a_text_for_a_template_is_the_path_of_a_file(opts, tmp_path):
    (tmp_path / "a.txt").write_text("{{ y }} {{ tpldir }}")

    assert loader.render(opts, {})["jinja"](str(tmp_path / "a.txt"), context={"y": 2}).read().startswith("2")
    with pytest.raises(FileNotFoundError):
        loader.render(opts, {})["jinja"]("{{ 1 }}")


def test_a_file_is_compiled_with_its_path_and_the_pillar_of_the_renderers(opts, tmp_path):
    (tmp_path / "a.sls").write_text("#!py\ndef run():\n    return {'p': 1, 'f': __file__}")
    (tmp_path / "b.sls").write_text("p: {{ pillar.a }}\nx: {{ x }}\n")
    render = loader.render({**opts, "pillar": {"a": 5}}, {})

    assert template.compile_template(str(tmp_path / "a.sls"), render, "jinja|yaml", None, None)["p"] == 1
    context = {"x": 3, "path": 4}
    assert template.compile_template(
        str(tmp_path / "b.sls"), render, "jinja|yaml", None, None, context=context, tmplpath="/b"
    ) == {"p": 5, "x": 3}
    assert template.compile_template(str(tmp_path / "none.sls"), render, "jinja|yaml", None, None) == {}


def test_matchers_decide_about_the_minion_of_the_settings(opts):
    match = loader.matchers(opts)

    assert match["compound_match.match"]("web* and G@os:Mine and I@a:b:c")
    assert match["list_match.match"](["db1", "web1"])
    assert match["pillar_match.match"]("a/b/c", "/")
    assert match["nodegroup_match.match"]("n", {"n": "web1"})
    assert match["glob_match.match"]("db*", minion_id="db7")
    assert not match["glob_match.match"]("web*", opts={"id": "db1"})
    assert match["confirm_top.confirm_top"]("os:Mine", [{"match": "grain"}, "a"])
    other = loader.matchers({**opts, "id": "db1", "grains": {"os": "X"}})
    assert other["compound_match.match"]("db1 and G@os:X")


def test_outputters_and_utils_are_there_by_name(opts):
    show = loader.outputters(opts)

    assert show["json"]({"a": 1}) == '{\n    "a": 1\n}'
    assert "nested" in show and "nested.output" not in show and show.get("nothing") is None
    assert loader.utils(opts)["stringutils.to_unicode"](b"a") == "a"
    assert "stringutils.nothing" not in loader.utils(opts)


def test_sources_of_pillar_and_tops_have_no_function_in_their_names(call_context):
    tables = {"pillar": {"mine.ext_pillar": len, "mine.other": max}, "tops": {"t.top": len}}
    call_context(tables=tables | {"log_handlers": {"h.setup_handlers": len}})

    assert loader.pillars({}, None)["mine"] is len and "mine.ext_pillar" not in loader.pillars({}, None)
    assert (list(loader.tops({})), list(loader.log_handlers({}))) == (["t"], ["h"])


class Tagged(SaltYamlSafeLoader):
    """A custom loader, derived as plugins do it."""


Tagged.add_constructor("!x", lambda loader, node: "X" + node.value)


@pytest.mark.parametrize("load", [load_yaml, yaml.load, yaml.safe_load])
def test_a_loader_of_a_plugin_reads_its_own_tags(load):
    assert load("a: !x b", Loader=Tagged) == {"a": "Xb"}
    with pytest.raises((pyyaml.YAMLError, YamlError, ValueError)):
        load("a: !x b")


def test_a_loader_makes_mappings_of_the_class_given():
    class Mine(dict):
        pass

    made = pyyaml.load("a: {b: 1}", lambda stream: SaltYamlSafeLoader(stream, dictclass=Mine))

    assert type(made) is Mine and type(made["a"]) is Mine


def test_built_in_sources_of_pillar_and_the_backend_of_directories_are_there(opts, tmp_path):
    (tmp_path / "hosts" / "web1").mkdir(parents=True)
    (tmp_path / "hosts" / "web1" / "key").write_text("value")

    made = loader.pillars(opts, None)["file_tree"]("web1", {}, root_dir=str(tmp_path))
    assert made == {"key": "value"}
    assert loader.fileserver({}, ["roots"])["roots.envs"]() == ["base"]
