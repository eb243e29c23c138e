"""The format of an answer."""

import json

import pytest

from salt_g.http_api.messages import Refusal
from salt_g.http_api.negotiation import JSON, YAML, accepts_gzip, encoder, prefers_page, to_json, to_yaml


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("", JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        (YAML, YAML),
        (f"{JSON};q=0.5, {YAML}", YAML),
        (f"{YAML};q=0.5, {JSON};q=0.9", JSON),
        (f"{JSON};q=0, */*", YAML),
        ("text/html, */*;q=0.1", JSON),
        (f"{JSON};q=nonsense, {YAML}", YAML),
    ],
)
def test_the_client_chooses(accept, kind):
    assert encoder(accept)[0] == kind


@pytest.mark.parametrize("accept", ["text/html", "text/csv, image/*", f"{JSON};q=0"])
def test_an_unsupported_media_type_is_refused(accept):
    with pytest.raises(Refusal) as refusal:
        encoder(accept)

    assert refusal.value.status == 406


def test_a_page_needs_its_name():
    assert prefers_page("text/html,application/xhtml+xml,*/*;q=0.8")
    assert not prefers_page("*/*")
    assert not prefers_page(f"{JSON}, text/html;q=0.5")


def test_clients_name_gzip_when_they_read_it():
    assert accepts_gzip("gzip, deflate, br")
    assert accepts_gzip("*;q=0.5")
    assert not accepts_gzip("gzip;q=0, *")
    assert not accepts_gzip("")
    assert not accepts_gzip("identity, gzip;q=0")


def test_data_that_json_has_not_becomes_text():
    assert to_json({"a": b"x", "b": {1}}) == b'{"a": "x", "b": [1]}'
    assert to_yaml({"return": [{"m1": True}]}) == b"return:\n- m1: true\n"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({b"a\xff": b"b\xff"}, b'{"a\\ufffd": "b\\ufffd"}'),
        ([float("nan"), {"a": float("-inf")}], b'[null, {"a": null}]'),
        ({float("inf"): 1, None: (2,)}, b'{"inf": 1, "null": [2]}'),
    ],
)
def test_values_unknown_to_json_have_a_substitute(data, text):
    assert to_json(data) == text


def test_a_value_too_deep_for_yaml_is_refused():
    with pytest.raises(Refusal) as refusal:
        to_yaml(json.loads("[" * 500 + "]" * 500))

    assert refusal.value.status == 406
