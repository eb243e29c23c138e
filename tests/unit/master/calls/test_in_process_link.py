"""The link of clients inside of the master."""

from salt_g.event.bus import Bus
from salt_g.master.calls.authorization import Caller
from salt_g.master.calls.in_process_link import InProcessLink


def test_a_command_reaches_the_handler_with_its_caller():
    asked = []
    link = InProcessLink(lambda load, caller: asked.append((load, caller)) or "yes", Bus(), Caller("", 7))

    assert link.ask({"cmd": "ping"}, timeout=1) == "yes"
    assert asked == [({"cmd": "ping"}, Caller("", 7))]
