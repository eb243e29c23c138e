"""Names below `salt.` that modules removed from stock use have the values of stock 3008, recorded here."""

import importlib
import io
import os
import sys
import types

import pytest

from salt_g.compat import config, fileserver, loader, minion, output, version
from salt_g.compat.utils.calls import error
from salt_g.compat.utils.host import environment, filebuffer, files, find, path, process, stringio, user
from salt_g.compat.utils.net import cloud, network
from salt_g.compat.utils.net.validate import path as path_checks
from salt_g.compat.utils.programs import (
    aggregation,
    cache,
    color,
    configcomparer,
    doc,
    mattermost,
    namecheap,
    napalm,
    profile,
    pushover,
    sanitizers,
    slack,
    timed_subprocess,
)
from salt_g.compat.utils.programs.lazy import LazyDict
from salt_g.compat.utils.values import data, itertools, odict, timeutil, versions
from salt_g.errors import CommandExecutionError, CommandNotFound, SaltGError
from salt_g.loader import import_shim

Version = version.SaltStackVersion


@pytest.mark.parametrize(
    ("wanted", "present", "merged", "changes"),
    [
        (
            {"a": 1, "b": {"c": 2}},
            {"a": 2, "b": {"c": 2, "d": 3}},
            {"a": 1, "b": {"c": 2, "d": 3}},
            {"a": {"new": 1, "old": 2}},
        ),
        (
            {"l": [1, 2, {"x": 1}]},
            {"l": [1, 3, {"x": 2}]},
            {"l": [1, 2, {"x": 1}]},
            {"l[1]": {"new": 2, "old": 3}, "l[2].x": {"new": 1, "old": 2}},
        ),
        ({"l": [1]}, {"l": [1, 3]}, {"l": [1]}, {"l[1]": {"new": None, "old": 3}}),
        ({"a": []}, {"a": 5}, {"a": []}, {"a": {"new": [], "old": 5}}),
        ({"a": None}, {"b": 1}, {"a": None, "b": 1}, {}),
        ({"a": {"b": 1}}, {"a": {}}, {"a": {"b": 1}}, {"a": {"new": {"b": 1}, "old": {}}}),
        ({"a": 0}, {"a": False}, {"a": 0}, {}),
        ({"a": 1}, {}, {"a": 1}, {"": {"new": {"a": 1}, "old": {}}}),
    ],
)
def test_configurations_are_brought_into_others(wanted, present, merged, changes):
    found = {}

    assert configcomparer.compare_and_update_config(wanted, present, found) == merged
    assert found == changes


@pytest.mark.parametrize(
    ("text", "string", "full_info", "name"),
    [
        ("3006", "3006.0", (3006, 0, "", 0, 0, None), "Sulfur"),
        ("3007.0rc1", "3007.0rc1", (3007, 0, "rc", 1, 0, None), "Chlorine"),
        ("v3006.9-12-gabc1234", "3006.9+12.gabc1234", (3006, 9, "", 0, 12, "gabc1234"), "Sulfur"),
        ("2019.2", "2019.2.0", (2019, 2, 0, 0, "", 0, 0, None), "Fluorine"),
        ("3000", "3000", (3000, "", 0, 0, None), "Neon"),
        ("0.17.5", "0.17.5", (0, 17, 5, 0, "", 0, 0, None), None),
        ("2018.3.0dev", "2018.3.0", (2018, 3, 0, 0, "", 0, 0, None), "Oxygen"),
    ],
)
def test_versions_are_read(text, string, full_info, name):
    read = Version.parse(text)

    assert (str(read), read.full_info, read.name) == (string, full_info, name)


def test_versions_are_in_order_with_texts_and_tuples():
    texts = ("3007.0", "3007.0rc1", "3006.9", "3007.0rc2", "2019.2.1")

    ordered = sorted(map(Version.parse, texts))

    assert list(map(str, ordered)) == ["2019.2.1", "3006.9", "3007.0rc1", "3007.0rc2", "3007.0"]
    assert Version(3006, 1) == (3006, 1)
    assert Version(3006, 1) < "3007"
    assert Version(3006) == Version(3006, 0)
    assert Version.from_name("argon") == Version(3008)
    assert version.SaltVersionsInfo.HELIUM.info == (2014, 7)
    with pytest.raises(ValueError, match="Unable to parse version string: 'x'"):
        Version.parse("x")


