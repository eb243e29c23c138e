"""The chain of decisions: continued over restarts and files, with every change of it detected."""

import hashlib
import json
import os
import signal
import subprocess
import sys

import pytest

from salt_g.errors import ConfigError
from salt_g.telemetry.audit_chain import MAX_VALUE, START, AuditChain, check_path, verify

FILES = 3


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "log" / "audit.log")


def chain(path, max_bytes=100_000):
    return AuditChain(path, max_bytes=max_bytes, files=FILES)


def write(path, count, first=1, **more):
    one = chain(path, **more)
    for number in range(first, first + count):
        one.write({"what": "publish", "user": f"ann {number}", "verdict": "allowed"})
    one.close()


def cuts(path, **more):
    return verify(path, files=FILES, **more).cuts


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def edit(path, change):
    lines = lines_of(path)
    change(lines)
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(f"{line}\n" for line in lines))


def test_lines_are_json_numbered_from_one_each_with_the_hash_before(path):
    write(path, 2)

    lines = [json.loads(line) for line in lines_of(path)]
    assert [line["n"] for line in lines] == [1, 2]
    assert lines[0]["prev"] == START != lines[1]["prev"]
    assert (lines[1]["user"], lines[1]["time"][-1]) == ("ann 2", "Z")
    assert os.stat(path).st_mode & 0o777 == 0o600


def test_a_restart_goes_on(path):
    for first in (1, 4, 7):
        write(path, 3, first)

    found = verify(path, files=FILES)
    assert (found.lines, found.first, found.cuts) == (9, 1, [])
    assert found.newest.startswith("9:")


def test_rotation_keeps_the_chain_and_bounds_the_files(path):
    write(path, 40, max_bytes=1000)

    found = verify(path, files=FILES)
    assert (found.files, found.cuts) == (FILES, [])
    assert found.first > 1 and found.newest.startswith("40:")
    assert all(os.path.getsize(f"{path}{end}") <= 1000 for end in ("", ".1", ".2"))
    assert not os.path.exists(f"{path}.3")


def test_a_restart_after_a_rotation_goes_on(path):
    write(path, 40, max_bytes=1000)
    os.truncate(path, 0)
    write(path, 1, 99)

    # The lines of the emptied file are what is missing, and nothing else is.
    assert len(cuts(path)) <= 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda lines: lines.__setitem__(1, lines[1].replace("ann 2", "bob 2")),
            "line 2 before it was changed",
        ),
        (lambda lines: lines.pop(2), "line 3 of the chain is missing"),
        (lambda lines: lines.__delitem__(slice(1, 4)), "line 2 to 4 of the chain is missing"),
        (lambda lines: lines.insert(2, lines[0]), "a line that does not belong to the chain was inserted"),
        (lambda lines: lines.__setitem__(2, "x"), "not a complete line of the chain"),
        (lambda lines: lines.pop(0), "line 1 of the chain is missing"),
    ],
)
def test_each_change_is_named_with_its_place(path, change, words):
    write(path, 6)
    edit(path, change)

    found = cuts(path)

    assert any(words in cut for cut in found), found
    assert found[0].startswith(f"{path}:")


def test_a_removed_file_is_a_cut(path):
    write(path, 40, max_bytes=1000)
    os.unlink(f"{path}.1")

    assert "is missing" in cuts(path)[0]


def test_lines_cut_off_at_the_end_are_found_by_an_earlier_head(path):
    write(path, 6)
    head = verify(path, files=FILES).newest
    write(path, 2, 7)
    assert cuts(path, head=head) == []

    edit(path, lambda lines: lines.__delitem__(slice(5, None)))

    assert cuts(path) == []
    assert cuts(path, head=head) == ["line 6 of the earlier verification is not in the chain"]


