"""Keywords of older versions, and what they mean today."""

import pytest

from salt_g.errors import InvocationError
from salt_g.x509 import words


def test_keywords_that_ask_for_what_happens_anyway_are_left_out():
    asked = {"version": 3, "pkcs12_embed_private_key": True, "text": True, "bits": 4096, "CRLNumber": 7}

    assert words.current_keywords(asked) == {"keysize": 4096, "cRLNumber": 7}


@pytest.mark.parametrize("asked", [{"version": 1}, {"pkcs12_embed_private_key": False}])
def test_keywords_that_ask_for_something_else_stay_and_are_refused(asked):
    with pytest.raises(InvocationError, match="Unrecognized keyword arguments"):
        words.check_known(words.current_keywords(asked), ("private_key",))
