"""States that fire events."""

from salt_g.states import event


def test_an_event_is_fired_with_its_data(call_context):
    fired = []
    call_context(
        functions={"event.send": lambda tag, **options: fired.append((tag, options["data"])) or True}
    )

    ret = event.send("acme/done", data={"host": "web1"})

    assert fired == [("acme/done", {"host": "web1"})]
    assert (ret["result"], ret["comment"]) == (True, "Event fired")
    assert ret["changes"] == {"tag": "acme/done", "data": {"host": "web1"}}


def test_test_mode_fires_nothing(call_context):
    call_context(opts={"test": True})

    ret = event.send("acme/done", show_changed=False)

    assert (ret["result"], ret["comment"], ret["changes"]) == (None, "Event would have been fired", {})