def test_a_line_that_was_cut_off_while_it_was_written_stays_as_a_cut(path):
    write(path, 3)
    with open(path, "r+b") as file:
        file.truncate(os.path.getsize(path) - 20)

    write(path, 2, 4)

    found = verify(path, files=FILES)
    assert len(found.cuts) == 1 and ":3: not a complete line" in found.cuts[0]
    assert found.newest.startswith("5:")


def test_decisions_that_could_not_be_written_are_counted_in_the_next_line(path, tmp_path, caplog):
    (tmp_path / "log").write_text("no directory")
    one = chain(path)
    for _ in range(2):
        one.write({"what": "publish"})
    (tmp_path / "log").unlink()

    one.write({"what": "publish"})
    one.close()

    assert "cannot be written" in caplog.text
    assert ["2 decisions before it could not be written" in cut for cut in cuts(path)] == [True]


def test_a_decision_does_not_forge_the_fields_of_the_chain(path):
    one = chain(path)
    for _ in range(2):
        one.write({"n": 7, "prev": "x", "time": "y", "lost": 3, "what": "publish"})
    one.close()

    assert verify(path, files=FILES).newest.startswith("2:")
    assert cuts(path) == []


def test_long_values_are_cut(path):
    one = chain(path)
    one.write({"tgt": "x" * (MAX_VALUE + 1), "list": ["y" * MAX_VALUE]})
    one.close()

    (line,) = lines_of(path)
    assert len(line) < 3 * MAX_VALUE and f"({MAX_VALUE + 1} characters)" in json.loads(line)["tgt"]


def test_a_writer_killed_at_any_moment_leaves_a_chain_that_holds(path):
    program = (
        "import sys\nfrom salt_g.telemetry.audit_chain import AuditChain\n"
        f"chain = AuditChain({path!r}, max_bytes=3000, files={FILES})\nprint(flush=True)\n"
        "while True:\n    chain.write({'what': 'publish', 'user': 'ann'})\n"
    )
    for _ in range(5):
        writer = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
        writer.stdout.readline()
        os.kill(writer.pid, signal.SIGKILL)
        writer.communicate(timeout=30)
        assert cuts(path) == []


def test_a_second_writer_of_the_same_file_is_refused(path):
    first, second = chain(path, max_bytes=300), chain(path)
    first.claim()

    with pytest.raises(ConfigError, match="another process writes to it; give each master its own file"):
        second.claim()

    # Also while the first one goes on to other files; what the second one decides is reported as lost.
    for _ in range(5):
        first.write({"what": "publish"})
        second.write({"what": "runner"})
    assert cuts(path) == []
    first.close()
    second.write({"what": "runner"})
    second.close()
    assert ["5 decisions before it could not be written" in cut for cut in cuts(path)] == [True]


def test_a_log_that_cannot_be_opened_ends_the_start(path, tmp_path):
    for problem in (claim_below_a_file, claim_a_directory):
        with pytest.raises(ConfigError, match="cannot be opened, so decisions would not be recorded"):
            problem(path, tmp_path)


def claim_below_a_file(path, tmp_path):
    (tmp_path / "file").write_text("no directory")
    chain(str(tmp_path / "file" / "audit.log")).claim()


def claim_a_directory(path, tmp_path):
    os.makedirs(path)
    chain(path).claim()


def test_a_full_disk_does_not_end_the_start(caplog):
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    one = chain("/dev/full")

    one.claim()
    one.write({"what": "publish"})
    one.close()

    assert "a decision cannot be written" in caplog.text


@pytest.mark.parametrize("end", ["", "/audit.log", "/more/audit.log"])
def test_a_path_that_can_be_opened_is_no_problem_and_stays_as_it_is(tmp_path, end):
    path = f"{tmp_path}/log{end}"

    check_path(path)

    assert os.listdir(tmp_path) == []


