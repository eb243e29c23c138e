"""The event of a finished chunk."""

import pytest

from salt_g.state.run.progress_events import event_hook, event_of

RET = {"name": "n", "result": True, "changes": {}, "comment": "", "__run_num__": 3}


def tag(low, *, opts=None, ret=RET):
    event = event_of(low, ret, jid="J", minion_id="m1", total=9, opts=opts or {})
    return event and event[0]


@pytest.mark.parametrize(
    ("low", "opts", "expected"),
    [
        ({}, {}, "salt/job/J/prog/m1/3"),
        ({}, {"state_events": False}, None),
        ({"fire_event": True}, {"state_events": False}, "salt/state_result/J/m1/n"),
        ({"fire_event": "own/text"}, {}, "salt/state_result/J/m1/own/text"),
        ({"fire_event": False}, {}, "salt/job/J/prog/m1/3"),
        ({"fire_event": 1}, {}, "salt/job/J/prog/m1/3"),
    ],
)
def test_the_chunk_and_the_settings_choose_the_tag(low, opts, expected):
    assert tag(low, opts=opts) == expected


def test_a_return_without_a_number_counts_as_the_first():
    assert tag({}, ret={"name": "n"}) == "salt/job/J/prog/m1/0"


@pytest.mark.parametrize("opts", [{"local": True}, {"file_client": "local"}])
def test_without_a_master_there_is_no_hook(call_context, opts):
    assert event_hook(call_context(functions={"event.fire_master": print}, opts=opts), "J") is None


def test_without_the_sending_function_there_is_no_hook(call_context):
    assert event_hook(call_context(), "J") is None


def test_the_hook_sends_what_is_to_be_sent(call_context):
    sent = []
    context = call_context(
        functions={"event.fire_master": lambda data, tag, preload: sent.append((tag, data, preload))},
        opts={"state_events": False},
    )

    fire = event_hook(context, "J")
    fire({}, RET, 2)
    fire({"fire_event": "x"}, RET, 2)

    assert sent == [("salt/state_result/J/unit/x", {"ret": RET}, {"jid": "J"})]
