import json
import os

import pytest

from salt_g import config
from salt_g.errors import ConfigError


@pytest.fixture
def directory(tmp_path, monkeypatch):
    """Return a function that writes config files into a directory of their own and returns its path."""
    monkeypatch.delenv("SALT_G_CONFIG_DIR", raising=False)

    def write(files=None):
        for name, text in (files or {}).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return str(tmp_path)

    return write


def test_a_missing_file_gives_defaults_of_the_role(directory):
    settings = config.load("minion", directory(), {"id": "web1"})

    assert settings.opts["hash_type"] == "sha256"
    assert settings.opts["__role"] == "minion"
    assert settings.origins["hash_type"] == "default"
    assert "publish_port" not in settings.opts


def test_the_directory_of_the_configuration_is_reported(directory):
    where = directory({"minion": "id: a\n"})

    assert config.load("minion", where).opts["config_dir"] == where


def test_each_value_says_where_it_came_from(directory):
    where = directory({"minion": "id: a\n\nhash_type: MD5\n"})

    settings = config.load("minion", where, {"test": True})

    assert settings.opts["hash_type"] == "md5"
    assert settings.origins["hash_type"] == f"{where}/minion:3"
    assert settings.origins["test"] == "command line"
    assert settings.origins["user"] == "derived"
    assert settings.origins["timeout" if "timeout" in settings.opts else "master"] == "default"


def test_every_value_has_an_origin(directory):
    settings = config.load("master", directory({"master": "id: m\nmy_own: 1\n"}))

    assert settings.origins.keys() == settings.opts.keys()


def test_files_beside_the_main_one_merge_and_then_replace(directory):
    where = directory(
        {
            "minion": "id: a\nbeacons: {load: []}\nschedule: {x: {}}\n",
            "minion.d/1.conf": "schedule: {a: {n: [1]}}\n",
            "minion.d/2.conf": "schedule: {a: {n: [2]}, b: {}}\n",
        }
    )

    settings = config.load("minion", where)

    assert settings.opts["schedule"] == {"a": {"n": [1, 2]}, "b": {}}
    assert settings.opts["beacons"] == {"load": []}
    assert settings.origins["schedule"] == f"{where}/minion.d/2.conf:1"


def test_included_files_are_read_by_glob_and_may_include(directory):
    where = directory(
        {
            "minion": "id: a\ninclude: [more/*, nothing.conf]\n",
            "more/x": "failhard: true\ninclude: ../last\n",
            "last": "state_top: other.sls\n",
        }
    )

    settings = config.load("minion", where)

    assert settings.opts["failhard"] is True
    assert settings.opts["state_top"] == "other.sls"
    assert settings.warnings == [f"{where}/minion: include 'nothing.conf' matches no file"]


def test_the_log_names_the_files_in_the_order_in_which_they_were_read(directory, caplog):
    where = directory(
        {"minion": "include: more\n", "minion.d/a.conf": "id: a\n", "more": "include: last\n", "last": ""}
    )

    with caplog.at_level("DEBUG"):
        config.load("minion", where).log_files()

    assert caplog.messages == [
        f"Reading configuration from {where}/{name}" for name in ("minion", "minion.d/a.conf", "more", "last")
    ]


def test_a_file_that_includes_itself_is_reported_as_a_problem(directory):
    where = directory({"minion": "id: a\ninclude: loop\n", "loop": "include: loop\n"})

    with pytest.raises(ConfigError, match="includes itself"):
        config.load("minion", where)


def test_all_problems_of_all_files_are_reported_at_once(directory):
    where = directory(
        {
            "minion": "id: a\nfailhard: 'yes'\nloop_interval: [1]\n",
            "minion.d/bad.conf": "a: 1\nb: c: d\n",
            "minion.d/list.conf": "- 1\n",
        }
    )

    with pytest.raises(ConfigError) as caught:
        config.load("minion", where)

    assert caught.value.problems == [
        f"{where}/minion.d/bad.conf:2: not YAML: mapping values are not allowed in this context: 'b: c: d'",
        f"{where}/minion.d/list.conf: a config file must be a mapping of settings "
        "(`name: value`), not a list",
        f"{where}/minion:2: failhard must be true or false, not 'yes'",
        f"{where}/minion:3: loop_interval must be a number (s), not [1]",
    ]


