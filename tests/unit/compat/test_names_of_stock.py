"""Names below `salt.` that extensions import behave as in stock 3008, whose values are recorded here."""

import contextlib
import datetime

import pytest

from salt_g.compat import defaults, payload, serializers, state
from salt_g.compat.client.ssh.state import prep_trans_tar
from salt_g.compat.pillar.sql_base import SqlBaseExtPillar
from salt_g.compat.utils.calls import args, beacons, decorators, functools, jid, job
from salt_g.compat.utils.calls.decorators import path as path_decorators
from salt_g.compat.utils.host import atomicfile, files, fsutils
from salt_g.compat.utils.net.validate import net
from salt_g.compat.utils.values import (
    data,
    dateutils,
    dictdiffer,
    dictupdate,
    immutabletypes,
    json,
    stringutils,
    timeutil,
    versions,
)
from salt_g.errors import CommandExecutionError, CommandNotFound, InvocationError
from salt_g.stock_errors import FileLockError

OLD = {"a": 1, "b": {"c": 2, "d": 3}, "l": ["1", "2"], "x": {"y": {"z": 1}}}
NEW = {"a": 2, "b": {"c": 2, "e": 4}, "l": ["1", "3"], "n": 5, "x": {"y": {"z": 1}}}
NONE = "<_null_>"


def test_differences_at_every_depth_are_stocks():
    found = dictdiffer.recursive_diff(OLD, NEW)

    assert (found.added(), found.removed()) == (["b.e", "n"], [])
    assert (found.changed(), found.unchanged()) == (["a", "l"], ["b.c", "x"])
    assert found.old_values == {"a": 1, "b": {"e": NONE}, "l": ["1", "2"], "n": NONE}
    assert found.new_values == {"a": 2, "b": {"e": 4}, "l": ["1", "3"], "n": 5}
    assert found.changes_str.splitlines() == [
        "a from 1 to 2",
        "b:",
        "  e from nothing to 4",
        "l from '1, 2' to '1, 3'",
        "n from nothing to 5",
    ]


def test_missing_keys_count_when_asked_for():
    found = dictdiffer.recursive_diff(OLD, NEW, ignore_missing_keys=False)

    assert (found.removed(), found.diffs["b"]["d"]) == (["b.d"], {"new": NONE, "old": 3})
    found.ignore_unset_values = False
    assert found.changed() == ["a", "b.d", "b.e", "l", "n"]


def test_a_deep_difference_has_both_sides():
    assert dictdiffer.deep_diff(OLD, NEW, ignore=["a"]) == {
        "old": {"b": {"d": 3}, "l": ["1", "2"]},
        "new": {"b": {"e": 4}, "l": ["1", "3"], "n": 5},
    }
    assert dictdiffer.deep_diff(OLD, OLD) == {}


@pytest.mark.parametrize(
    ("one", "other", "order"),
    [
        ("1.0", "1.0", 0),
        ("1.2", "1.10", -1),
        ("1.0rc1", "1.0", 1),
        ("2:1.0", "1.1", 1),
        ("1.0-1", "1.0", 1),
        ("1.0a", "1.0b", -1),
        ("a", "1", 1),
        ("x.y", "1.2", 1),
    ],
)
def test_versions_compare_as_in_stock(one, other, order):
    assert versions.version_cmp(one, other) == order


def test_versions_of_distributions_know_releases_and_loose_ones_texts():
    assert versions.Version("1.0rc1") < "1.0" == versions.Version("1.0.0") < versions.Version("1.0.post1")
    assert versions.LooseVersion("1.2") < "1.10"
    assert versions.compare("1", ">=", "1")
    assert not versions.compare("1", "=", "1")
    assert versions.version_cmp("2:1.0", "1.1", ignore_epoch=True) == -1


class Rows(SqlBaseExtPillar):
    """Source whose database answers each query with the same rows."""

    def __init__(self, rows, columns):
        self.rows, self.description, self.queries = rows, [(column,) for column in columns], []

    @classmethod
    def _db_name(cls):
        return "rows"

    @contextlib.contextmanager
    def _get_cursor(self):
        yield self

    def execute(self, query, parameters):
        self.queries.append((query, parameters))

    def fetchall(self):
        return self.rows


