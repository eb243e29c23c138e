"""The queue in front of the writer."""

import threading

from salt_g.cache.write_queue import WriteQueue


def test_all_entries_are_taken_in_order():
    intake = WriteQueue(max_entries=10, max_bytes=100)
    for n in range(3):
        intake.put(n, 1)

    assert intake.take_all() == [0, 1, 2]
    assert len(intake) == 0


def test_it_is_bounded_in_entries_and_in_bytes():
    intake = WriteQueue(max_entries=2, max_bytes=100)

    assert [intake.put("a", 60), intake.put("b", 60), intake.put("c", 40), intake.put("d", 0)] == [
        True,
        False,
        True,
        False,
    ]


def test_room_is_back_after_taking():
    intake = WriteQueue(max_entries=1, max_bytes=100)
    intake.put("a", 100)
    intake.take_all()

    assert intake.put("b", 100)


def test_the_owner_is_never_refused():
    intake = WriteQueue(max_entries=1, max_bytes=100)
    intake.put("a", 1)

    intake.put_always("end")

    assert intake.take_all() == ["a", "end"]


def test_nothing_is_lost_or_doubled_between_threads():
    intake = WriteQueue(max_entries=100_000, max_bytes=100)
    taken = []

    def fill(first):
        for n in range(first, first + 5000):
            intake.put(n, 0)

    def empty():
        while len(taken) < 20_000:
            taken.extend(intake.take_all())

    threads = [threading.Thread(target=fill, args=(5000 * n,)) for n in range(4)]
    threads.append(threading.Thread(target=empty))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert sorted(taken) == list(range(20_000))
