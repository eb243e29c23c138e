"""Drivers of secret stores: the environment, YAML files."""

import pathlib

import pytest

from salt_g.errors import CommandExecutionError, NoSuchFunction
from salt_g.modules import sdb, slsutil
from salt_g.sdb import env, yaml_files


@pytest.fixture
def profile(call_context, tmp_path):
    """Return a function that writes files with these texts and returns a profile that names them."""

    def make(*texts, **options):
        paths = []
        for number, text in enumerate(texts):
            path = tmp_path / f"{number}.yaml"
            path.write_text(text)
            paths.append(str(path))
        made = {"driver": "yaml", "files": paths, **options}
        drivers = {"yaml.get": yaml_files.get, "yaml.set": yaml_files.set_}
        call_context(
            opts={"files": made}, functions={"slsutil.merge": slsutil.merge}, tables={"sdb": drivers}
        )
        return made

    return make


def test_values_are_found_in_merged_files(profile):
    profile("user1:\n  name: me\n  password: old\n", "user1: {password: new}\nlist: [a, {b: c}]\n")

    assert sdb.get("sdb://files/user1:password") == "new"
    assert sdb.get("sdb://files/user1:name") == "me"
    assert sdb.get("sdb://files/list:b") == "c"
    assert sdb.get("sdb://files/user1") == {"name": "me", "password": "new"}
    assert sdb.get("sdb://files/none:at:all") is None


def test_files_are_merged_as_the_profile_says(profile):
    profile("a: [1]\nb: {c: 1}\n", "a: [2]\nb: {d: 2}\n", merge={"strategy": "recurse", "merge_lists": True})
    assert sdb.get("sdb://files/a") == [1, 2]

    profile("a: [1]\nb: {c: 1}\n", "b: {d: 2}\n", merge={"strategy": "overwrite"})
    assert sdb.get("sdb://files/b") == {"d": 2}


def test_files_that_cannot_be_read_are_logged_and_left_out(profile, caplog, tmp_path):
    made = profile("a: 1\n", "- a\n", "a: [\n", "")
    made["files"].append(str(tmp_path / "none.yaml"))

    assert sdb.get("sdb://files/a") == 1
    assert [record.message.split(":")[0:2] for record in caplog.records] == [
        ["sdb", f" {tmp_path / '1.yaml'} must have a mapping at its top level, not a list"],
        ["sdb", f" {tmp_path / '2.yaml'} cannot be read"],
        ["sdb", f" {tmp_path / 'none.yaml'} cannot be read"],
    ]


def test_files_are_not_written(profile):
    made = profile("a: 1\n")

    with pytest.raises(CommandExecutionError, match="is read-only; write a into .*0.yaml"):
        sdb.set_("sdb://files/a", 2)
    assert pathlib.Path(made["files"][0]).read_text() == "a: 1\n"


def test_encrypted_values_are_opened(profile, call_context):
    class Rendering:
        def render_text(self, text, *, pipe):
            return f"{pipe} opened {text[27:]}"

    profile("")
    secret = "-----BEGIN PGP MESSAGE-----x"
    made = profile(f"a: {{b: ['{secret}', plain]}}\n", gpg=True)
    call_context(render=Rendering())

    assert yaml_files.get("a", made) == {"b": ["gpg opened x", "plain"]}
    assert yaml_files.get("a", {**made, "gpg": False}) == {"b": [secret, "plain"]}


def test_the_environment_is_read_and_set(monkeypatch):
    monkeypatch.setenv("UNIT_SDB", "1")

    assert env.get("UNIT_SDB") == "1"
    assert env.set_("UNIT_SDB", 2) == 2
    assert env.get("UNIT_SDB") == "2"
    assert env.delete("UNIT_SDB") is True
    assert env.delete("UNIT_SDB") is False
    assert env.get("UNIT_SDB") is None


def test_a_driver_that_is_not_here_is_named_with_its_sources(profile, call_context):
    call_context(opts={"safe": {"driver": "vault"}}, tables={"sdb": {"yaml.get": yaml_files.get}})

    with pytest.raises(NoSuchFunction, match=r"no sdb driver 'vault' here; .* install saltext.vault\)"):
        sdb.get("sdb://safe/x")


def test_a_driver_that_cannot_delete_is_named(profile):
    profile("a: 1\n")

    with pytest.raises(NoSuchFunction, match="^the sdb driver 'yaml' has no function 'delete'$"):
        sdb.delete("sdb://files/a")
