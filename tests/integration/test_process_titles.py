"""Process titles of the daemons, and of the command that only counts returns."""

import pathlib


def test_daemons_are_found_by_stocks_names(start_master, start_minion):
    master = start_master()
    minion = start_minion(master)

    names = [pathlib.Path(f"/proc/{one.pid}/comm").read_text().strip() for one in (master, minion)]

    assert names == ["salt-master", "salt-minion"]


def test_the_outputter_progress_counts_returns_and_shows_none(start_master, start_minion, salt):
    master = start_master()
    start_minion(master)

    counted = salt(master, "m1", "test.echo", "a-value", "--out=progress", as_json=False)

    assert counted.code == 0
    assert "a-value" not in counted.out + counted.err
    assert "# of minions returned: 1" in counted.out
    assert "1/1" in counted.err
