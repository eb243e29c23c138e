"""Unusable settings, rejected with file and line before anything runs."""

import os

import pytest

#: Exit code for settings and words that make no sense (sysexits' EX_USAGE).
USAGE = 64


def call_with_config(salt_g, text, **files):
    (salt_g.conf / "minion").write_bytes(text if isinstance(text, bytes) else text.encode())
    for name, content in files.items():
        path = salt_g.conf / "minion.d" / f"{name}.conf"
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    return salt_g.run("call", "-c", salt_g.conf, "--local", "test.ping")


def test_a_config_that_is_not_yaml_is_refused_with_its_line(salt_g):
    outcome = call_with_config(salt_g, "id: m1\nfile_client: local\nlog_level: [warning\nmaster: x\n")

    assert outcome.code == USAGE
    assert f"{salt_g.conf}/minion:4: not YAML" in outcome.err
    assert "Traceback" not in outcome.err


def test_tabs_in_a_config_are_refused_with_their_line(salt_g):
    outcome = call_with_config(salt_g, "id: m1\ngrains:\n\trole: web\n")

    assert outcome.code == USAGE
    assert f"{salt_g.conf}/minion:3" in outcome.err
    assert "Traceback" not in outcome.err


def test_a_config_that_is_not_a_mapping_is_refused(salt_g):
    outcome = call_with_config(salt_g, "- id: m1\n")

    assert outcome.code == USAGE
    assert f"{salt_g.conf}/minion" in outcome.err
    assert "Traceback" not in outcome.err


def test_all_wrong_types_are_reported_at_once_with_their_lines(salt_g):
    outcome = call_with_config(salt_g, "id: m1\nfile_roots: here\n", more="# a comment\nretry_dns: soon\n")

    assert outcome.code == USAGE
    assert f"{salt_g.conf}/minion:2" in outcome.err and "file_roots" in outcome.err
    assert f"{salt_g.conf}/minion.d/more.conf:2" in outcome.err and "retry_dns" in outcome.err


def test_an_unknown_setting_is_kept_and_reported_with_the_nearest_name(salt_g):
    outcome = call_with_config(
        salt_g, f"id: m1\nfile_client: local\nroot_dir: {salt_g.root}\nfile_rots: {{}}\n"
    )

    assert outcome.code == 0
    assert f"{salt_g.conf}/minion:4" in outcome.err
    assert "file_rots" in outcome.err and "file_roots" in outcome.err


def test_bytes_that_are_not_text_are_refused(salt_g):
    outcome = call_with_config(salt_g, b"id: m1\nmaster: \xff\xfe\n")

    assert outcome.code == USAGE
    assert f"{salt_g.conf}/minion" in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_config_that_may_not_be_read_is_named(salt_g):
    (salt_g.conf / "minion").write_text("id: m1\n")
    (salt_g.conf / "minion").chmod(0)

    outcome = salt_g.run("call", "-c", salt_g.conf, "--local", "test.ping")

    assert outcome.code == USAGE
    assert f"{salt_g.conf}/minion" in outcome.err and "ermission" in outcome.err


def test_a_config_directory_that_is_a_file_is_not_a_reason_to_crash(salt_g):
    path = salt_g.root / "file"
    path.write_text("")

    outcome = salt_g.run("call", "-c", path, "--local", "--id=m1", f"--cachedir={salt_g.root}/c", "test.ping")

    assert "Traceback" not in outcome.err


def test_an_unknown_option_is_refused_with_the_usage(salt_g):
    outcome = salt_g.run("call", "--nonsense", "test.ping")

    assert outcome.code == USAGE
    assert "no such option: --nonsense" in outcome.err
    assert outcome.err.startswith("Usage: salt-g call")
