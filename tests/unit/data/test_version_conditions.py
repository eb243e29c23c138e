from salt_g.data import version_conditions


def order(first, second):
    return (int(first) > int(second)) - (int(first) < int(second))


def test_split_comparison_takes_the_operator_off():
    assert version_conditions.split_comparison(">=1.2") == (">=", "1.2")
    assert version_conditions.split_comparison("> 1.2") == (">", "1.2")
    assert version_conditions.split_comparison("1.2") == ("", "1.2")


def test_conditions_read_a_list_and_take_equality_for_granted():
    assert version_conditions.conditions(">=1, <2") == [(">=", "1"), ("<", "2")]
    assert version_conditions.conditions("=3") == [("==", "3")]
    assert version_conditions.conditions(" ") == []


def test_satisfies_asks_the_order():
    assert version_conditions.satisfies("2", ">", "1", order)
    assert not version_conditions.satisfies("2", "!=", "2", order)


def test_an_unknown_operator_or_undecidable_order_is_never_satisfied():
    assert not version_conditions.satisfies("2", "<>", "1", order)
    assert not version_conditions.satisfies("2", ">", "1", lambda first, second: None)


def test_first_match_returns_the_first_that_fulfils_the_condition():
    assert version_conditions.first_match("<3", ["4", "2", "1"], order) == "2"
    assert version_conditions.first_match("9", ["4", "2"], order) is None
