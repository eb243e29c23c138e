"""Declarations of an SLS found in its source."""

import pytest

from salt_g.lint.possible_declarations import PossibleDeclarations, declarations_in, joined

SLS = (
    "web:",
    "  pkg.installed:",
    "    - name: nginx  # of the distribution",
    "{{ web.conf }}:",
    "  file.managed: []",
    "user_{{ name }}:",
    "'/srv/{{ name }}.conf':",
    "    - require:",
)


@pytest.mark.parametrize("wanted", ["web", "nginx", "user_bob", "/srv/bob.conf"])
def test_a_name_that_a_line_declares_may_be_there(wanted):
    assert declarations_in(SLS).may_have(wanted)


@pytest.mark.parametrize("wanted", ["wep", "require", "/srv/bob", "users"])
def test_other_names_are_not(wanted):
    assert not declarations_in(SLS).may_have(wanted)


@pytest.mark.parametrize(
    "line", ["      - file: {{ web.conf }}", "      - {{web.conf}}", "  {{ web.conf }}:"]
)
def test_a_reference_by_the_same_expression_may_be_there(line):
    assert declarations_in(SLS).may_have("/etc/web.conf", line)


@pytest.mark.parametrize("line", ["      - file: {{ web.config }}", "      - file: /etc/web.conf"])
def test_another_reference_is_not(line):
    assert not declarations_in(SLS).may_have("/etc/web.conf", line)


def test_compiled_declarations_can_be_left_out():
    found = declarations_in(SLS).without({"web"})

    assert not found.may_have("web")
    assert found.may_have("nginx")


def test_declarations_of_several_files_are_one():
    found = joined([declarations_in(("a:",)), declarations_in(("user-{{ x }}:",)), PossibleDeclarations()])

    assert found.may_have("a") and found.may_have("user-1")
    assert joined([]) == PossibleDeclarations()