def test_a_number_for_a_list_or_a_text_is_text(directory):
    where = directory({"master": "gitfs_saltenv_whitelist: 2024\nminionfs_blacklist: 5\nmax_minions: 5\n"})

    opts = config.load("master", where).opts

    assert (opts["gitfs_saltenv_whitelist"], opts["minionfs_blacklist"], opts["max_minions"]) == (
        "2024",
        "5",
        5,
    )


def test_bytes_that_are_not_text_are_a_problem(tmp_path):
    (tmp_path / "minion").write_bytes(b"id: \xff\n")

    with pytest.raises(ConfigError, match="not UTF-8 text: byte 0xff at offset 4"):
        config.load("minion", str(tmp_path))


def test_a_directory_in_place_of_an_included_file_is_a_problem(directory):
    where = directory({"minion": "id: a\n", "minion.d/x.conf/y": ""})

    with pytest.raises(ConfigError, match="x.conf: cannot be read"):
        config.load("minion", where)


def test_unknown_names_are_kept_and_slips_are_reported(directory):
    where = directory({"minion": "id: a\nhash_typ: md5\nmy_company_region: eu\nmysql.host: db\n"})

    settings = config.load("minion", where)

    assert settings.opts["my_company_region"] == "eu"
    assert settings.opts["mysql.host"] == "db"
    assert settings.warnings == [f"{where}/minion:2: unknown setting 'hash_typ'; nearest: 'hash_type'"]


def test_an_environment_without_a_list_of_directories_is_reported(directory):
    where = directory({"minion": "id: a\nfile_roots:\n  base: /srv/salt\n  dev:\n"})

    settings = config.load("minion", where)

    assert settings.opts["file_roots"] == {"base": [], "dev": []}
    assert settings.warnings == [
        f"{where}/minion:2: file_roots: environment 'base' needs a list of directories, not '/srv/salt'"
    ]


def test_names_that_are_not_text_in_yaml_become_text(directory):
    settings = config.load("minion", directory({"minion": "id: a\n1: x\n"}))

    assert settings.opts["1"] == "x"


def test_names_without_a_value_leave_the_default(directory):
    settings = config.load("master", directory({"master": "id: m\nnodegroups:\nsaltenv:\n"}))

    assert settings.opts["nodegroups"] == {}
    assert settings.opts["saltenv"] is None


def test_json_is_read_with_places(directory):
    text = json.dumps(
        {"id": "a", "file_roots": {"base": ["/srv"], "hash_type": []}, "hash_type": "md5"}, indent=1
    )

    settings = config.load("minion", directory({"minion": text}))

    assert settings.opts["file_roots"]["base"] == ["/srv"]
    assert settings.origins["hash_type"].endswith("minion:9")


def test_yaml_that_begins_like_json_is_yaml(directory):
    settings = config.load("minion", directory({"minion": "{id: a, failhard: true}\n"}))

    assert settings.opts["failhard"] is True


def test_the_environment_names_the_directory_and_the_command_line_wins(directory, monkeypatch, tmp_path):
    where = directory({"minion": "id: from-environment\n", "other/minion": "id: from-option\n"})
    monkeypatch.setenv("SALT_G_CONFIG_DIR", where)

    assert config.load("minion").opts["id"] == "from-environment"
    assert config.load("minion", f"{where}/other").opts["id"] == "from-option"


def test_a_directory_that_does_not_exist_is_reported(directory):
    where = f"{directory()}/typo"

    settings = config.load("minion", where, {"id": "a"})

    assert settings.warnings == [f"config directory {where!r} does not exist; correct -c, or create it"]


