"""Programs with observed output, which is shown as it arrives and returned in full."""

import pytest

from salt_g.errors import CommandTimeout
from salt_g.process import command
from salt_g.process.observed_output import observed, observer


@pytest.fixture
def seen():
    return []


def run(seen, *words, **options):
    with observed(seen.append):
        return command.run(words, **options)


def test_output_is_shown_and_returned(seen):
    done = run(seen, "/bin/sh", "-c", "echo one; echo two >&2; exit 3")

    assert (done.stdout, done.stderr, done.retcode) == (b"one\n", b"two\n", 3)
    assert sorted(seen) == [b"one\n", b"two\n"]


def test_it_is_shown_before_the_program_ends(tmp_path):
    """The program continues once its first line has been seen."""
    begun = tmp_path / "begun"

    def note(data):
        begun.write_bytes(data)

    with observed(note):
        done = command.run(
            ["/bin/sh", "-c", f"echo first; until test -s {begun}; do sleep 0.02; done; echo last"],
            timeout=60,
        )

    assert done.stdout == b"first\nlast\n"


def test_large_input_and_output_pass(seen):
    data = bytes(range(256)) * 4096

    assert run(seen, "cat", stdin=data).stdout == data
    assert b"".join(seen) == data


def test_a_program_may_leave_its_input_unread(seen):
    assert run(seen, "true", stdin=b"x" * 1_000_000).retcode == 0
    assert run(seen, "cat", stdin=b"").stdout == b""


def test_streams_can_be_merged(seen):
    done = run(seen, "/bin/sh", "-c", "echo one; echo two >&2", merge_stderr=True)

    assert (done.stdout, done.stderr) == (b"one\ntwo\n", b"")


def test_the_time_limit_holds(seen):
    with pytest.raises(CommandTimeout):
        run(seen, "sleep", "60", timeout=0.05)


def test_secret_output_is_not_shown(seen):
    assert run(seen, "echo", "secret", is_shown=False).stdout == b"secret\n"
    assert seen == []


def test_an_inner_block_can_hide_its_output(seen):
    with observed(seen.append):
        with observed(None):
            assert observer() is None
        assert observer() is not None
    assert observer() is None