def test_values_are_merged_by_mark_or_by_depth():
    merge = aggregation.aggregate
    marked = aggregation.Map({"a": aggregation.Scalar("x")}), aggregation.Map({"a": aggregation.Scalar("y")})

    assert merge("first", "second", True) == ["first", "second"]
    assert merge("a", "b") == "b"
    assert merge({"a": {"x": 1}}, {"a": {"y": 1}}, True) == {"a": {"x": 1, "y": 1}}
    assert merge({"a": {"x": 1}}, {"a": {"y": 1}}, 1) == {"a": {"y": 1}}
    assert merge({"a": [1]}, {"a": [2]}, [True, True]) == {"a": [1, 2]}
    assert merge(*marked) == {"a": ["x", "y"]}


def test_names_are_cleaned():
    assert sanitizers.clean.filename("../a/b.txt") == "b.txt"
    assert sanitizers.clean.hostname("a b;c.d-e_") == "abc.d-e"
    assert sanitizers.mask_args_value("foo: bar\n\npath: /x", "fo*") == "foo: ** hidden **\n\npath: /x"
    with pytest.raises(CommandExecutionError, match="Empty value"):
        sanitizers.clean.id("")


def test_exceptions_are_raised_by_name():
    with pytest.raises(FileNotFoundError):
        error.raise_error("OSError", [2, "x"])
    with pytest.raises(CommandExecutionError, match="boo"):
        error.raise_error("CommandExecutionError", None, "boo")
    with pytest.raises(SaltGError):
        error.raise_error("Nope", ["x"])


def test_windows_of_a_file_overlap(tmp_path):
    large = tmp_path / "x"
    large.write_text("hello\nfoo bar\nbaz\n" * 3)

    with filebuffer.BufferedReader(str(large), 20, 10) as reader:
        windows = list(reader)

    assert windows[:2] == ["hello\nfoo bar\nbaz\nhe", "bar\nbaz\nhello\nfoo ba"]
    assert windows[-1] == "o\nfoo bar\nbaz\n"
    with pytest.raises(filebuffer.InvalidFileMode):
        filebuffer.BufferedReader(str(large), mode="w")


def test_files_are_found_by_the_function_of_the_call(call_context):
    seen = []

    def file_find(where, **options):
        seen.append((where, options))
        return "error: invalid option" if "bogus" in options else [where]

    call_context(functions={"file.find": file_find})
    assert list(find.Finder({"name": "*.txt"}).find("/srv")) == ["/srv"]
    assert seen[-1] == ("/srv", {"name": "*.txt"})
    with pytest.raises(ValueError, match="invalid option"):
        find.Finder({"bogus": 1})


def test_variables_for_a_module_come_from_the_settings():
    declared = {"modules": {"pkg": {"_": {"A": "1"}, "install": {"B": 2}}}}
    module = {"__opts__": {"system-environment": declared}, "__virtualname__": "pkg"}
    module |= {"__file__": "/x/modules/aptpkg.py"}

    assert environment.get_module_environment(module, "install") == {"A": "1", "B": 2}
    assert environment.get_module_environment(module, "remove") == {"A": "1"}
    assert environment.get_module_environment({}) == {}


def test_lists_of_files_are_kept_for_a_time(tmp_path):
    kept, lock = str(tmp_path / "lists" / "base.p"), str(tmp_path / "lists" / ".base.w")
    opts = {"fileserver_list_cache_time": 20}

    assert fileserver.check_file_list_cache(opts, "files", kept, lock) == (None, True, True)
    assert os.path.exists(lock)
    fileserver.write_file_list_cache(opts, {"files": ["a"], "links": {}}, kept, lock)
    assert not os.path.exists(lock)
    assert fileserver.check_file_list_cache(opts, "files", kept, lock) == (["a"], False, False)
    assert fileserver.check_file_list_cache(opts, "bogus", kept, lock) == ([], False, False)
    os.utime(kept, (1, 1))
    assert fileserver.check_file_list_cache(opts, "files", kept, lock) == (None, True, True)


