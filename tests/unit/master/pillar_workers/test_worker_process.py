"""One pillar worker as its master sees it."""


def test_a_worker_answers_gives_signs_of_life_and_ends(output_of):
    lines = output_of(
        """
        answer = gevent.event.AsyncResult()
        worker = WorkerProcess(opts, lambda *one: answer.set(one))
        worker.start()
        running = gevent.spawn(worker.run)
        worker.send(5, asks("good1"))
        print(answer.get(timeout=60), worker.has_lived)
        print(worker.end())
        """
    )

    assert lines == ["(5, {'id': 'good1'}) True", "-9"]