THREE = ([("a", "b", 1), ("a", "c", 2), ("d", "e", 3)], ["k1", "k2", "v"])
TWO = ([("a", 1), ("a", 2)], ["k", "v"])
FOUR = ([("a", "x", "p", 1), ("a", "y", "q", 2), ("a", "x", "p", 3)], ["k", "k2", "k3", "v"])


@pytest.mark.parametrize(
    ("rows", "given", "pillar"),
    [
        (THREE, "q", {"a": {"b": 1, "c": 2}, "d": {"e": 3}}),
        (THREE, {"query": "q", "depth": 1}, {"a": {"k2": "c", "v": 2}, "d": {"k2": "e", "v": 3}}),
        (THREE, ["q", 1], {"a": {"k2": "c", "v": 2}, "d": {"k2": "e", "v": 3}}),
        (TWO, "q", {"a": 2}),
        (TWO, {"query": "q", "as_list": True}, {"a": [1, 2]}),
        (([("a",), ("b",)], ["k"]), "q", {"a": "a", "b": "b"}),
        (([("a", None), ("b", 2)], ["k", "v"]), {"query": "q", "ignore_null": True}, {"b": 2}),
        (([('{"x": 1}',)], ["v"]), {"query": "q", "as_json": True}, {"x": 1}),
        (FOUR, {"query": "q", "with_lists": "1"}, {"a": [{"p": 3}, {"q": 2}]}),
        (FOUR, {"query": "q", "with_lists": "1,2"}, {"a": [[3], [2]]}),
        (FOUR, {"query": "q", "with_lists": [1, 3]}, {"a": [{"p": [1, 3]}, {"q": [2]}]}),
        (
            FOUR,
            {"query": "q", "depth": 2, "as_list": True},
            {"a": {"x": {"k3": ["p", "p"], "v": [1, 3]}, "y": {"k3": "q", "v": 2}}},
        ),
    ],
)
def test_rows_become_pillar_as_in_stock(rows, given, pillar):
    source = Rows(*rows)

    assert source.fetch("web1", {}, given) == pillar
    assert source.fetch("web1", {}, below=given) == {"below": pillar}
    assert source.queries[0] == ("q", ("web1",))


def test_jobs_and_job_ids_have_stocks_shapes():
    call = {"fun": "test.ping", "arg": [1], "tgt": "*", "tgt_type": "glob", "user": "root"}

    assert jid.format_jid_instance("20200102030405678901", call) == {
        "Function": "test.ping",
        "Arguments": [1],
        "Target": "*",
        "Target-type": "glob",
        "User": "root",
        "StartTime": "2020, Jan 02 03:04:05.678901",
    }
    assert jid.jid_dir("20200102030405678901", hash_type="md5") == "f5/28d215fea5bb6fccb7cbf387d2098b"
    assert (job.get_keep_jobs_seconds({"keep_jobs_seconds": 86400}), job.get_retcode({"retcode": "3"})) == (
        86400,
        3,
    )


def test_packed_data_comes_back():
    assert payload.loads(payload.dumps({"a": [1, "ä", None]})) == {"a": [1, "ä", None]}


def test_small_functions_return_what_stocks_do():
    assert args.split_input("a, b,c", mapper=str.upper) == ["A", "B", "C"]
    assert [stringutils.to_num(text) for text in ("5", "1.5", "x")] == [5, 1.5, "x"]
    assert [data.is_iter(value) for value in ("a", b"", [], {}, 1)] == [False, True, True, True, False]
    assert [data.is_dictlist(value) for value in ([{"a": 1}], ["a"], [{"a": 1, "b": 2}], "")] == [
        True
    ] + 3 * [False]
    assert json.find_json('junk\n{"a": 1}\nmore') == {"a": 1}
    assert dictupdate.append_dict_key_value({}, "a:b", 1) == {"a": {"b": [1]}}
    assert beacons.list_to_dict([{"a": 1}, {"b": 2}]) == {"a": 1, "b": 2}
    assert beacons.remove_hidden_options([{"_a": 1}, {"_b": 2}, {"c": 3}], ["_a"]) == [{"_a": 1}, {"c": 3}]
    assert [timeutil.timestring_map(text) for text in ("60m", "5", "1.5h", None)] == [
        3600.0,
        5.0,
        5400.0,
        None,
    ]
    assert dateutils.strftime("2002-12-25", "%d.%m.%Y") == "25.12.2002"
    assert dateutils.total_seconds(datetime.timedelta(days=1)) == 86400.0
    assert (net.mac("00:11:22:33:44:55"), net.netmask("255.255.255.0"), net.ipv6_addr("::1")) == (
        True,
        True,
        True,
    )
    assert not net.ip_addr("x")