def test_hashes_of_files_that_are_gone_are_removed(tmp_path):
    base = tmp_path / "base"
    (base / "sub").mkdir(parents=True)
    for name in ("k.hash.sha256", "gone.hash.sha256", "sub/gone.hash.md5", "other"):
        (base / name).touch()

    def find_file(name, saltenv):
        return {"path": "" if "gone" in name else f"/srv/{saltenv}/{name}"}

    fileserver.reap_fileserver_cache_dir(str(tmp_path), find_file)

    assert sorted(each.name for each in base.rglob("*") if each.is_file()) == ["k.hash.sha256", "other"]


def test_times_of_files_are_listed_but_for_ignored_ones(tmp_path):
    (tmp_path / "a").touch()
    (tmp_path / "b.swp").touch()
    os.utime(tmp_path / "a", (5, 5))

    found = fileserver.generate_mtime_map({"file_ignore_glob": ["*.swp"]}, {"base": [str(tmp_path)]})

    assert found == {str(tmp_path / "a"): 5}


def test_entries_last_for_their_time(tmp_path):
    lasting, old = cache.CacheDict(60, a=1), cache.CacheDict(-1, a=1)
    cache.CacheDisk(60, str(tmp_path / "kept"))["a"] = {"x": 1}

    assert lasting["a"] == 1
    assert "a" not in old
    assert old.get("a") is None
    assert cache.CacheDisk(60, str(tmp_path / "kept"))["a"] == {"x": 1}
    assert "a" not in cache.CacheDisk(-1, str(tmp_path / "kept"))
    assert type(cache.CacheFactory.factory("memory", 5)) is cache.CacheDict


def test_processes_are_known(tmp_path):
    pidfile, claimed = str(tmp_path / "run" / "x.pid"), str(tmp_path / "claim")
    process.set_pidfile(pidfile, user.get_user())

    assert process.get_pidfile(pidfile) == os.getpid()
    assert process.get_pidfile(str(tmp_path / "none")) == -1
    assert process.os_is_running(os.getpid())
    assert not process.os_is_running(2**22 + 1)
    assert process.get_process_info()["pid"] == os.getpid()
    assert process.claim_mantle_of_responsibility(claimed)
    assert process.check_mantle_of_responsibility(claimed) == os.getpid()
    with pytest.raises(CommandExecutionError, match="an engine runs beside"):
        process.SignalHandlingProcess(target=print)


def test_a_program_ends_after_its_limit():
    program = [sys.executable, "-c", "print(input())"]
    done = timed_subprocess.TimedProc(program, stdin="x", stdout=-1, stderr=-1)

    assert (done.run(), done.stdout) == (0, b"x\n")
    with pytest.raises(SaltGError, match="Timed out after 0.1 seconds"):
        timed_subprocess.TimedProc(["sleep", "60"], timeout=0.1).run()


def test_requests_to_services_are_those_of_stock(call_context):
    sent = []

    def http_query(url, **how):
        sent.append((url, how["method"]))
        return {"dict": {"ok": True, "status": 1, "sounds": {"bike": "b"}, "channels": ["c"]}}

    call_context(functions={"http.query": http_query})
    assert slack.query("rooms", "KEY") == {"message": ["c"], "res": True}
    posted = mattermost.query("HOOK", "http://x", "d")
    assert posted == {"message": "Message posted d correctly", "res": True}
    assert pushover.validate_sound("bike", "T") == {"message": "Valid sound bike.", "res": True}
    assert pushover.validate_sound("zz", "T")["res"] is False
    assert pushover.validate_user("u", "", "T") == {"message": "User key is valid.", "result": True}
    assert sent[:3] == [
        ("https://slack.com/api/conversations.list", "GET"),
        ("http://x/hooks/HOOK", "POST"),
        ("https://api.pushover.net/1/sounds.json", "GET"),
    ]


