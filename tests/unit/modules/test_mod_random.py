"""Random values, which with a seed equal stock's."""

import pytest

from salt_g.errors import InvocationError, SaltGError
from salt_g.modules import mod_random


def test_hash_and_encodings():
    assert mod_random.hash("a", "md5") == "0cc175b9c0f1b6a831c399e269772661"
    assert mod_random.str_encode("a") == "YQ=="
    assert mod_random.str_encode("a", "hex") == "61"


def test_impossible_arguments_are_refused():
    with pytest.raises(SaltGError, match="valid algorithm"):
        mod_random.hash("a", "nosuch")
    with pytest.raises(InvocationError, match="valid encoder"):
        mod_random.str_encode("a", "nosuch")
    with pytest.raises(InvocationError, match="encode-able"):
        mod_random.str_encode(1)


def test_texts_have_the_wanted_characters():
    assert len(mod_random.get_str(128)) == 128
    assert set(mod_random.get_str(50, chars="ab")) <= {"a", "b"}
    assert mod_random.get_str(50, punctuation=False).isalnum()


def test_no_characters_to_choose_from_is_refused():
    with pytest.raises(InvocationError, match="no characters"):
        mod_random.get_str(1, lowercase=False, uppercase=False, digits=False, punctuation=False)


def test_a_seed_makes_chance_repeat():
    assert mod_random.shuffle([1, 2, 3, 4, 5], seed="x") == mod_random.shuffle([1, 2, 3, 4, 5], seed="x")
    assert mod_random.rand_int(1, 1000, seed=3) == mod_random.rand_int(1, 1000, seed=3)
    assert mod_random.seed(10, hash="web1") == mod_random.seed(10, hash="web1")


def test_the_seed_is_the_minion_s_id(call_context):
    call_context(grains={"id": "web1"})

    assert mod_random.seed(1000) == mod_random.seed(1000, hash="web1")
