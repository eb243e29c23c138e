"""Notification of parts that are created after the first minions."""

from salt_g.master.admission.minion_listeners import MinionListeners


def test_each_listener_is_notified_of_its_own_events_in_order():
    events, listeners = [], MinionListeners()
    for name in ("a", "b"):
        listeners.on_sign_in.append(lambda id, name=name: events.append((name, "in", id)))
    listeners.on_start.append(lambda id: events.append(("start", id)))
    listeners.on_forget.append(lambda id: events.append(("forget", id)))

    listeners.signed_in("m1")
    listeners.started("m2")
    listeners.forget("m3")

    assert events == [("a", "in", "m1"), ("b", "in", "m1"), ("start", "m2"), ("forget", "m3")]
