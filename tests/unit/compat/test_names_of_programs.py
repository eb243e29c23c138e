"""Names below `salt.` that programs, log handlers and rosters import; values recorded from stock 3008."""

import importlib
import operator

import pytest

from salt_g.compat import _logging
from salt_g.compat.fileserver import roots
from salt_g.compat.utils.calls import minions
from salt_g.compat.utils.calls.context import NamespacedDictWrapper
from salt_g.compat.utils.host import verify
from salt_g.compat.utils.programs import entrypoints, nacl
from salt_g.compat.utils.values import compat, gzip_util
from salt_g.loader import import_shim


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("salt._compat", "importlib_metadata"),
        ("salt._logging", "LOG_LEVELS"),
        ("salt._logging.handlers", "SysLogHandler"),
        ("salt._logging.impl", "LOG_VALUES_TO_LEVELS"),
        ("salt._logging.mixins", "ExcInfoOnLogLevelFormatMixin"),
        ("salt.ext.ipaddress", "ip_address"),
        ("salt.renderers.gpg", "render"),
        ("salt.utils.datastructures", "HashableOrderedDict"),
        ("salt.utils.event", "MasterEvent"),
        ("salt.utils.roster_matcher", "targets"),
        ("salt.utils.value", "xor"),
    ],
)
def test_a_name_can_be_imported_under_that_of_stock(module, name):
    import_shim.install()

    assert hasattr(importlib.import_module(module), name)


def test_levels_have_the_numbers_of_stock():
    found = map(_logging.get_logging_level_from_string, ("DEBUG", "profile", "nosuch", None))

    assert list(found) == [10, 15, 40, 30]
    assert _logging.SORTED_LEVEL_NAMES[:3] == ["all", "garbage", "trace"]
    assert _logging.LOG_VALUES_TO_LEVELS[5] == "trace"


@pytest.mark.parametrize(
    ("id", "is_valid"),
    [("a", True), ("ü", True), ("a b", True), ("*", True), ("../x", False), ("a/b", False), ("", False),
     ("a\0", False), (None, False)],
)  # fmt: skip
def test_an_id_is_the_name_of_a_file(id, is_valid):
    assert verify.valid_id({}, id) is is_valid


def test_an_odd_number_of_true_values():
    found = [compat.xor(*values) for values in ((1, 1, 1), (1, 0), (1, 1), ())]

    assert found == [True, True, False, False]


def test_a_part_of_a_mapping_is_read_and_written_in_its_place():
    whole = {"a": {"b": {"c": 2}}}
    part = NamespacedDictWrapper(whole, ("a", "b"))

    part["d"] = 3
    del part["c"]

    assert whole == {"a": {"b": {"d": 3}}}
    assert (dict(part.items()), len(part), repr(NamespacedDictWrapper(whole, "a"))) == (
        {"d": 3}, 1, "{'b': {'d': 3}}",
    )  # fmt: skip
    assert isinstance(part, dict)


@pytest.mark.parametrize(
    ("word", "engine", "delimiter", "pattern"),
    [
        ("G@os:x", "G", None, "os:x"),
        ("P%@os:x", "P", "%", "os:x"),
        ("R@%c", "R", None, "%c"),
        ("web1", None, None, "web1"),
        ("P%os:x", None, None, "P%os:x"),
        ("D@c", None, None, "D@c"),
        ("", None, None, ""),
    ],
)
def test_a_word_of_a_compound_target_is_split(word, engine, delimiter, pattern):
    wanted = {"engine": engine, "delimiter": delimiter, "pattern": pattern}

    assert minions.parse_target(word) == wanted


def test_entry_points_name_their_distribution():
    point = next(entrypoints.iter_entry_points("console_scripts", "salt-g"))

    assert entrypoints.name_and_version_from_entry_point(point).name == "salt-g"
    assert list(entrypoints.iter_entry_points("no such group")) == []


def test_plugins_ask_for_pynacl_while_they_are_imported():
    assert nacl.check_requirements() in (True, (False, "PyNaCl is not installed"))


