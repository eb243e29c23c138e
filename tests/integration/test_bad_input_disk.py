"""Writes to a full, read-only or forbidden disk: existing data stays, and one line reports the error.

The full disk is a file size limit of the process (RLIMIT_FSIZE): writes beyond it fail with an
OSError as writes to a full disk do.
"""

import os
import resource
import signal
import subprocess

import pytest
import yaml

SMALL_BYTES = 20_000


def call_on_small_disk(salt_g, *words, limit_bytes=SMALL_BYTES):
    """Run the command with a limit on the size of files."""

    def shrink():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))

    (salt_g.conf / "minion").write_text(yaml.safe_dump({**salt_g.settings, "log_level_logfile": "quiet"}))
    return subprocess.run(
        [salt_g.program, "call", "-c", str(salt_g.conf), "--local", "--out=json", *words],
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=shrink,
    )


def temporaries(root):
    return list(root.rglob(".salt-g-*"))


def test_a_disk_that_fills_up_in_the_middle_of_file_managed_leaves_the_old_file(salt_g):
    target = salt_g.out / "big"
    target.write_text("old")
    (salt_g.root / "source").write_text("x" * 100_000)
    salt_g.write(
        {"a.sls": f"{target}: {{file.managed: [{{source: {salt_g.root}/source}}, {{skip_verify: True}}]}}\n"}
    )

    outcome = call_on_small_disk(salt_g, "state.apply", "a")

    assert outcome.returncode == 1
    assert "File too large" in outcome.stdout + outcome.stderr
    assert target.read_text() == "old"
    assert temporaries(salt_g.root) == []


def test_contents_that_do_not_fit_leave_the_old_file(salt_g):
    target = salt_g.out / "big"
    target.write_text("old")
    salt_g.write({"a.sls": f"{target}: {{file.managed: [{{contents_pillar: text}}]}}\n"})

    outcome = call_on_small_disk(salt_g, "state.apply", "a", 'pillar={"text": "%s"}' % ("line " * 10_000))

    assert outcome.returncode == 1
    assert "File too large" in outcome.stdout + outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert target.read_text() == "old"
    assert temporaries(salt_g.root) == []


def test_a_cache_that_cannot_be_written_is_named_and_nothing_half_written_stays(salt_g):
    salt_g.write({"a.sls": "a: {test.nop: []}\n# " + "long " * 10_000})

    outcome = call_on_small_disk(salt_g, "state.apply", "a")

    assert outcome.returncode == 1
    assert "File too large" in outcome.stdout + outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert temporaries(salt_g.root) == []
    assert not list(salt_g.root.joinpath("cache").rglob("a.sls"))


def test_a_later_run_on_a_disk_with_space_needs_no_repair(salt_g):
    salt_g.write({"a.sls": "a: {test.nop: []}\n# " + "long " * 10_000})
    call_on_small_disk(salt_g, "state.apply", "a")

    outcome = salt_g("state.apply", "a")

    assert outcome.code == 0


def test_test_ping_works_when_nothing_can_be_cached(salt_g):
    outcome = call_on_small_disk(salt_g, "test.ping", limit_bytes=0)

    assert '"local": true' in outcome.stdout
    assert "Traceback" not in outcome.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_target_that_may_not_be_written_is_named(salt_g):
    salt_g.out.chmod(0o500)
    salt_g.write({"a.sls": f"{salt_g.out}/new: {{file.managed: [{{contents: x}}]}}\n"})

    outcome = salt_g("state.apply", "a")

    (ret,) = outcome.value.values()
    assert outcome.code == 1
    assert ret["result"] is False
    assert "ermission denied" in ret["comment"] and str(salt_g.out) in ret["comment"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_cache_directory_that_may_not_be_written_is_named(salt_g):
    (salt_g.root / "cache").mkdir(mode=0o500)
    salt_g.write({"a.sls": "a: {test.nop: []}\n"})

    outcome = salt_g("state.apply", "a")

    assert outcome.code == 1
    assert "ermission denied" in outcome.err + outcome.out
    assert str(salt_g.root / "cache") in outcome.err + outcome.out
    assert "Traceback" not in outcome.err
