"""A masterless call: parts made on first use, all of them from this machine."""

import pytest

from salt_g import api
from salt_g.config.registry import defaults
from salt_g.loader import Loader
from salt_g.local_call import local_context, pillar_call, top_data

TOPS = {
    "one": "def top(**kwargs):\n    return {'base': ['web'], 'dev': [kwargs['grains']['os']]}\n",
    "two": "def top(**kwargs):\n    return {'base': ['db']}\n",
    "broken": "def top(**kwargs):\n    raise SystemExit(1)\n",
    "empty": "def top(**kwargs):\n    return None\n",
}


@pytest.fixture
def opts(tmp_path):
    """Return settings whose pillar is `{"role": <id>}`, with one grain and some tops of a user."""
    folders = {name: tmp_path / name for name in ("pillar", "grains", "tops")}
    for folder in folders.values():
        folder.mkdir()
    (folders["pillar"] / "top.sls").write_text("base: {'*': [all]}\n")
    (folders["pillar"] / "all.sls").write_text("role: {{ grains['id'] }}\n")
    (folders["grains"] / "mine.py").write_text("def mine():\n    return {'mine': 1}\n")
    for name, text in TOPS.items():
        (folders["tops"] / f"{name}.py").write_text(text)
    return {
        **defaults("minion"),
        "id": "m1",
        "cachedir": str(tmp_path / "cache"),
        "conf_file": str(tmp_path / "minion"),
        "pillar_roots": {"base": [str(folders["pillar"])]},
        "grains_dirs": [str(folders["grains"])],
        "top_dirs": [str(folders["tops"])],
    }


def test_files_are_local_whatever_the_settings_say(opts):
    assert local_context({**opts, "file_client": "remote"}).opts["file_client"] == "local"


def test_grains_and_pillar_are_made_on_first_use_and_once(opts):
    context = local_context(opts)
    with api.use(context):
        first = context.grains

        assert (first["mine"], context.pillar["role"]) == (1, "m1")
        assert context.grains is first


def without_users_grains(opts):
    return local_context({**opts, "grains_dirs": []})


def test_a_grain_that_is_nowhere_is_missing_without_gathering_the_others(opts, monkeypatch):
    monkeypatch.setattr("salt_g.local_call.gathered_grains", lambda *_: pytest.fail("grains were gathered"))

    with api.use(without_users_grains(opts)):
        assert not api.has_grain("test")


@pytest.mark.parametrize("name", ["id", "nosuch"])
def test_other_grains_are_gathered_to_know(opts, name):
    with api.use(without_users_grains(opts)):
        assert api.has_grain(name) is (name in api.grains)


def test_a_grain_may_come_from_settings_file_or_users_modules(opts, tmp_path):
    with api.use(local_context({**opts, "grains_dirs": [], "grains": {"test": True}})):
        assert api.has_grain("test")
    (tmp_path / "grains" / "dry.py").write_text("def dry():\n    return {'test': True}\n")
    with api.use(local_context(opts)):
        assert api.has_grain("test")
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "grains").write_text("test: true\n")
    with api.use(without_users_grains({**opts, "conf_file": str(tmp_path / "etc" / "minion")})):
        assert api.has_grain("test")


def test_no_built_in_grain_has_a_name_that_counts_as_missing(opts):
    from salt_g.loader.grains import NEVER_BUILT_IN

    assert not NEVER_BUILT_IN & without_users_grains(opts).grains.keys()


def test_tops_are_merged_and_one_that_fails_is_left_out(opts, caplog):
    opts["master_tops"] = {name: True for name in ("one", "broken", "nosuch", "empty", "two")}
    context = local_context(opts)

    assert top_data(context, opts, {"os": "X"}) == {"base": ["web", "db"], "dev": ["X"]}
    assert "the source of top data broken failed for m1" in caplog.text
    assert "there is no source of top data 'nosuch'" in caplog.text


def test_the_pillar_of_another_minion_is_compiled_with_its_grains(opts):
    with pillar_call({**opts, "id": "m2"}, {"id": "m2"}, Loader(opts)) as compiler:
        assert compiler.compile()["role"] == "m2"
