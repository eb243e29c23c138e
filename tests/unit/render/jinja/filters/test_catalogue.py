"""All filters together: unique names, and no caching of results that vary."""

import pytest

from salt_g.errors import RenderError
from salt_g.render.jinja.environment import Environment
from salt_g.render.jinja.filters import dates, dicts, files, formats, hashes, lists, network, text
from salt_g.render.jinja.filters.catalogue import FILTERS, volatile


def test_no_filter_hides_another():
    tables = [module.FILTERS for module in (text, lists, dicts, formats, hashes, network, dates, files)]
    tables += [module.VOLATILE for module in (text, lists, hashes, network, files)]
    tables.append(text.SECRET)

    assert sum(map(len, tables)) == len(FILTERS)


def test_a_volatile_filter_of_a_constant_is_computed_at_each_rendering():
    count = iter(range(5))
    environment = Environment(())
    environment.filters["count_up"] = volatile(lambda value: value + next(count))
    template = environment.from_string("{{ 10 | count_up }}")

    assert [template.render(), template.render()] == ["10", "11"]


@pytest.mark.parametrize(
    "expression",
    [
        "{'a': 1}.items() | yaml_encode",
        "range(2) | yaml_encode",
        "true | is_text_file",
        "0 | is_text_file",
        "1.5 | compare_dicts({'a': 1})",
    ],
)
def test_a_value_that_a_filter_cannot_take_is_an_error(render, expression):
    with pytest.raises(RenderError):
        render(f"{{{{ {expression} }}}}")