def test_backends_of_users_build_on_that_of_directories(call_context, tmp_path):
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / "d").mkdir()
    call_context(opts={"file_roots": {"base": [str(tmp_path)]}, "hash_type": "md5", "file_buffer_size": 3})
    found, load = roots.find_file("a.txt"), {"saltenv": "base", "path": "a.txt", "loc": 0}

    assert (found["path"], found["rel"]) == (str(tmp_path / "a.txt"), "a.txt")
    assert roots.find_file("../a.txt") == {"path": "", "rel": ""}
    assert roots.serve_file(load, found) == {"data": b"tex", "dest": "a.txt"}
    assert roots.serve_file({**load, "loc": 3}, found)["data"] == b"t"
    assert roots.serve_file(load, {"path": "", "rel": ""}) == {"data": "", "dest": ""}
    assert roots.file_hash(load, found)["hash_type"] == "md5"
    assert (roots.envs(), roots.file_list(load), roots.file_list_emptydirs(load)) == (
        ["base"],
        ["a.txt"],
        ["d"],
    )
    assert roots.file_list({"saltenv": "none"}) == []


def test_the_backend_of_directories_takes_what_stocks_does(call_context, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(name)
    (tmp_path / "one/link").symlink_to("a.txt")
    directories = [str(tmp_path / "one"), str(tmp_path / "two")]
    call_context(opts={"file_roots": {"base": directories}, "hash_type": "md5", "file_buffer_size": 99})
    found, load = roots.find_file("a.txt", index="1"), {"saltenv": "base", "path": "a.txt", "loc": 0}
    packed = roots.serve_file({**load, "gzip": 5}, found)

    assert found["path"] == str(tmp_path / "two/a.txt")
    assert roots.find_file("a.txt", index=7) == {"path": "", "rel": ""}
    assert (gzip_util.uncompress(packed["data"]), packed["gzip"]) == (b"two", 5)
    assert roots.serve_file({"saltenv": "base", "path": "a.txt"}, found) == {"data": "", "dest": ""}
    outside = {"path": "/etc/hostname", "rel": "hostname"}
    assert roots.serve_file(load, outside) == {"data": "", "dest": "hostname"}
    assert roots.serve_file({**load, "saltenv": "none"}, outside) == outside
    assert roots.file_hash({"path": "a.txt"}, found) == ""
    assert roots.symlink_list({"saltenv": "base", "prefix": "/li/"}) == {"link": "a.txt"}
    assert roots.symlink_list({"saltenv": "base", "prefix": "x"}) == {}


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("salt.auth", "LoadAuth"),
        ("salt.cli.batch", "Batch"),
        ("salt.client", "SaltReqTimeoutError"),
        ("salt.client.netapi", "NetapiClient"),
        ("salt.client.ssh", "Single"),
        ("salt.cloud", "SaltCloudSystemExit"),
        ("salt.config", "api_config"),
        ("salt.loader", "LazyLoader"),
        ("salt.netapi", "CLIENTS"),
        ("salt.scripts", "salt_main"),
        ("salt.utils.event", "SaltEvent.unpack"),
        ("salt.utils.gitfs", "AUTH_PARAMS"),
        ("salt.utils.network", "generate_minion_id"),
        ("salt.utils.parsers", "SaltCMDOptionParser"),
        ("salt.utils.pyobjects", "SaltObject"),
        ("salt.utils.templates", "py"),
    ],
)
def test_a_name_of_programs_can_be_imported_under_that_of_stock(module, name):
    import_shim.install()

    assert operator.attrgetter(name)(importlib.import_module(module))


def test_a_backend_of_users_reaches_the_package_through_that_of_directories():
    import_shim.install()

    assert callable(importlib.import_module("salt.fileserver.roots").salt.utils.path.os_walk)


def test_directories_of_programs_are_made(tmp_path):
    verify.verify_env([str(tmp_path / "a/b"), ""], "root")

    assert (tmp_path / "a/b").is_dir()
    assert not verify.check_user("no such user")