def test_a_path_that_no_master_can_open_is_named(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(ConfigError, match="Is a directory"):
        check_path(str(tmp_path))
    with pytest.raises(ConfigError, match="file is not a directory"):
        check_path(f"{tmp_path}/file/more/audit.log")


def test_an_absent_log_has_no_files(path):
    assert verify(path, files=FILES).files == 0


def nested(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "tgt", [{b"\xff": 1}, [{b"a": 1}], nested(250), {"a": b"\xff"}, "\udcff", float("nan")]
)
def test_a_refused_user_cannot_keep_a_decision_out(path, tgt):
    one = chain(path)
    one.write({"what": "publish", "tgt": tgt, "verdict": "refused"})
    one.close()

    assert json.loads(lines_of(path)[0])["verdict"] == "refused"
    assert cuts(path) == []


def test_a_refused_user_cannot_cut_the_chain_by_long_lines(path):
    long = "\U0001f600" * 100_000
    names = ("user", "fun", "tgt", "tgt_type", "reason", "from")
    write(path, 1)
    one = chain(path, max_bytes=10_000_000)
    one.write({**dict.fromkeys(names, long), "what": "publish", "list": [long]})
    one.close()
    write(path, 1)

    assert cuts(path) == []
    assert [json.loads(line)["n"] for line in lines_of(path)] == [1, 2, 3]


@pytest.mark.parametrize("line", ['{"n": 1e999, "prev": "x"}', "[" * 100_000])
def test_a_forged_line_counts_as_a_cut(path, line):
    write(path, 1)
    edit(path, lambda lines: lines.append(line))

    assert "not a complete line of the chain" in cuts(path)[0]
    write(path, 1)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_link_of_another_user_is_not_followed(path, tmp_path):
    directory = os.path.dirname(path)
    os.makedirs(directory)
    (tmp_path / "victim").write_text("")
    os.symlink(tmp_path / "victim", path)
    os.chown(path, 1, 1, follow_symlinks=False)
    os.chown(directory, 1, 1)

    write(path, 1)

    assert (tmp_path / "victim").read_text() == ""


def test_a_file_that_is_removed_while_it_is_written_shows_as_a_cut(path):
    one = chain(path)
    for number in range(3):
        one.write({"what": "publish", "user": str(number)})
    os.unlink(path)

    one.write({"what": "publish", "user": "after"})
    one.write({"what": "publish", "user": "after"})
    one.close()

    assert [json.loads(line)["n"] for line in lines_of(path)] == [4, 5]
    assert cuts(path) == [f"{path}:1: line 1 to 3 of the chain is missing"]


def test_a_file_that_another_program_rotates_goes_on_in_the_next(path):
    one = chain(path)
    one.write({"what": "publish"})
    os.rename(path, f"{path}.1")

    one.write({"what": "publish"})
    one.close()

    assert cuts(path) == []
    assert len(lines_of(path)) == 1


def test_a_chain_that_is_put_in_the_place_of_the_file_does_not_hold(path):
    write(path, 3)
    one = chain(path)
    one.write({"what": "publish"})
    os.unlink(path)
    write(path, 2)

    one.write({"what": "publish", "user": "after"})
    one.close()

    assert cuts(path) == [f"{path}:3: line 3 to 4 of the chain is missing"]


def test_a_head_in_a_removed_file_is_reported_and_the_last_one_of_it_counts(path):
    write(path, 40, max_bytes=1000)
    found = verify(path, files=FILES)
    with open(f"{path}.2", encoding="utf-8") as file:
        before = f"{found.first - 1}:{json.loads(file.readline())['prev']}"

    assert cuts(path, head=before) == []
    (old,) = cuts(path, head=f"1:{'a' * 64}")
    assert "removed" in old and "audit_log_files" in old


def forged(lines, number, after):
    """Return a line with any number that claims to follow the line at an index."""
    prev = hashlib.sha256(lines[after].encode()).hexdigest()
    return json.dumps({"n": number, "prev": prev, "what": "publish"})


INSERTED = "a line that does not belong to the chain was inserted"


@pytest.mark.parametrize(
    ("place", "made"),
    [
        (3, lambda lines: "x"),
        (3, lambda lines: "{}"),
        (3, lambda lines: lines[0]),
        (3, lambda lines: forged(lines, 99, 2)),
        (3, lambda lines: json.dumps({"n": 4, "prev": "0" * 64})),
        (0, lambda lines: "x"),
    ],
    ids=range(6),
)
def test_an_inserted_line_is_one_cut_reported_as_inserted(path, place, made):
    write(path, 8)
    edit(path, lambda lines: lines.insert(place, made(lines)))

    assert cuts(path) == [f"{path}:{place + 1}: {INSERTED}"]


def test_each_of_several_inserted_lines_is_named(path):
    write(path, 8)
    edit(path, lambda lines: lines.__setitem__(slice(3, 3), ["x", "y"]))
    edit(path, lambda lines: lines.insert(7, "z"))

    assert cuts(path) == [f"{path}:{place}: {INSERTED}" for place in (4, 5, 8)]


@pytest.mark.parametrize(
    ("change", "places"),
    [
        # A whole line in the place of the next one: which of both is the right one cannot be decided.
        (lambda lines: lines.insert(3, forged(lines, 4, 2)), [5]),
        (lambda lines: lines.__setitem__(slice(3, 3), [forged(lines, 9, 2), "x"]), [4, 5]),
        (lambda lines: lines.__setitem__(3, "x"), [4, 5]),
        (lambda lines: lines.__setitem__(3, lines[3].replace("ann", "bob")), [5]),
        (lambda lines: lines.__setitem__(7, lines[7].replace("ann", "bob").replace('"n": 8', '"n": 9')), [8]),
        (lambda lines: lines.insert(3, lines.pop(4)), [4, 6]),
        (lambda lines: lines.insert(6, lines.pop(2)), [3, 7]),
        (lambda lines: lines.insert(3, lines[2]), [4]),
        (lambda lines: lines.pop(3), [4]),
        (lambda lines: (lines.pop(3), lines.insert(3, "x")), [4, 5]),
        (lambda lines: (lines.insert(3, "x"), lines.pop(4)), [4, 5]),
        (lambda lines: (lines.insert(3, "x"), lines.pop(6)), [4, 7]),
        (lambda lines: lines.__setitem__(3, lines[3][:-9]), [4, 5]),
    ],
    ids=range(13),
)
def test_no_change_is_missed_beside_inserted_lines(path, change, places):
    write(path, 8)
    edit(path, change)

    assert [cut.removeprefix(f"{path}:").partition(":")[0] for cut in cuts(path)] == [
        str(one) for one in places
    ]


def test_any_edit_of_one_or_two_lines_is_a_cut(path):
    write(path, 6)
    whole = lines_of(path)
    made = ["x", "{}", *whole, forged(whole, 4, 2), forged(whole, 5, 3)]
    for place in range(len(whole)):
        for one in made:
            for removed in (0, 1, 2):
                changed = whole[:place] + [one] + whole[place + removed :]
                # A sound-looking last line takes the key of nobody; the head kept elsewhere shows it.
                if changed in (whole, whole[: len(changed)]) or changed[:-1] == whole[: len(changed) - 1]:
                    continue
                edit(path, lambda lines, changed=changed: lines.__setitem__(slice(None), changed))
                assert cuts(path), (place, one, removed)


def test_a_line_inserted_before_the_oldest_one_that_is_kept_is_one_cut(path):
    write(path, 40, max_bytes=1000)
    edit(f"{path}.2", lambda lines: lines.insert(0, "x"))

    assert cuts(path) == [f"{path}.2:1: not a complete line of the chain"]


@pytest.mark.parametrize("number", [0, -1, False, True, 0.5, "1"])
def test_lines_without_a_number_before_the_first_are_cuts(path, number):
    write(path, 3)
    forged = json.dumps({"n": number, "prev": START, "what": "publish"})
    edit(path, lambda lines: lines.insert(0, forged))

    assert cuts(path)
