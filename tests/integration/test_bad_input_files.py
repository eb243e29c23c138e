"""Managed files that cannot be created: sources, hashes, templates, bytes, names, sizes, SIGKILL."""

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys

import pytest
import yaml

GIB_BYTES = 2**30
#: What a run that copies 1 GiB may hold at most, in KiB as getrusage reports it.
MEMORY_KIB = 150 * 1024


def apply(salt_g, *, test=False, **args):
    """Apply one file.managed of `out/f` and return (exit code, its state return)."""
    listed = [{name: value} for name, value in args.items()]
    salt_g.write({"a.sls": json.dumps({f"{salt_g.out}/f": {"file.managed": listed}})})
    outcome = salt_g("state.apply", "a", *["test=True"] * test)
    (ret,) = outcome.value.values()
    assert "Traceback" not in outcome.err
    return outcome.code, ret


def test_a_missing_source_is_named(salt_g):
    code, ret = apply(salt_g, source="salt://nowhere/f")

    assert code == 1
    assert ret["comment"] == (
        "Unable to manage file: Source file salt://nowhere/f not found in saltenv 'base'"
    )
    assert not (salt_g.out / "f").exists()


def test_a_wrong_hash_is_refused_and_the_old_file_stays(salt_g):
    (salt_g.out / "f").write_text("old")
    (salt_g.root / "source").write_text("new")

    code, ret = apply(salt_g, source=f"{salt_g.root}/source", source_hash="md5=" + "0" * 32)

    assert code == 1
    assert hashlib.md5(b"new").hexdigest() in ret["comment"] and "0" * 32 in ret["comment"]
    assert (salt_g.out / "f").read_text() == "old"


def test_an_unserved_url_is_named(salt_g):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

        code, ret = apply(salt_g, source=f"http://127.0.0.1:{port}/f", skip_verify=True)

    assert code == 1
    assert ret["result"] is False
    assert f"127.0.0.1:{port}" in ret["comment"] and "efused" in ret["comment"]
    assert not (salt_g.out / "f").exists()


def test_a_url_of_an_unknown_scheme_is_named(salt_g):
    code, ret = apply(salt_g, source="gopher://example.org/f", skip_verify=True)

    assert code == 1
    assert ret["result"] is False
    assert "gopher" in ret["comment"]


@pytest.mark.parametrize("test", [False, True], ids=["real", "test mode"])
@pytest.mark.parametrize(
    "text, parts",
    [
        ("one\ntwo {{ nowhere.x }}\n", ["Jinja variable 'nowhere' is undefined; line 2", "<====="]),
        ("one\n{% if x %}\n", ["Jinja syntax error", "line 2"]),
        ("{{ salt['test.nonsense']() }}\n", ["test.nonsense", "line 1"]),
        ("{{ 1 / 0 }}\n", ["division by zero", "line 1"]),
    ],
    ids=["undefined", "syntax", "function", "division"],
)
def test_a_template_error_shows_the_line_and_leaves_the_old_file(salt_g, text, parts, test):
    (salt_g.out / "f").write_text("old")
    salt_g.write({"f.jinja": text})

    code, ret = apply(salt_g, source="salt://f.jinja", template="jinja", test=test)

    assert code == 1
    assert ret["result"] is False
    assert [part for part in parts if part not in ret["comment"]] == []
    assert (salt_g.out / "f").read_text() == "old"


def test_binary_files_are_copied_whole_and_their_diff_is_not_noise(salt_g):
    content = bytes(range(256)) * 64
    (salt_g.states / "blob").write_bytes(content)
    (salt_g.out / "f").write_bytes(b"\x00\xff old")

    code, ret = apply(salt_g, source="salt://blob")

    assert code == 0
    assert (salt_g.out / "f").read_bytes() == content
    assert ret["changes"]["diff"] == "Replace binary file"


