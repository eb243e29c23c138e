"""Settings that come from plugins: the id from `id_function`, and values from secret stores."""

import pytest


@pytest.fixture
def naming(salt_g):
    """Return the settings of a machine with a custom `id_function`."""
    modules = salt_g.root / "modules"
    modules.mkdir()
    (modules / "naming.py").write_text(
        "def make(prefix='m'):\n    return prefix + '-Seven'\n\ndef nothing():\n    return None\n"
    )
    del salt_g.settings["id"]
    return {"module_dirs": [str(modules)]}


def test_a_function_returns_the_id(salt_g, naming):
    plain = salt_g("config.get", "id", **naming, id_function="naming.make")
    assert plain.value == "m-Seven", plain.err
    # The next start finds it without the function.
    assert (salt_g.conf / "minion_id").read_text() == "m-Seven"
    assert salt_g("config.get", "id", **naming, id_function="naming.nothing").value == "m-Seven"


def test_its_id_is_changed_as_any_other_that_is_found(salt_g, naming):
    changed = salt_g(
        "config.get",
        "id",
        **naming,
        id_function={"naming.make": {"prefix": "web"}},
        minion_id_lowercase=True,
        minion_id_caching=False,
        append_domain="example.com",
    )

    assert changed.value == "web-seven.example.com", changed.err
    assert not (salt_g.conf / "minion_id").exists()


@pytest.mark.parametrize("name", ["naming.nothing", "no.such"])
def test_a_function_that_returns_no_id_is_reported(salt_g, naming, name):
    result = salt_g("config.get", "id", **naming, id_function=name)

    assert result.code != 0
    assert name in result.err
    assert "Traceback" not in result.err


def test_values_come_from_a_secret_store(salt_g):
    found = salt_g(
        "config.get",
        "own",
        env={"THE_SECRET": "told"},
        store={"driver": "env"},
        own={"list": ["sdb://store/THE_SECRET", "plain"]},
    )

    assert found.value == {"list": ["told", "plain"]}, found.err


def test_a_value_of_a_wrong_type_is_reported(salt_g):
    result = salt_g(
        "test.ping", env={"KEEP": "long"}, store={"driver": "env"}, grains_cache_expiration="sdb://store/KEEP"
    )

    assert result.code != 0
    assert "grains_cache_expiration must be" in result.err


def test_an_unknown_secret_store_leaves_the_address(salt_g):
    assert salt_g("config.get", "own", own="sdb://missing/KEY").value == "sdb://missing/KEY"
