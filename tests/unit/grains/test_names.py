"""Host names of this machine."""

import socket

from salt_g.grains.names import fqdns, hostname


def test_the_host_is_the_first_part_of_the_fqdn():
    found = hostname()

    assert found["localhost"] == socket.gethostname()
    assert found["fqdn"].startswith(found["host"])
    assert found["fqdn"] == ".".join(part for part in (found["host"], found["domain"]) if part)


def test_the_resolver_is_not_queried_when_the_setting_is_off(call_context):
    call_context(opts={"enable_fqdns_grains": False})

    assert fqdns() == {"fqdns": []}
