from salt_g import versions


def order(first, second):
    return (int(first) > int(second)) - (int(first) < int(second))


def test_split_comparison_takes_the_operator_off():
    assert versions.split_comparison(">=1.2") == (">=", "1.2")
    assert versions.split_comparison("> 1.2") == (">", "1.2")
    assert versions.split_comparison("1.2") == ("", "1.2")


def test_conditions_read_a_list_and_take_equality_for_granted():
    assert versions.conditions(">=1, <2") == [(">=", "1"), ("<", "2")]
    assert versions.conditions("=3") == [("==", "3")]
    assert versions.conditions(" ") == []


def test_satisfies_asks_the_order():
    assert versions.satisfies("2", ">", "1", order)
    assert not versions.satisfies("2", "!=", "2", order)


def test_an_unknown_operator_or_an_order_that_cannot_tell_is_never_satisfied():
    assert not versions.satisfies("2", "<>", "1", order)
    assert not versions.satisfies("2", ">", "1", lambda first, second: None)


def test_first_match_returns_the_first_that_fulfils_the_condition():
    assert versions.first_match("<3", ["4", "2", "1"], order) == "2"
    assert versions.first_match("9", ["4", "2"], order) is None
