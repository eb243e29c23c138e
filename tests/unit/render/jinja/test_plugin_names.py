"""Functions of users' plugins as filters, tests and globals of templates."""

import jinja2
import pytest

from salt_g.compat.utils.calls.decorators.jinja import JinjaFilter, jinja_filter, jinja_global, jinja_test
from salt_g.render.jinja import plugin_names
from salt_g.render.jinja.environment import Environment, compiled


def rendered(text):
    return Environment.of_rendering((), {}).from_code(compiled((), text, None, None)).render()


def test_names_declared_by_a_plugin_are_known_to_templates_rendered_afterwards():
    with pytest.raises(jinja2.TemplateError):
        rendered("{{ 2 | plugged_double }}")

    doubled = jinja_filter("plugged_double")(lambda value: value * 2)
    jinja_test("plugged_big")(lambda value: value > 3)

    @jinja_global()
    def plugged_four():
        return 4

    try:
        assert rendered("{{ 2 | plugged_double }} {{ plugged_four() is plugged_big }}") == "4 True"
        assert JinjaFilter.salt_jinja_filters["plugged_double"] is doubled
    finally:
        for names in (plugin_names.FILTERS, plugin_names.TESTS, plugin_names.GLOBALS):
            for name in [each for each in names if each.startswith("plugged_")]:
                del names[name]
