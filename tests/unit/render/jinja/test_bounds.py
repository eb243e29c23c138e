"""Limits on the output of a template."""

import pytest

from salt_g.render.jinja import bounds


@pytest.mark.parametrize(
    "text",
    [
        "{% for n in range(10**9) %}{% endfor %}",
        "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
        "{{ 'x' * 10**9 }}",
        "{{ 10**9 * [0] }}",
        "{{ 9**(9**9) }}",
        "{% macro again() %}{{ again() }}{% endmacro %}{{ again() }}",
    ],
)
def test_a_template_out_of_all_proportion_is_refused(refused, text):
    assert refused(text)


def test_output_has_a_bound(refused, monkeypatch):
    monkeypatch.setattr(bounds, "MAX_OUTPUT", 1000)

    assert "more than 1000 characters" in refused("{% for n in range(2000) %}{{ n }}\n{% endfor %}")
    assert "more than 1000 characters" in refused(
        "{% macro m() %}{% for n in range(2000) %}{{ n }}{% endfor %}{% endmacro %}{% set x = m() %}"
    )


def test_ordinary_loops_and_products_work(render):
    text = "{% for n in range(3) %}{% for m in range(2) %}{{ n * m }}{% endfor %}{% endfor %}"

    assert render(text + "{{ '-' * 3 }}{{ 3 * 1.5 }}{{ 2 ** 10 }}{{ [1] * 2 }}") == "000102---4.51024[1, 1]"


def test_a_long_output_is_whole(render):
    rendered = render("{% for n in range(5000) %}{{ n }},{% endfor %}")

    assert rendered == "".join(f"{n}," for n in range(5000))
