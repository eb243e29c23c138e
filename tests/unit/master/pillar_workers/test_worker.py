"""A pillar worker's own side."""


def test_what_cannot_be_sent_back_is_left_to_the_master_and_closing_ends_the_worker(output_of):
    lines = output_of(
        """
        answers = gevent.queue.Queue()
        worker = WorkerProcess(opts, lambda *one: answers.put(one))
        worker.start()
        running = gevent.spawn(worker.run)
        worker.send(1, asks("odd"))
        print(answers.get(timeout=60))
        worker._link.shutdown(2)
        print(worker._process.wait(timeout=60))
        """
    )

    assert lines == ["(1, None)", "0"]
