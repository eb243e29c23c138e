"""Encrypted values of pillar."""

import pytest

from salt_g.errors import RenderError
from salt_g.pillar.decrypt import decrypt_values


def decrypted(pillar, wanted, **opts):
    """Return the pillar and the errors; decrypting reverses a text."""

    def decrypt(text, renderer):
        if text == "broken":
            raise RenderError("no key")
        return f"{renderer}:{text[::-1]}"

    errors = decrypt_values(pillar, {"decrypt_pillar": wanted, **opts}, decrypt)
    return pillar, errors


@pytest.mark.parametrize("wanted", [["a:b"], [{"a:b": "gpg"}], {"a:b": "gpg"}, {"a:b": None}])
def test_a_path_may_be_named_in_several_ways(wanted):
    assert decrypted({"a": {"b": "xy", "c": "xy"}}, wanted) == ({"a": {"b": "gpg:yx", "c": "xy"}}, [])


def test_texts_at_any_depth_are_decrypted_and_other_values_stay():
    pillar = {"a": {"b": ["xy", {"c": "xy"}], "n": 5, "e": None}}

    assert decrypted(pillar, ["a"])[0] == {"a": {"b": ["gpg:yx", {"c": "gpg:yx"}], "n": 5, "e": None}}


@pytest.mark.parametrize("path", ["no", "a:no", "a:b:c", "a:b:c:d"])
def test_a_missing_path_is_not_an_error(path):
    assert decrypted({"a": {"b": "xy"}}, [path]) == ({"a": {"b": "xy"}}, [])


def test_only_allowed_renderers_decrypt():
    pillar, errors = decrypted({"a": "xy"}, [{"a": "jinja"}])

    assert pillar == {"a": "xy"}
    assert errors == [
        "Failed to decrypt pillar key 'a': 'jinja' is not a valid decryption renderer. Valid choices are: gpg"
    ]


def test_settings_choose_the_renderer_and_the_delimiter():
    opts = {
        "decrypt_pillar_default": "own",
        "decrypt_pillar_renderers": ["own"],
        "decrypt_pillar_delimiter": "|",
    }

    assert decrypted({"a": {"b:c": "xy"}}, ["a|b:c"], **opts) == ({"a": {"b:c": "own:yx"}}, [])


def test_a_value_that_fails_is_an_error_and_the_others_are_decrypted():
    pillar, errors = decrypted({"a": "broken", "b": "xy"}, ["a", "b"])

    assert pillar == {"a": "broken", "b": "gpg:yx"}
    assert errors == ["Failed to decrypt pillar key 'a': no key"]


def test_a_setting_of_another_kind_is_an_error():
    assert decrypted({}, "a:b")[1] == ["decrypt_pillar config option is malformed"]
