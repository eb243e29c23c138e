"""SLS that the stateconf renderer rewrites."""

import pytest

from salt_g.errors import RenderError

TEXT = ".one:\n  test.nop: []\n.two:\n  test.nop:\n    - require:\n      - test: .one\n"


def _render(service, text, options=""):
    return service().render_text(text, pipe=f"stateconf {options} yaml . jinja", sls="web")


def test_dotted_ids_get_the_name_of_the_sls(service):
    data = _render(service, TEXT, "-G")

    assert data == {
        "web::one": {"test.nop": [{"name": "one"}]},
        "web::two": {"test.nop": [{"name": "two"}, {"require": [{"test": "web::one"}]}]},
    }


def test_the_goal_requires_all_states(service):
    data = _render(service, TEXT)

    assert data["web::goal"] == {"stateconf.set": [{"require": [{"test": "web::one"}, {"test": "web::two"}]}]}


def test_states_require_the_one_before_them(service):
    data = _render(service, "a:\n  test.nop: []\nb:\n  cmd.run: []\n", "-o -G")

    assert data["b"]["cmd.run"] == [{"require": [{"test": "a"}]}]


def test_a_requisite_against_the_order_is_refused(service):
    with pytest.raises(RenderError, match="can't require.*defined after it"):
        _render(service, "a:\n  test.nop:\n    - require:\n      - test: b\nb:\n  test.nop: []\n", "-o")


def test_configuration_before_the_marker_is_a_variable(service):
    config = ".params:\n  stateconf.set:\n    - port: 80\n# --- end of state config ---\n"
    text = config + "a{{ params.port }}:\n  test.nop: []\n"

    assert "a80" in _render(service, text, "-G")


@pytest.mark.parametrize(("text", "data"), [("- a\n", ["a"]), ("include: .other\n", {"include": ".other"})])
def test_malformed_states_are_left_unchanged(service, text, data):
    assert _render(service, text, "-G") == data


def test_an_unknown_option_is_named(service):
    with pytest.raises(RenderError, match="option -x not recognized"):
        _render(service, TEXT, "-x")
