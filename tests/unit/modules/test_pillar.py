"""Pillar as seen by users, and by other functions."""

import pytest

from salt_g import api
from salt_g.errors import CommandExecutionError
from salt_g.modules import pillar

PILLAR = {
    "s": "secret",
    "i": 5,
    "zero": 0,
    "none": None,
    "empty": "",
    "l": ["a", ""],
    "d": {"k": "v", "l": [1, {"m": 2}]},
    "role": "web",
}


class Pillars:
    """Returns its own arguments, under `asked`."""

    def compile(self, **options):
        return {"asked": {key: value for key, value in options.items() if value is not None}, "new": "value"}


@pytest.fixture
def enter(call_context):
    def entered(*, in_template=True, **opts):
        context = call_context(pillar=PILLAR, opts=opts, pillars=Pillars())
        stack = api.use(context.replace(in_template=in_template))
        stack.__enter__()
        return stack

    stacks = []
    yield lambda **opts: stacks.append(entered(**opts))
    for stack in reversed(stacks):
        stack.__exit__(None, None, None)


@pytest.mark.parametrize(
    ("key", "options", "value"),
    [
        ("d:k", {}, "v"),
        ("d:l:1:m", {}, 2),
        ("nope", {}, ""),
        ("nope", {"default": None}, None),
        ("nope", {"default": "dd"}, "dd"),
        ("d/k", {"delimiter": "/"}, "v"),
        ("d", {"merge": True, "default": {"z": 9}}, {"z": 9, **PILLAR["d"]}),
        ("l", {"merge": True, "default": ["b", "a"]}, ["b", "a", ""]),
        ("s", {"merge": True, "default": {"z": 9}}, "secret"),
        ("nope", {"merge": True, "default": {"z": 9}}, {"z": 9}),
    ],
)
def test_get_walks_a_colon_path(enter, key, options, value):
    enter()

    assert pillar.get(key, **options) == value


def test_a_missing_key_can_be_an_error(enter):
    enter(pillar_raise_on_missing=True)

    with pytest.raises(KeyError, match="Pillar key not found: nope"):
        pillar.get("nope")
    assert pillar.get("nope", "d") == "d"


def test_results_are_masked(enter):
    enter(in_template=False)

    assert pillar.get("d") == {"k": pillar.MASK, "l": [pillar.MASK, {"m": pillar.MASK}]}
    assert pillar.item("s", "zero", "none", "empty", "nope") == {
        "s": pillar.MASK,
        "zero": 0,
        "none": None,
        "empty": "",
        "nope": "",
    }
    assert pillar.get("s", unmask=True) == "secret"
    assert pillar.raw("s") == "secret"
    assert pillar.raw("s", unmask=False) == pillar.MASK


def test_templates_see_the_values(enter):
    enter()

    assert pillar.get("s") == "secret"
    assert pillar.get("s", unmask=False) == pillar.MASK


def test_a_setting_unmasks_items_only(enter):
    enter(in_template=False, pillar_mask_output=False)

    assert pillar.items()["new"] == "value"
    assert pillar.get("s") == pillar.MASK


def test_items_say_where_the_cause_of_masked_errors_is(enter, monkeypatch, caplog):
    enter(in_template=False)
    monkeypatch.setattr(Pillars, "compile", lambda self, **options: {"_errors": ["text of a file"]})

    assert pillar.items() == {"_errors": [pillar.MASK]}

    assert "the master's log has the file, the line and the nearest names" in caplog.text


def test_items_compiles_anew_with_what_was_asked(enter):
    enter()

    options = pillar.items(pillar={"n": 1}, pillarenv="dev", saltenv="qa")["asked"]

    assert options == {"override": {"n": 1}, "pillarenv": "dev", "saltenv": "qa"}


def test_an_environment_is_compiled_for_get(enter):
    enter()

    assert pillar.get("asked", pillarenv="dev") == {"pillarenv": "dev"}


def test_an_override_that_is_not_a_mapping_is_left_out(enter):
    enter()

    assert pillar.items(pillar="text")["asked"] == {}


def test_an_override_is_decrypted_by_allowed_renderers_only(enter):
    enter()

    with pytest.raises(CommandExecutionError, match="'py' is not a valid decryption renderer"):
        pillar.items(pillar={"a": "x"}, pillar_enc="py")


def test_keys_are_those_of_a_mapping(enter):
    enter()

    assert pillar.keys("d") == ["k", "l"]
    with pytest.raises(KeyError):
        pillar.keys("nope")
    with pytest.raises(ValueError, match="not a dict"):
        pillar.keys("s")


def test_obfuscate_shows_types(enter):
    enter()

    assert pillar.obfuscate(unmask=True) == {"asked": {}, "new": "<str>"}


def test_filter_by_chooses_by_a_pillar_value(enter):
    enter()

    assert pillar.filter_by({"w*": 1, "default": 2}, "role") == 1
    assert pillar.filter_by({"db": 1, "default": 2}, "role") == 2


def test_a_file_is_looked_for_in_the_roots(enter, tmp_path):
    (tmp_path / "p.sls").write_text("")
    enter(pillar_roots={"base": [str(tmp_path)]})

    assert pillar.file_exists("p.sls")
    assert pillar.file_exists("p.sls", saltenv="base")
    assert not pillar.file_exists("p.sls", saltenv="dev")
    assert not pillar.file_exists("z.sls")
