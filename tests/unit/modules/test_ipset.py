"""Membership of entries in sets."""

import pytest

from salt_g.errors import InvocationError
from salt_g.modules.ipset import elements


def covers(set_type, members, wanted):
    return elements.covers(
        [elements.parsed(set_type, each) for each in members], elements.parsed(set_type, wanted)
    )


@pytest.mark.parametrize(
    ("set_type", "members", "wanted", "expected"),
    [
        ("hash:ip", ["10.0.0.1"], "10.0.0.1", True),
        ("hash:ip", ["10.0.0.1"], "10.0.0.2", False),
        ("hash:ip", ["10.0.0.0", "10.0.0.1", "10.0.0.2"], "10.0.0.0-10.0.0.2", True),
        ("hash:ip", ["10.0.0.0", "10.0.0.1", "10.0.0.2"], "10.0.0.0/30", False),
        ("hash:ip", ["10.0.0.0", "10.0.0.1", "10.0.0.2", "10.0.0.3"], "10.0.0.0/30", True),
        ("hash:ip", ["2001:db8::1"], "2001:0db8::0001", True),
        ("hash:net", ["10.0.0.0/24"], "10.0.0.7", True),
        ("hash:net", ["10.0.0.0/24"], "10.0.0.0/25", False),
        ("hash:net", ["10.0.0.0/24 nomatch"], "10.0.0.0/24", False),
        ("hash:net", ["10.0.0.0/24 nomatch"], "10.0.0.0/24 nomatch", True),
        ("hash:ip,port", ["10.0.0.1,tcp:80"], "10.0.0.1,80", True),
        ("hash:ip,port", ["10.0.0.1,tcp:80"], "10.0.0.1,udp:80", False),
        ("hash:net,port,net", ["10.0.0.0/8,tcp:80,10.1.0.0/16"], "10.0.0.0/8,80,10.1.0.0/16", True),
        ("bitmap:ip,mac", ["10.0.0.1,AA:BB:CC:DD:EE:FF"], "10.0.0.1,aa:bb:cc:dd:ee:ff", True),
        ("bitmap:ip,mac", ["10.0.0.1,AA:BB:CC:DD:EE:FF"], "10.0.0.1", True),
        ("hash:mac", ["AA:BB:CC:DD:EE:FF"], "aa:bb:cc:dd:ee:ff", True),
        ("list:set", ["blocked"], "blocked", True),
        ("hash:ip", ['10.0.0.1 comment "a b"'], "10.0.0.1 comment a b", True),
        ("hash:ip", ['10.0.0.1 timeout 12 comment "a b"'], "10.0.0.1 timeout 300 comment 'a b'", True),
        ("hash:ip", ['10.0.0.1 comment "a b"'], "10.0.0.1 comment a", False),
        ("hash:ip", ['10.0.0.1 packets 5 bytes 6 comment "a"'], "10.0.0.1", True),
    ],
)
def test_a_set_has_what_its_entries_cover(set_type, members, wanted, expected):
    assert covers(set_type, members, wanted) is expected


def test_an_entry_is_words_for_the_command():
    entry = elements.parsed("hash:net", "10.0.0.0/24 nomatch timeout 60 comment it's here")

    assert entry.words() == ["10.0.0.0/24", "nomatch", "timeout", "60", "comment", "it's here"]


def test_an_entry_with_too_many_parts_is_refused():
    with pytest.raises(InvocationError, match="more parts than a set of type hash:ip"):
        elements.parsed("hash:ip", "10.0.0.1,tcp:80")
