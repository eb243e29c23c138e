"""Network filters, with the values that stock gives."""

import pytest

RENDERED = [
    ("'10.0.0.1' | is_ip", "True"),
    ("'10.0.0.1/8' | is_ip", "True"),
    ("'300.1.1.1' | is_ip", "False"),
    ("'::1' | is_ipv6(options='loopback')", "True"),
    ("'127.0.0.1' | is_ipv4('lo')", "True"),
    ("'8.8.8.8' | is_ipv4('private')", "False"),
    ("'8.8.8.8' | is_ipv4('global')", "True"),
    ("'8.8.8.8' | is_ipv4('public, nosuch')", "True"),
    ("5 | is_ip", "True"),
    ("none | is_ip", "False"),
    ("'224.0.0.1' | is_ip('multicast')", "True"),
    ("'fec0::1' | is_ipv6('sl')", "True"),
    ("'10.0.0.1' | is_ipv4('sl')", "False"),
    ("'10.0.0.1' | ipaddr", "10.0.0.1"),
    ("['10.0.0.1','::1','x'] | ipaddr", "['10.0.0.1', '::1']"),
    ("'x' | ipaddr", "None"),
    ("['10.0.0.1','8.8.8.8'] | ipv4(options='private')", "['10.0.0.1']"),
    ("'::1' | ipv4", "None"),
    ("'::1/64' | ipv6", "::1/64"),
    ("['10.0.0.1'] | ipaddr", "['10.0.0.1']"),
    ("5 | ipaddr", "None"),
    ("{'a':1} | ipv4", "None"),
    ("'10.0.0.1' | ip_host", "10.0.0.1/32"),
    ("['10.0.0.1/24','::1'] | ip_host", "['10.0.0.1/24', '::1/128']"),
    ("'x' | ip_host", "None"),
    ("'10.0.0.0/30' | network_hosts", "['10.0.0.1', '10.0.0.2']"),
    ("['10.0.0.0/31'] | network_hosts", "[['10.0.0.0', '10.0.0.1']]"),
    ("'10.0.0.5/24' | network_size", "256"),
    ("'::/120' | network_size", "256"),
    ("'x' | network_size", "None"),
    ("'10.0.0.0/30' | network_hosts(version=6)", "None"),
    ("['::1'] | network_size(version=6)", "[1]"),
    ("'::1' | ipwrap", "[::1]"),
    ("'FE80:0:0::0' | ipwrap", "[fe80::]"),
    ("['::1','10.0.0.1'] | ipwrap", "['[::1]', '10.0.0.1']"),
    ("'x' | ipwrap", "x"),
    ("'[::1]' | ipwrap", "[::1]"),
    (
        "['10.0.0.1','11.0.0.1'] | filter_by_networks(['10.0.0.0/8','10.0.0.0/16'])",
        "['10.0.0.1', '10.0.0.1']",
    ),
    (
        "{'e':['10.0.0.1'],'f':['11.0.0.1']} | filter_by_networks(['10.0.0.0/8'])",
        "{'e': ['10.0.0.1'], 'f': []}",
    ),
    ("['x'] | filter_by_networks(none)", "['x']"),
    ("'aa:bb:cc:dd:ee:ff' | mac_str_to_bytes", "b'\\xaa\\xbb\\xcc\\xdd\\xee\\xff'"),
    ("'aabbccddeeff' | mac_str_to_bytes", "b'\\xaa\\xbb\\xcc\\xdd\\xee\\xff'"),
]


@pytest.mark.parametrize(("expression", "text"), RENDERED)
def test_an_expression_renders_as_with_stock(render, expression, text):
    assert render("{{ " + expression + " }}") == text
