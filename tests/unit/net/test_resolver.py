"""Parsing of resolv.conf, and name resolution."""

import threading

from salt_g.net import resolver
from salt_g.net.resolver import parse_resolv


def test_every_directive_is_read(tmp_path):
    path = tmp_path / "resolv.conf"
    path.write_text(
        "# made by hand\n"
        "nameserver 192.0.2.1 ; the router\n"
        "nameserver 2001:DB8:0::1\n"
        "nameserver 192.0.2.1\n"
        "nameserver nonsense\n"
        "domain example.net\n"
        "search a.example.net b.example.net # c\n"
        "sortlist 130.155.160.0/255.255.240.0 130.155.0.0\n"
        "options ndots:2 rotate\n"
        "options\n"
    )

    assert parse_resolv(str(path)) == {
        "nameservers": ["192.0.2.1", "2001:db8::1"],
        "ip4_nameservers": ["192.0.2.1"],
        "ip6_nameservers": ["2001:db8::1"],
        "sortlist": ["130.155.160.0/255.255.240.0", "130.155.0.0/255.255.0.0"],
        "domain": "example.net",
        "search": ["a.example.net", "b.example.net"],
        "options": ["ndots:2"],
    }


def test_a_missing_file_is_empty(tmp_path):
    assert parse_resolv(str(tmp_path / "none")) == {}


def test_slow_look_ups_are_waited_for_together(monkeypatch):
    answers = threading.Event()

    def look_up(address):
        if address == "192.0.2.1":
            return ("web1.example", [], [address])
        answers.wait(60)
        raise OSError("no answer")

    waits = []
    monkeypatch.setattr(resolver, "REVERSE_LIMIT", 0.2)
    monkeypatch.setattr(resolver.socket, "gethostbyaddr", look_up)
    monkeypatch.setattr(resolver.socket, "getfqdn", lambda name: name)
    join = threading.Thread.join
    monkeypatch.setattr(
        threading.Thread, "join", lambda thread, limit: (waits.append(limit), join(thread, limit))
    )
    try:
        found = resolver.names_of([f"192.0.2.{number}" for number in range(1, 6)])
    finally:
        answers.set()

    assert found == ["web1.example"]
    # The second one uses up the limit.
    assert waits[2:] == [0.0, 0.0, 0.0]
