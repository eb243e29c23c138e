"""Closing of a master's publish port while it is cut off from the database."""

import pytest

from salt_g.master.cluster.evacuation import AWAY, Evacuation


class Port:
    def __init__(self):
        self.done = []
        self.is_taken = False

    def close_for_now(self):
        self.done.append("closed")

    def open_again(self):
        if self.is_taken:
            raise OSError("taken")
        self.done.append("open")


@pytest.fixture
def cut():
    port, silent, aside = Port(), [0.0], []
    return port, silent, Evacuation(port, lambda: silent[0], lambda: aside.append(1)), aside


def test_the_port_is_closed_after_some_time_and_open_when_the_database_answers(cut):
    port, silent, evacuation, aside = cut
    for silence in (0.0, AWAY - 1, AWAY + 1, AWAY + 2, 10.0, 0.5, 0.5):
        silent[0] = silence
        evacuation.look()

    assert port.done == ["closed", "open"]
    assert aside == [1]


def test_a_port_that_is_taken_is_tried_again(cut):
    port, silent, evacuation, _ = cut
    silent[0] = AWAY + 1
    evacuation.look()
    silent[0], port.is_taken = 0.5, True
    with pytest.raises(OSError, match="taken"):
        evacuation.look()
    port.is_taken = False
    evacuation.look()

    assert port.done == ["closed", "open"]