def test_a_found_id_is_remembered_beside_the_config_file(directory, tmp_path):
    where = directory({"minion": "minion_id_remove_domain: true\n"})
    found = config.load("minion", where)

    config.remember_id(found)

    assert (tmp_path / "minion_id").read_text() == found.opts["id"]
    assert config.load("minion", where).opts["id"] == found.opts["id"]


def test_a_remembered_id_wins_over_the_host_name(directory):
    where = directory({"minion_id": "\ufeffweb7\n"})

    assert config.load("minion", where).opts["id"] == "web7"


def test_a_remembered_id_below_root_dir_is_found(directory):
    where = directory({"minion_id": "", "etc/salt/minion_id": "web8"})

    assert config.load("minion", where, {"root_dir": where}).opts["id"] == "web8"


def test_an_id_from_a_config_is_not_remembered(directory, tmp_path):
    config.remember_id(config.load("minion", directory({"minion": "id: a\n"})))

    assert not (tmp_path / "minion_id").exists()


def test_a_directory_that_cannot_be_written_remembers_nothing(directory):
    where = f"{directory()}/missing"

    config.remember_id(config.load("minion", where))

    assert not os.path.exists(where)


def test_two_loads_share_no_value(directory):
    where = directory({"minion": "id: a\n"})

    config.load("minion", where).opts["grains"]["x"] = 1

    assert config.load("minion", where).opts["grains"] == {}


def test_an_include_of_a_drop_in_file_is_relative_to_that_file(directory):
    where = directory(
        {
            "minion": "id: a\n",
            "minion.d/a.conf": "include: deeper/x\n",
            "minion.d/deeper/x": "failhard: true\n",
        }
    )

    settings = config.load("minion", where)

    assert settings.opts["failhard"] is True
    assert settings.warnings == []


def test_a_setting_of_stock_without_effect_is_reported(directory):
    where = directory({"minion": "id: a\nipc_mode: tcp\ndisable_aes_with_tls: true\n"})

    settings = config.load("minion", where)

    assert settings.warnings == [
        f"{where}/minion:3: disable_aes_with_tls: True has no effect: "
        "messages are always encrypted by the protocol itself"
    ]


class FakePlugins:
    """Returns an id and secrets, and records the id that the function saw."""

    def id_of(self, opts):
        self.seen = dict(opts)
        return "From-Function"

    def look_up(self, uri, opts):
        if uri == "sdb://store/broken":
            raise ConfigError(["the store is closed"])
        return uri.removeprefix("sdb://store/").split(",") if uri.startswith("sdb://store/") else uri


def test_a_function_returns_the_id_when_no_file_has_it(directory):
    plugins = FakePlugins()
    where = directory({"minion": "id_function: my.id\nminion_id_lowercase: true\n"})

    settings = config.load("minion", where, {"root_dir": where}, plugins=plugins)

    assert settings.opts["id"] == "from-function"
    assert plugins.seen["cachedir"].startswith(where)
    assert config.load("minion", where, {"id": "b"}, plugins=plugins).opts["id"] == "b"


def test_values_behind_addresses_are_looked_up_wherever_they_are(directory):
    own = "own: {x: ['sdb://store/1,2', 'sdb://else/x']}\n"
    where = directory({"minion": f"id: a\n{own}hash_type: sdb://store/md5\n"})

    with pytest.raises(ConfigError, match="hash_type must be text"):
        config.load("minion", where, plugins=FakePlugins())
    settings = config.load("minion", where, {"hash_type": "md5"}, plugins=FakePlugins())

    assert settings.opts["own"] == {"x": [["1", "2"], "sdb://else/x"]}


def test_addresses_without_a_value_are_reported_with_their_settings(directory):
    where = directory({"minion": "id: a\nown: {x: [sdb://store/broken]}\nhash_type: sdb://store/broken\n"})

    with pytest.raises(ConfigError) as caught:
        config.load("minion", where, plugins=FakePlugins())

    assert caught.value.problems == [
        f"{where}/minion:2: own: the store is closed",
        f"{where}/minion:3: hash_type: the store is closed",
    ]