def test_answers_of_namecheap_are_read(call_context):
    answer = '<?xml version="1.0"?><ApiResponse Status="OK"><A B="true" C="5"/><D>x</D></ApiResponse>'

    call_context(functions={"http.query": lambda *a, **k: {"text": answer}, "config.get": lambda name: name})
    found = namecheap.get_request(namecheap.get_opts("x"))

    assert namecheap.xml_to_dict(found) == {"Status": "OK", "A": {"B": True, "C": 5}, "D": "x"}


def test_values_in_memory_have_stocks_form():
    other = data.CaseInsensitiveDict({"Foo": 1, 2: 3})

    assert other["foo"] == 1
    assert other == data.CaseInsensitiveDict({"fOO": 1, 2: 3})
    assert list(other) == ["Foo", 2]
    assert data.simple_types_filter({"b": [1, (2, 3), {4}], 3: None}) == {"b": [1, (2, 3), "{4}"], 3: None}
    assert itertools.fnmatch_multiple([1, "b1"], "b*") == "b1"
    assert itertools.fnmatch_multiple(None, "b") is None
    assert list(itertools.read_file(io.StringIO("abcdefg"), 3)) == ["abc", "def", "g"]
    assert timeutil.utcfromtimestamp(0).isoformat() == "1970-01-01T00:00:00"
    assert versions.check_boto_reqs(check_boto=False, check_boto3=False) is True
    assert versions.check_boto_reqs(boto_ver="9999")[0] is False
    assert stringio.is_readable(io.StringIO())
    assert not stringio.is_stringio(io.BytesIO())
    assert odict.DefaultOrderedDict(list)["a"] == []
    assert files.HASHES_REVMAP[64] == "sha256"
    assert doc.parse_docstring("x\n\n    :depends: - p1\n              - p2\n")["deps"] == ["p1", "p2"]


def test_paths_and_users_have_stocks_values(tmp_path, monkeypatch):
    monkeypatch.setenv("FOOX", "/a")
    monkeypatch.setenv("SUDO_USER", "joe")
    monkeypatch.setattr(user, "get_user", lambda: "root")

    assert path.expand("$FOOX/b/../c") == "/a/c"
    assert path.sanitize_win_path("a:b*?") == "a_b__"
    with pytest.raises(CommandNotFound, match="'nosuchx' is not in the path"):
        path.check_or_die("nosuchx")
    assert user.get_specific_user() == "sudo_joe"
    assert user.get_group_dict("nosuch") == {}
    assert path_checks.is_writeable(str(tmp_path / "new"), True)


def test_addresses_and_outputs_have_stocks_values():
    assert network.natural_ipv4_netmask("172.16.0.1") == "/16"
    assert network.get_net_size("255.255.255.0") == 24
    assert network.rpad_ipv4_network("10.1") == "10.1.0.0"
    assert color.get_colors()["RED"] == "\033[0;31m"
    assert color.get_colors(False)["RED"] == ""
    assert output.strip_esc_sequence("a\x1b[1mb") == "a?[1mb"
    assert output.html_format({"a": 1}, "nested") == "a:<br />&nbsp;&nbsp;&nbsp;&nbsp;1"
    assert minion.master_event("alive", "m1") == "__master_alive_m1"
    with pytest.raises(SaltGError, match="a-b contains characters"):
        cloud.check_name("a-b", "a-z")


def test_defaults_and_files_of_settings_are_read(tmp_path):
    (tmp_path / "master").write_text("a: {b: 1}\n")
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "x.conf").write_text("a: {c: 2}\n")

    assert config.DEFAULT_MINION_OPTS["master_port"] == 4506
    assert config.DEFAULT_MASTER_OPTS["ret_port"] == 4506
    assert config.load_config(str(tmp_path / "master"), "NO_SUCH") == {"a": {"b": 1}}
    assert config.include_config("d/*.conf", str(tmp_path / "master")) == {"a": {"c": 2}}
    with pytest.raises(AttributeError):
        config.DEFAULT_NOTHING_OPTS  # noqa: B018


