"""Digest filters, with the values that stock gives."""

import pytest

RENDERED = [
    ("'x' | md5", "9dd4e461268c8034f5c8564e155c67a6"),
    ("'é' | sha1", "bf15be717ac1b080b4f1c456692825891ff5073d"),
    ("'x' | sha256", "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"),
    ("'x' | hmac('k','zz')", "False"),
    ("'x' | hmac_compute('k')", "c38edc8815c8489f64738978f44008f8596345545f0baa68ef6fcf5c53e57189"),
    ("'é' | base64_encode", "w6k="),
    ("'w6k=' | base64_decode", "é"),
    ("'/w==' | base64_decode", "b'\\xff'"),
    ("'x' | to_bytes | base64_encode", "eA=="),
]


@pytest.mark.parametrize(("expression", "text"), RENDERED)
def test_an_expression_renders_as_with_stock(render, expression, text):
    assert render("{{ " + expression + " }}") == text
