"""Masterless state runs, and queries over what they read."""

import pytest

from tests.support.commands import PROGRAM, outcome_of


@pytest.fixture
def machine(tmp_path):
    """Return a function that runs a command on a machine with a tree of its own."""
    (tmp_path / "states").mkdir()
    (tmp_path / "states" / "web.sls").write_text("a:\n  test.nop:\n    - name: {{ grains['id'] }}\n")
    settings = tmp_path / "minion"
    settings.write_text(
        f"id: m1\nimpact: true\nroot_dir: {tmp_path}\ncachedir: {tmp_path}/cache\n"
        f"file_client: local\nfile_roots: {{base: [{tmp_path}/states]}}\n"
    )
    return lambda *words: outcome_of([PROGRAM, *words, "-c", str(tmp_path)])


def test_the_calls_that_read_something_are_found(machine):
    assert machine("impact", "--local", "grain:id").code == 2
    assert machine("call", "--local", "state.apply", "web").code == 0
    assert machine("call", "--local", "test.ping").code == 0

    result = machine("impact", "--local", "grain:id", "salt://web.sls")

    assert result.out.splitlines()[0] == "1 of 1 calls read it in their last run"
    assert result.out.splitlines()[1].startswith("  web at ") and result.out.rstrip().endswith(", in web")
    assert machine("impact", "--local", "pillar:x").out == "0 of 1 calls read it in their last run\n"
    assert '"salt://web.sls"' in machine("impact", "--local", "salt://", "--out=json").out
