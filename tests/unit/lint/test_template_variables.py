"""Variables that a template sets in a condition."""

import pytest

from salt_g.lint.template_variables import is_set_in_branch

SET = "{% if x %}\n{% set v = 1 %}\n{% endif %}\n{{ v }}\n"
SEEN = {
    "a condition": (SET, 4),
    "one of several": ("{% if x %}{% elif y %}{% set v = 1 %}{% endif %}\n{{ v }}\n", 2),
    "two at once": ("{% if x %}{% set u, v = y %}{% endif %}\n{{ v }}\n", 2),
    "a block": ("{% if x %}{% set v %}text{% endset %}{% endif %}\n{{ v }}\n", 2),
    "the same loop": ("{% for i in x %}\n{% if i %}{% set v = i %}{% endif %}\n{{ v }}\n{% endfor %}\n", 3),
}
UNSEEN = {
    "no condition": ("{% set v = 1 %}\n{{ v }}\n", 2),
    "another name": (SET.replace("{{ v }}", "{{ w }}").replace("v =", "u ="), 4),
    "a loop before": ("{% for i in x %}{% if i %}{% set v = i %}{% endif %}{% endfor %}\n{{ v }}\n", 2),
    "a macro": ("{% macro m() %}{% if x %}{% set v = 1 %}{% endif %}{% endmacro %}\n{{ v }}\n", 2),
    "a broken template": ("{% if x %}{% set v = 1 %}\n{{ v }}\n", 2),
}


@pytest.mark.parametrize("name", SEEN)
def test_a_variable_is_set_in(name):
    assert is_set_in_branch(SEEN[name][0], "v", SEEN[name][1])


@pytest.mark.parametrize("name", UNSEEN)
def test_a_variable_is_not_set_by(name):
    assert not is_set_in_branch(UNSEEN[name][0], "v", UNSEEN[name][1])
