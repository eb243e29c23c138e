from salt_g.runners import survey

ANSWERS = {"m3": "a\nb", "m1": "a\nb", "m2": "a\nc"}


def test_hash_puts_the_largest_pool_first(call_context, fake_client):
    client = fake_client(cmd_run=ANSWERS)
    call_context(opts={"timeout": 5}, client=client)

    found = survey.hash("*", "cmd.run", "ls", cwd="/")

    assert found == [{"pool": ["m1", "m3"], "result": "a\nb"}, {"pool": ["m2"], "result": "a\nc"}]
    assert client.calls[0][2:] == (["ls"], {"timeout": 5, "tgt_type": "compound", "kwarg": {"cwd": "/"}})


def test_hash_can_put_the_smallest_pool_first(call_context, fake_client):
    call_context(opts={"timeout": 5}, client=fake_client(cmd_run=ANSWERS))

    assert survey.hash("*", "cmd.run", survey_sort="up")[0]["pool"] == ["m2"]


def test_diff_prints_how_the_others_differ_from_the_first(call_context, fake_client, progress):
    call_context(opts={"timeout": 5}, client=fake_client(cmd_run=ANSWERS), progress=progress)

    survey.diff("*", "cmd.run")

    first, second = progress.written
    assert first.splitlines() == [
        *("minion pool :", "------------", "['m1', 'm3']", "pool size :", "----------", "    2"),
        *("pool result :", "------------", "    a", "b"),
    ]
    assert 'differences from "m1" results :' in second
    assert "-b\n+c" in second
