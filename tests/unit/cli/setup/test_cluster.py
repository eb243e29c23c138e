"""`salt-g cluster` without a cluster: missing requirements."""

import pytest

from salt_g.cli.exit_codes import FAILED, USAGE
from salt_g.cli.setup import store
from salt_g.cli.setup.cluster import main


@pytest.mark.parametrize(
    ("settings", "missing"),
    [
        ("", "add `cluster: true` and `store: postgresql://...` to its settings"),
        ("store: postgresql://salt@db/salt", "add `cluster: true` to its settings"),
        ("cluster: true", "add `store: postgresql://...` to its settings"),
    ],
)
def test_the_setting_that_is_missing_is_named(tmp_path, capsys, settings, missing):
    (tmp_path / "master").write_text(f"root_dir: {tmp_path}\nid: a\n{settings}\n")

    assert main(["status", "-c", str(tmp_path)]) == FAILED
    assert missing in capsys.readouterr().err


@pytest.mark.parametrize("command", [main, store.main])
def test_settings_that_are_not_there_are_not_those_of_another_master(command, tmp_path, capsys):
    words = {main: ["forget", "a"], store.main: ["migrate", "--to", "embedded"]}[command]

    assert command([*words, "-c", str(tmp_path / "nosuch")]) != 0
    assert "nosuch' does not exist" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["forget"], ["status", "a"]])
def test_only_forget_takes_a_name(words, capsys):
    with pytest.raises(SystemExit) as ended:
        main(words)

    assert ended.value.code == USAGE
    assert "forget needs NAME" in capsys.readouterr().err
