"""Values `NACL[...]`, decrypted by the function `nacl.dec`."""

import pytest

from salt_g.errors import CommandExecutionError, RenderError
from salt_g.render.nacl import render
from salt_g.render.request import RenderRequest


def dec(message):
    if message == "bad":
        raise CommandExecutionError("encrypted with another key")
    return f"open {message}"


@pytest.fixture
def request_of_call(call_context):
    call_context(functions={"nacl.dec": dec})
    return RenderRequest({}, None, path="/srv/pillar/a.sls")


def test_whole_values_are_decrypted_wherever_they_are(request_of_call):
    data = {"a": "NACL[x]", "b": [" NACL[y=]\n", 1], "c": {"d": "NACL[z]"}}

    assert render(data, request_of_call) == {"a": "open x", "b": ["open y=", 1], "c": {"d": "open z"}}


def test_other_texts_stay(request_of_call):
    data = ["pre NACL[x]", "NACL[", "nacl[x]", None]

    assert render(list(data), request_of_call) == data


def test_an_undecryptable_value_is_an_error_of_the_file(request_of_call):
    with pytest.raises(RenderError, match=r"cannot be decrypted: encrypted with another key") as caught:
        render({"a": "NACL[bad]"}, request_of_call)

    assert caught.value.path == "/srv/pillar/a.sls"