def test_bytes_that_are_not_utf8_take_the_place_of_text(salt_g):
    (salt_g.states / "latin").write_bytes("grün\n".encode("latin-1"))
    (salt_g.out / "f").write_text("text\n")

    code, _ = apply(salt_g, source="salt://latin")

    assert code == 0
    assert (salt_g.out / "f").read_bytes() == b"gr\xfcn\n"


def test_a_directory_in_the_way_is_named(salt_g):
    (salt_g.out / "f").mkdir()

    code, ret = apply(salt_g, contents="x")

    assert code == 1
    assert ret["comment"] == f"Specified target {salt_g.out}/f is a directory"


def test_names_that_are_not_utf8_are_walked_over(salt_g):
    name = os.fsencode(salt_g.out) + b"/tree"
    os.makedirs(name + b"/sub\xff")
    with open(name + b"/file\xfe", "wb") as file:
        file.write(b"x")
    salt_g.write({"a.sls": f"{salt_g.out}/tree: {{file.directory: [{{clean: True}}, {{file_mode: 600}}]}}\n"})

    outcome = salt_g("state.apply", "a")

    assert outcome.code == 0
    assert "Traceback" not in outcome.err
    assert os.listdir(name) == []


def test_a_source_tree_with_names_that_are_not_utf8_serves_its_other_files(salt_g):
    with open(os.fsencode(salt_g.states) + b"/odd\xff", "wb") as file:
        file.write(b"x")
    salt_g.write(
        {"src/good": "x", "a.sls": f"{salt_g.out}/copy: {{file.recurse: [{{source: 'salt://src'}}]}}\n"}
    )

    outcome = salt_g("state.apply", "a")

    assert outcome.code == 0
    assert (salt_g.out / "copy" / "good").read_text() == "x"


def run_measured(salt_g, *words):
    """Run the command and return (exit code, peak memory in KiB of it and its children)."""
    (salt_g.conf / "minion").write_text(yaml.safe_dump(salt_g.settings))
    command = [salt_g.program, "call", "-c", str(salt_g.conf), "--local", "--out=json", *words]
    measure = (
        "import resource, subprocess, sys\n"
        "code = subprocess.run(sys.argv[1:], stdout=sys.stderr).returncode\n"
        "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
    )
    finished = subprocess.run(
        [sys.executable, "-c", measure, *command], capture_output=True, text=True, timeout=120
    )
    code, peak = map(int, finished.stdout.split())
    return code, peak


def test_a_file_of_one_gib_is_managed_in_bounded_memory(salt_g):
    with open(salt_g.root / "huge", "wb") as file:
        file.truncate(GIB_BYTES)
        file.seek(GIB_BYTES // 2)
        file.write(b"in the middle")
    source = f"[{{source: {salt_g.root}/huge}}, {{skip_verify: True}}]"
    salt_g.write({"a.sls": f"{salt_g.out}/f: {{file.managed: {source}}}\n"})

    code, peak = run_measured(salt_g, "state.apply", "a")

    made = (salt_g.out / "f").stat()
    for path in (salt_g.root / "huge", salt_g.out / "f"):
        path.unlink()
    assert code == 0
    assert made.st_size == GIB_BYTES
    assert peak < MEMORY_KIB


def test_a_run_killed_by_sigkill_frees_the_lock_and_leaves_nothing_half_written(salt_g):
    fifo = salt_g.root / "fifo"
    os.mkfifo(fifo)
    waiting = f"cmd.run: [{{name: 'echo $$ > {fifo}; exec sleep 600'}}]"
    salt_g.write({"a.sls": f"wait: {{{waiting}}}\n", "b.sls": "b: {test.nop: []}\n"})
    (salt_g.conf / "minion").write_text(yaml.safe_dump(salt_g.settings))
    process = subprocess.Popen(
        [salt_g.program, "call", "-c", str(salt_g.conf), "--local", "state.apply", "a"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    child = int(fifo.read_text())

    process.kill()
    process.wait(timeout=20)
    after = salt_g("state.apply", "b")
    os.kill(child, signal.SIGKILL)

    assert after.code == 0
    assert list(salt_g.root.rglob(".salt-g-*")) == []
