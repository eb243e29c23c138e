"""SLS written in Python."""

import pytest

from salt_g.render.pyobjects_states import DuplicateState, InvalidFunction


def _render(service, text, **settings):
    return service(**settings).render_text(text, pipe="pyobjects", sls="a")


def test_states_and_with_blocks_become_high_data(service):
    text = "with Test.nop('one'):\n    Test.nop('two', x=1, watch=SshAuth('k'))\n"

    assert _render(service, text) == {
        "one": {"test.nop": []},
        "two": {"test.nop": [{"require": [{"test": "one"}]}, {"watch": [{"ssh_auth": "k"}]}, {"x": 1}]},
    }


def test_includes_and_extends_are_beside_the_states(service):
    text = "include('b')\nTest.nop(extend('c'), y=2)\n"

    assert _render(service, text) == {"include": ["b"], "extend": {"c": {"test.nop": [{"y": 2}]}}}


def test_the_same_function_twice_is_refused(service):
    with pytest.raises(DuplicateState):
        _render(service, "Test.nop('a')\nTest.nop('a')\n")


def test_an_unknown_function_is_refused(service):
    with pytest.raises(InvalidFunction, match="'nosuch' does not exist"):
        _render(service, "Test.nosuch('a')\n")


def test_a_map_takes_the_values_of_its_grain(service):
    text = (
        "class Names(Map):\n    merge = 'names'\n"
        "    class Debian:\n        web = 'apache2'\n        port = 1\n"
        "    class RedHat:\n        web = 'httpd'\nTest.nop(Names.web, port=Names.port)\n"
    )

    assert _render(service, text, pillar={"names": {"port": 80}}) == {"apache2": {"test.nop": [{"port": 80}]}}


def test_names_of_other_files_can_be_imported(service, files):
    files.add("lib.sls", "class Ports(Map):\n    class Debian:\n        web = 80\n")
    imports = "from salt://lib.sls import Ports as P\nimport salt://lib.sls\n"
    text = imports + "Test.nop('a', a=P.web, b=lib.Ports.web)\n"

    assert _render(service, text) == {"a": {"test.nop": [{"a": 80}, {"b": 80}]}}
