"""The queue in front of the writer."""

import threading

from salt_g.cache.write_queue import WriteQueue


def test_all_entries_are_taken_in_order():
    queue = WriteQueue(max_entries=10, max_bytes=100)
    for n in range(3):
        queue.put(n, 1)

    assert queue.take_all() == [0, 1, 2]
    assert len(queue) == 0


def test_it_is_bounded_in_entries_and_in_bytes():
    queue = WriteQueue(max_entries=2, max_bytes=100)

    assert [queue.put("a", 60), queue.put("b", 60), queue.put("c", 40), queue.put("d", 0)] == [
        True,
        False,
        True,
        False,
    ]


def test_room_is_back_after_taking():
    queue = WriteQueue(max_entries=1, max_bytes=100)
    queue.put("a", 100)
    queue.take_all()

    assert queue.put("b", 100)


def test_the_owner_is_never_refused():
    queue = WriteQueue(max_entries=1, max_bytes=100)
    queue.put("a", 1)

    queue.put_always("end")

    assert queue.take_all() == ["a", "end"]


def test_nothing_is_lost_or_doubled_between_threads():
    queue = WriteQueue(max_entries=100_000, max_bytes=100)
    taken = []

    def fill(first):
        for n in range(first, first + 5000):
            queue.put(n, 0)

    def empty():
        while len(taken) < 20_000:
            taken.extend(queue.take_all())

    threads = [threading.Thread(target=fill, args=(5000 * n,)) for n in range(4)]
    threads.append(threading.Thread(target=empty))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert sorted(taken) == list(range(20_000))
