"""Lifecycle of a minion: it starts, finds its master, runs its jobs, and exits cleanly."""

import os
import signal

import pytest

pytestmark = pytest.mark.own_start


def test_a_job_travels_to_the_minion_and_back(start_master, start_minion, order):
    master = start_master()
    minion = start_minion(master)

    answer = order(master, "m1", "test.arg", "1", "name=value")

    assert minion.is_connected
    assert answer["m1"]["args"] == [1]
    assert answer["m1"]["kwargs"]["name"] == "value"


def test_states_come_from_the_master_with_pillar_and_files(start_master, start_minion, order, tmp_path):
    master = start_master()
    made = tmp_path / "made"
    (master.root / "states" / "top.sls").write_text("base:\n  '*': [web]\n")
    (master.root / "states" / "web.sls").write_text(
        f"{made}:\n  file.managed:\n    - source: salt://web.txt\n    - template: jinja\n"
    )
    (master.root / "states" / "web.txt").write_text("{{ grains.id }} {{ pillar.who }}\n")
    (master.root / "pillar" / "top.sls").write_text("base:\n  '*': [who]\n")
    (master.root / "pillar" / "who.sls").write_text("who: world\n")
    start_minion(master)

    answer = order(master, "m1", "state.apply")

    assert [entry["result"] for entry in answer["m1"].values()] == [True]
    assert made.read_text() == "m1 world\n"


def test_a_minion_leaves_no_socket_and_no_pid_file(start_master, start_minion):
    minion = start_minion(start_master())
    pid_file = minion.root / "minion.pid"

    assert pid_file.read_text().strip() == str(minion.pid)
    minion.stop()

    assert not pid_file.exists()
    assert list((minion.root / "sock").iterdir()) == []


def test_hangup_is_not_an_end(start_master, start_minion, order):
    master = start_master()
    minion = start_minion(master)

    minion.send_signal(signal.SIGHUP)

    assert order(master, "m1", "test.ping") == {"m1": True}
    assert minion.is_running()


def test_a_minion_finds_a_master_that_starts_later_again(start_master, start_minion, order):
    master = start_master()
    minion = start_minion(master)

    master.stop()
    master.start()

    assert order(master, "m1", "test.ping") == {"m1": True}
    assert minion.is_running()


def test_files_of_a_minion_are_private(start_master, start_minion):
    minion = start_minion(start_master())

    for directory, _, files in os.walk(minion.root):
        if directory == str(minion.root) or directory.endswith("conf-minion"):
            continue
        for name in files:
            mode = os.lstat(os.path.join(directory, name)).st_mode & 0o777
            assert not mode & 0o077 or name.endswith(".pub"), f"{directory}/{name}: {mode:o}"
