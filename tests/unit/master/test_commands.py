"""Tables of commands."""

import pytest

from salt_g.errors import WireError
from salt_g.master.commands import Field, WireCommand, merged, serve
from salt_g.wire.aes import Crypticle
from salt_g.wire.packing import pack, unpack
from salt_g.wire.requests import SealedRequest


def request(**load):
    return SealedRequest("m1", load, "", Crypticle.generate(), "", "", 3)


def echo(request, load):
    return load


FIELDS = {"name": Field((str,), required=True, max_size=5), "count": Field((int,))}


def test_a_command_gets_its_declared_fields_and_the_proven_id():
    sent = request(cmd="go", id="other", ts=1, name="x", secret="y")

    reply, is_sealed = serve({"go": WireCommand(echo, FIELDS)}, sent)

    assert reply == {"cmd": "go", "id": "m1", "ts": 1, "name": "x"}
    assert not is_sealed


@pytest.mark.parametrize("fields", [{}, {"name": 1}, {"name": "longer"}, {"name": "x", "count": True}])
def test_fields_that_do_not_fit_are_refused(fields):
    assert serve({"go": WireCommand(echo, FIELDS)}, request(cmd="go", **fields)) == ("", False)


@pytest.mark.parametrize("sent", [b"", b"abcdefgh", "č".encode() * 4, b"\xff" * 8, bytes(8)])
def test_bytes_arrive_as_bytes_also_if_they_are_text(sent):
    """The wire encodes text and bytes alike; a digest that was valid UTF-8 was refused."""
    load = unpack(pack({"cmd": "go", "digest": sent}))

    reply, _ = serve({"go": WireCommand(echo, {"digest": Field((bytes,), max_size=8)})}, request(**load))

    assert reply["digest"] == sent


@pytest.mark.parametrize("cmd", ["gone", "__init__", None, 5, ["go"]])
def test_an_unknown_command_does_nothing(cmd):
    assert serve({"go": WireCommand(echo, {})}, request(cmd=cmd)) == ({}, False)


def test_a_command_that_fails_sends_no_reason():
    def fail(request, load):
        raise ValueError("of us")

    assert serve({"go": WireCommand(fail, {})}, request(cmd="go")) == ("", False)


def test_a_refusal_is_for_the_transport():
    def refuse(request, load):
        raise WireError("no")

    with pytest.raises(WireError):
        serve({"go": WireCommand(refuse, {})}, request(cmd="go"))


def test_a_command_has_one_owner():
    with pytest.raises(ValueError, match="go"):
        merged({"go": WireCommand(echo, {})}, {"go": WireCommand(echo, {})})
