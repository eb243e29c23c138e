"""Pillar workers of a master: many requests, deadly ones, and none that can be started."""


def test_many_requests_are_answered_and_one_that_ends_workers_harms_no_other(output_of):
    lines = output_of(
        """
        supervisor = Supervisor("test")
        workers = PillarWorkers(2, opts, supervisor=supervisor)
        workers.start()
        ids = ["deadly", *(f"good{number}" for number in range(30))]
        jobs = {id: gevent.spawn(workers.compiled, asks(id)) for id in ids}
        got = {id: job.get(timeout=100) for id, job in jobs.items()}
        print(got.pop("deadly"))
        print(all(pillar == {"id": id} for id, pillar in got.items()), len(got))
        print(workers.compiled(asks("odd")))
        workers.stop()
        print(workers.pids, workers.compiled(asks("good1")))
        """
    )

    assert lines == [
        "{'_errors': [\"Rendering the pillar of 'deadly' ended 3 pillar workers."
        ' Please see master log for details."]}',
        "True 30",
        "None",
        "[] None",
    ]


def test_a_master_whose_workers_do_not_start_compiles_itself(output_of):
    lines = output_of(
        """
        class Broken(WorkerProcess):
            def start(self):
                raise OSError("no memory")
        workers = PillarWorkers(1, opts, supervisor=Supervisor("test"), made=Broken)
        workers.start()
        print(workers.compiled(asks("good1")))
        """
    )

    assert lines == ["None"]
