"""List filters, with the values that stock gives."""

import pytest

RENDERED = [
    ("[1,2,1] | unique", "[1, 2]"),
    ("'aab' | unique | sort", "['a', 'b']"),
    ("[[1],[1]] | unique", "[[1]]"),
    ("[3,1] | min", "1"),
    ("[3,1] | max", "3"),
    ("[1,2] | avg", "1.5"),
    ("5 | avg", "5.0"),
    ("[1,2] | union([2,3])", "[1, 2, 3]"),
    ("[1,2] | intersect([2])", "[2]"),
    ("[1,2] | difference([2])", "[1]"),
    ("[1,2] | symmetric_difference([2,3])", "[1, 3]"),
    ("'abc' | intersect('bcd') | sort", "['b', 'c']"),
    ("'abc' | union('cd') | sort", "['a', 'b', 'c', 'd']"),
    ("[1,2,3,4] | random_shuffle(seed='x')", "[4, 3, 2, 1]"),
    ("[1,2,3,4,5,6] | random_sample(2, seed='m1')", "[3, 5]"),
    ("[1,[2,[3]]] | flatten", "[1, 2, 3]"),
    ("[1,[2,[3]]] | flatten(1)", "[1, 2, [3]]"),
    ("[1,[2,[3]]] | flatten(levels=0)", "[1, [2, [3]]]"),
    ("[1,none,'None','null',[none]] | flatten", "[1]"),
    ("[1,none,[none]] | flatten(preserve_nulls=true)", "[1, None, None]"),
    ("['ab',['cd']] | flatten", "['ab', 'cd']"),
    ("[{'a':1}] | flatten", "['a']"),
    ("'abc' | flatten", "['a', 'b', 'c']"),
    ("['b','A','c'] | sorted_ignorecase", "['A', 'b', 'c']"),
    ("[1] | is_list", "True"),
    ("(1,) | is_list", "False"),
    ("{} | is_iter", "True"),
    ("'a' | is_iter", "False"),
    ("5 | is_iter", "False"),
    ("'a' | is_iter(ignore=none)", "True"),
    ("[true,1,0] | exactly_n_true(2)", "True"),
    ("[1,1,1] | exactly_n_true(2)", "False"),
    ("[] | exactly_n_true(0)", "True"),
    ("[1] | exactly_one_true", "True"),
    ("[1,1] | exactly_one_true", "False"),
    ("[1,2] | compare_lists([2,3])", "{'new': [3], 'old': [1]}"),
    ("[1] | compare_lists([1])", "{}"),
    ("{'a':1} | compare_dicts({'a':1})", "{}"),
    ("{'a':1} | compare_dicts({'b':1})", "{'a': {'new': '', 'old': 1}, 'b': {'old': '', 'new': 1}}"),
    ("[1,2,3] | combinations(2) | list", "[(1, 2), (1, 3), (2, 3)]"),
    ("[1,2] | combinations_with_replacement(2) | list", "[(1, 1), (1, 2), (2, 2)]"),
    ("'ab' | permutations | list", "[('a', 'b'), ('b', 'a')]"),
    ("[1] | product([2],repeat=2) | list", "[(1, 2, 1, 2)]"),
    ("[1] | zip([2],[3]) | list", "[(1, 2, 3)]"),
    ("[1,2] | zip_longest([3]) | list", "[(1, 3), (2, None)]"),
]


@pytest.mark.parametrize(("expression", "text"), RENDERED)
def test_an_expression_renders_as_with_stock(render, expression, text):
    assert render("{{ " + expression + " }}") == text
