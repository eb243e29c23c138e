"""Returns near and above the size limit of a message: shortened or failed at once, never lost."""

import pathlib

import pytest

from tests.support.waiting import until

PRINT = "head -c {size} /dev/zero | tr '\\0' x"
LIMIT = 64 * 1024 * 1024


def peak_mib(daemon):
    """Return the peak memory of a process (MiB)."""
    status = pathlib.Path(f"/proc/{daemon.pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))) // 1024


@pytest.mark.parametrize("size", [LIMIT - 1000, LIMIT, 100_000_000])
def test_a_return_that_no_message_holds_is_an_error_at_once(start_master, start_minion, salt, size):
    master = start_master()
    minion = start_minion(master)
    before = peak_mib(minion)

    outcome = salt(master, "m1", "cmd.run", PRINT.format(size=size), as_json=False)

    assert outcome.code == 1
    assert "ERROR: the return of the function cannot be sent" in outcome.out
    assert f"left out: a text of {size} characters" in outcome.out
    # The output of the program, twice: while it is read, and as text.
    assert peak_mib(minion) - before < 2.5 * size / 2**20
    until(lambda: not list((minion.cachedir / "returns").iterdir()), "the minion has nothing left to send")


def test_a_map_keeps_what_fits(start_master, start_minion, salt):
    master = start_master()
    start_minion(master)

    outcome = salt(master, "m1", "cmd.run_all", PRINT.format(size=LIMIT), as_json=False)

    assert outcome.code == 1
    assert "stdout:\n        VALUE_TRIMMED" in outcome.out
    assert "retcode:\n        0" in outcome.out
    assert "the return is too large for a message" in outcome.err


def test_a_large_return_is_whole_in_the_job_cache_and_shortened_in_events(start_master, start_minion):
    from salt_g.client import LocalClient

    master = start_master()
    start_minion(master)

    with LocalClient(c_path=str(master.config_dir / "master")) as client:
        result = client.run_job("m1", "cmd.run", [PRINT.format(size=20_000_000)])
        returned = dict(
            part
            for each in client.get_cli_returns(result["jid"], {"m1"}, timeout=60)
            for part in each.items()
        )
        kept = client.get_cache_returns(result["jid"])

    assert returned["m1"]["ret"] == "VALUE_TRIMMED"
    assert len(kept["m1"]["ret"]) == 20_000_000
