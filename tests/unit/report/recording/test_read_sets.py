"""Transmitted read-sets, and the names that a query looks for."""

import zlib

import pytest

from salt_g.errors import InvocationError
from salt_g.report.recording.read_paths import LONGEST
from salt_g.report.recording.read_sets import (
    MAX_BODY,
    MAX_TEXT,
    SIZE,
    is_broad,
    names_of,
    opened,
    packed,
    question,
)
from salt_g.report.recording.reads import EVERYTHING

NAMES = {"": {"salt://top.sls": "aa"}, "web": {"pillar:nginx:port": "", "salt://web.sls": "bb"}}


def test_equal_sets_have_equal_bytes_and_come_back():
    data = packed(NAMES)

    assert data == packed(dict(reversed(NAMES.items())))
    digest, body = opened(data)
    assert (len(digest), names_of(body)) == (SIZE, NAMES)
    assert opened(digest) == (digest, b"")


def test_a_set_that_is_too_large_reads_everything():
    import secrets

    names = {"web": {f"salt://{secrets.token_hex(200)}": "" for _ in range(2000)}}

    assert names_of(opened(packed(names))[1]) == {"": dict.fromkeys(EVERYTHING, "")}


@pytest.mark.parametrize(
    "data", [b"", b"short", packed(NAMES)[:-1], packed(NAMES) + b"x", bytes(SIZE) + bytes(MAX_BODY + 1)]
)
def test_damaged_sets_are_refused(data):
    with pytest.raises(ValueError, match="read-set"):
        opened(data)


@pytest.mark.parametrize(
    "body",
    [
        b"no zlib",
        zlib.compress(b"[]"),
        zlib.compress(b'{"web": 1}'),
        zlib.compress(b"{"),
        zlib.compress(b" " * (MAX_TEXT + 1)),
        zlib.compress(b"{}")[:-2],
        zlib.compress(b"\xff"),
    ],
)
def test_bodies_that_are_no_set_are_refused(body):
    with pytest.raises(ValueError):
        names_of(body)


def test_names_are_what_databases_take():
    body = zlib.compress(('{"a\\u0000": {"\\ud800' + "x" * 900 + '": 5}}').encode())

    ((owner, names),) = names_of(body).items()

    assert owner == "a?" and list(names.values()) == ["5"]
    assert next(iter(names)) == "?" + "x" * (LONGEST - 1)


@pytest.mark.parametrize(
    ("text", "read", "others"),
    [
        (
            "salt://nginx/site.conf",
            ["salt://nginx/site.conf", "salt://nginx", "salt://", "salt://nginx/site.conf?saltenv=dev"],
            ["salt://nginx/site.conf2", "salt://nginx/other", "salt://site.conf", "pillar"],
        ),
        ("salt://nginx/", ["salt://nginx/site.conf", "salt://nginx/a/b"], ["salt://nginx2/site.conf"]),
        ("salt://", ["salt://nginx/site.conf", "salt://a?saltenv=dev"], ["pillar:a"]),
        ("salt://a?saltenv=dev", ["salt://a?saltenv=dev", "salt://?saltenv=dev"], ["salt://a"]),
        ("salt://a?saltenv=base", ["salt://a"], ["salt://a?saltenv=dev"]),
        ("salt://|b/a?b=1", ["salt://b/a?b=1", "salt://b", "salt://b/a?b=1?saltenv=dev"], ["salt://b/a"]),
        (
            "pillar:nginx:port",
            ["pillar:nginx:port", "pillar:nginx", "pillar", "pillar:nginx:port:tls"],
            ["pillar:nginx:user", "pillar:nginx:ports", "grain:nginx:port"],
        ),
        ("pillar:nginx:*", ["pillar:nginx:port", "pillar:nginx"], ["pillar:nginxes"]),
        ("pillar", ["pillar", "pillar:a"], ["grain:a"]),
        ("grains:os", ["grain:os", "grain"], ["grain:os_family"]),
        ("function:cmd.run", ["function:cmd.run", "function"], ["function:cmd.run_all"]),
        ("function:cmd", ["function:cmd.run", "function:cmd.run_all"], ["function:cmdmod.run"]),
        ("mine:network.ip_addrs", ["mine:network.ip_addrs", "mine"], ["mine:network.ip_addrs6"]),
    ],
)
def test_a_question_covers_what_is_above_and_below(text, read, others):
    asks = question(text)

    assert [name for name in read if not asks.covers(name)] == []
    assert [name for name in others if asks.covers(name)] == []


@pytest.mark.parametrize("text", ["", "nginx", "pillars:nginx", "/etc/motd", "http://x/y"])
def test_a_malformed_question_is_refused_with_the_valid_forms(text):
    with pytest.raises(InvocationError, match="write salt://PATH, pillar:KEY"):
        question(text)


@pytest.mark.parametrize("text", ["salt://x?foo=1", "salt://x?", "salt://x?saltenv=", "salt://x?env=dev"])
def test_a_url_with_another_query_than_the_environment_is_refused(text):
    with pytest.raises(InvocationError, match=r"only \?saltenv=ENV can follow a path"):
        question(text)


def test_everything_of_a_kind_is_broad():
    assert all(map(is_broad, EVERYTHING)) and not is_broad("pillar:nginx")