def test_invalid_keywords_are_named():
    with pytest.raises(InvocationError, match="not valid: a=1, b=2"):
        args.invalid_kwargs({"a": 1, "b": 2})


def test_block_devices_are_read_from_blkid():
    text = "UUID=x\nDEVNAME=/dev/a\nTYPE=btrfs\n\nDEVNAME=/dev/b\nTYPE=ext4\nLABEL=q\n"

    assert fsutils._blkid_output(text, fs_type="btrfs") == {"/dev/a": {"uuid": "x"}}
    assert fsutils._blkid_output(text)["/dev/b"] == {"type": "ext4", "label": "q"}
    with pytest.raises(CommandExecutionError, match="bad"):
        fsutils._verify_run({"retcode": 1, "stderr": "bad"})


def test_frozen_data_cannot_be_changed_and_its_copy_can():
    frozen = immutabletypes.freeze({"a": [1], "b": {"c": 1}})

    assert (frozen["a"], frozen["b"]) == ([1], {"c": 1})
    with pytest.raises(TypeError):
        frozen["b"]["c"] = 2
    frozen.copy()["b"]["c"] = 2
    assert frozen["b"]["c"] == 1


def test_a_lock_file_keeps_others_out_and_goes(tmp_path):
    lock = tmp_path / "lock"

    with files.wait_lock(str(tmp_path / "f"), lock_fn=str(lock)):
        with pytest.raises(FileLockError), files.wait_lock("f", lock_fn=str(lock), timeout=0):
            pass
        assert lock.exists()
    assert not lock.exists()


def test_a_file_is_replaced_as_a_whole(tmp_path):
    path = tmp_path / "f"
    atomicfile.safe_atomic_write(str(path), "one")
    with contextlib.suppress(ZeroDivisionError), atomicfile.atomic_open(str(path)) as file:
        file.write("two")
        raise ZeroDivisionError
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("one", 0o600)

    with atomicfile.atomic_open(str(path)) as file:
        file.write("two")

    assert path.read_text() == "two"


def test_decorators_keep_results_and_check_arguments_and_programs():
    calls = []
    kept = decorators.memoize(lambda number: calls.append(number) or number)
    one_of = decorators.require_one_of("a", "b")(lambda a=None, b=None: a or b)

    assert [kept(1), kept(1), one_of(a=3), calls] == [1, 1, 3, [1]]
    with pytest.raises(InvocationError, match="exactly one of: a, b"):
        one_of(a=1, b=2)
    with pytest.raises(CommandNotFound, match="no-such-program"):
        path_decorators.which("no-such-program")(lambda: 1)()


def test_a_function_is_copied_into_another_module():
    def reads():
        return BORROWED  # noqa: F821

    assert functools.namespaced_function(reads, {"BORROWED": 5})() == 5
    assert functools.alias_function(reads, "other").__name__ == "other"


def test_constants_and_formats_are_there():
    assert repr(defaults.NOT_SET) == "<Constant.NOT_SET>"
    assert {"__sls__", "require_in", "parallel", "__pub_jid"} <= state.STATE_INTERNAL_KEYWORDS
    read, write = serializers.of_format("json")
    assert read(write({"a": 1})) == {"a": 1}
    with pytest.raises(serializers.DeserializationError):
        read("{")


def test_an_unsupported_function_raises_when_called():
    with pytest.raises(
        CommandExecutionError, match="prep_trans_tar is not available under salt-g: apply states"
    ):
        prep_trans_tar()