def test_a_lazy_dict_loads_what_is_asked_for():
    class Squares(LazyDict):
        def _load(self, key):
            self._dict[key] = key * key
            return True

        def _load_all(self):
            self.loaded = True

    squares = Squares()

    assert squares[3] == 9
    assert list(squares) == [3]


def test_a_copy_of_a_file_has_its_time_in_its_name(tmp_path):
    source = tmp_path / "a"
    source.write_text("x")

    files.backup_minion(str(source), str(tmp_path / "kept"))

    (copy,) = (tmp_path / "kept").rglob("a_*")
    assert copy.read_text() == "x"


def test_a_profile_is_written(tmp_path):
    measured = profile.activate_profile()

    assert os.path.exists(str(profile.output_profile(measured, str(tmp_path))))
    assert profile.activate_profile(False) is None


def test_kinds_that_are_not_loaded_have_empty_tables():
    assert loader.queues({}) == {}


class Device:
    """A driver of the library napalm."""

    def __init__(self, host, user, password, timeout, optional_args):
        self.calls = []

    def open(self):
        self.calls.append("open")

    def close(self):
        self.calls.append("close")

    def cli(self, commands):
        return commands

    def facts(self):
        raise NotImplementedError


@pytest.fixture
def devices(monkeypatch):
    """Provide a library napalm with one driver."""
    monkeypatch.setattr(napalm, "HAS_NAPALM", True)
    library = types.SimpleNamespace(get_network_driver=lambda name: Device)
    monkeypatch.setattr(napalm, "napalm", library, raising=False)


def test_devices_of_a_minion_are_called(devices):
    opts = {"napalm": {"hostname": "h", "user": "u", "os": "junos"}}
    device = napalm.get_device(opts)

    assert napalm.virtual(opts, "net", "/x") == "net"
    assert napalm.virtual({}, "net", "/x")[0] is False
    assert (device["HOSTNAME"], device["DRIVER_NAME"], device["TIMEOUT"]) == ("h", "junos", 60)
    assert napalm.call(device, "cli", commands=["a"], none=None)["out"] == ["a"]
    assert napalm.call(device, "facts")["comment"] == "facts is not implemented for the NAPALM junos driver!"
    assert "Reason: not connected!" in napalm.call({}, "cli")["comment"]


def test_a_decorated_function_has_a_device_of_its_own(devices):
    names = {"__opts__": {"napalm": {"host": "h", "driver": "eos"}}, "wrap": napalm.proxy_napalm_wrap}
    exec("@wrap\ndef f(a): return a, napalm_device['DRIVER'].calls[:]", names)

    assert names["f"](1) == (1, ["open"])
    assert names["napalm_device"]["DRIVER"].calls == ["open", "close"]


def test_results_of_a_loaded_configuration_are_those_of_stock():
    loaded = {"result": True, "comment": "c", "diff": "+a", "already_configured": False}
    ret = napalm.default_ret("n")

    assert napalm.loaded_ret(ret, loaded, True, False)["result"] is None
    done = napalm.loaded_ret(ret, loaded, False, False)
    assert (done["comment"], done["changes"]) == ("Configuration changed!\nc", {"diff": "+a"})
    assert napalm.loaded_ret(ret, {**loaded, "result": False}, False, False)["comment"].endswith("+a")


def test_unsupported_modules_can_be_imported_and_name_the_alternative():
    import_shim.install()
    lacking = ("cloud", "utils.openstack.nova", "utils.kickstart", "utils.vt_helper", "utils.etcd_util")

    for name in lacking:
        importlib.import_module(f"salt.{name}")
    with pytest.raises(CommandExecutionError, match="create machines with the tools"):
        importlib.import_module("salt.cloud").CloudClient()
    assert importlib.import_module("salt.states.git")._fail({}, "m", ["a", "b"]) == {
        "result": False,
        "comment": "m\n\nChanges already made: a. b.",
    }
    assert importlib.import_module("salt.output.table_out").output([{"a": 1}])
