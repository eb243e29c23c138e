"""Eviction of tokens when a user, or all users together, have too many."""

from salt_g.auth.token_index import TokenIndex

FRED, ANN = {"eauth": "pam", "name": "fred"}, {"eauth": "pam", "name": "ann"}


def token(who, start, expire=100):
    return {**who, "start": start, "expire": expire}


def test_the_oldest_of_a_user_make_room_for_the_next():
    index = TokenIndex(of_one_user=2, most=10)
    for path, start in (("b", 2), ("a", 1), ("c", 3)):
        index.add(path, token(FRED, start))
    index.add("x", token(ANN, 0))

    assert index.surplus(FRED, now=50) == ["a", "b"]
    assert len(index) == 2


def test_expired_ones_of_the_user_go_first():
    index = TokenIndex(of_one_user=3, most=10)
    index.add("old", token(FRED, 1, expire=10))
    index.add("new", token(FRED, 2))
    index.add("else", token(ANN, 1, expire=10))

    assert index.surplus(FRED, now=50) == ["old"]
    assert index.surplus(FRED, now=50) == []


def test_when_all_together_are_too_many_the_oldest_of_anybody_goes():
    index = TokenIndex(of_one_user=5, most=3)
    for path, who, start in (("f", FRED, 2), ("a", ANN, 1), ("n", ANN, 3)):
        index.add(path, token(who, start))

    assert index.surplus(FRED, now=50) == ["a"]


def test_one_module_of_logins_does_not_count_for_another():
    index = TokenIndex(of_one_user=1, most=10)
    index.add("p", token(FRED, 1))

    assert index.surplus({"eauth": "ldap", "name": "fred"}, now=50) == []


def test_a_record_without_fields_belongs_to_nobody_and_goes_first():
    index = TokenIndex(of_one_user=5, most=2)
    index.add("whole", token(FRED, 1))
    index.add("broken", {})

    assert index.surplus(FRED, now=50) == ["broken"]


def test_a_discarded_token_is_forgotten_and_discarding_twice_is_harmless():
    index = TokenIndex(of_one_user=1, most=10)
    index.add("a", token(FRED, 1))

    index.discard("a")
    index.discard("a")

    assert len(index) == 0
    assert index.surplus(FRED, now=50) == []
