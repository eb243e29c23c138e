"""Conditions: the form of a Python expression without its powers."""

import pytest

from salt_g.states._condition import evaluate


@pytest.mark.parametrize(
    ("condition", "result", "truth"),
    [
        ("m_ret is True", True, True),
        ("m_ret is not None", None, False),
        ('m_ret["a"] > 1 and "b" in m_ret', {"a": 2, "b": 0}, True),
        ("not m_ret", "", True),
        ("m_ret == 1 or m_ret == 2", 2, True),
        ("len(m_ret) >= 2", "abc", True),
        ("1 < m_ret <= 3", 3, True),
        ("m_ret[-1] in ['x', 'y']", "abx", True),
        ("m_ret.startswith('ok') and m_ret.strip().upper() == 'OK'", "ok ", True),
        ("m_ret % 2 == 1", 3, True),
        ("m_ret.get('a', 5) == 5", {}, True),
    ],
)
def test_comparisons_and_look_ups_are_evaluated(condition, result, truth):
    assert bool(evaluate(condition, {"m_ret": result})) is truth


@pytest.mark.parametrize(
    "condition",
    [
        "__import__('os')",
        "m_ret.__class__",
        "m_ret.__class__.__mro__",
        "open('/etc/passwd')",
        "[x for x in m_ret]",
        "lambda: 1",
        "2 ** 9 ** 9",
        "m_ret.pop()",
        "other",
        "str(m_ret, encoding='utf-8')",
        "f'{m_ret}'",
        "m_ret =",
    ],
)
def test_everything_else_is_refused_by_name(condition):
    with pytest.raises(ValueError, match="condition"):
        evaluate(condition, {"m_ret": [1]})
