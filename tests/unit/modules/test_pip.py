"""`pip.*`, with recorded output of pip."""

import json

from salt_g.modules import pip

OUTDATED = [
    {"name": "Foo_Bar", "version": "1.0", "latest_version": "2.0", "latest_filetype": "wheel"},
]


def test_an_upgrade_is_found_by_any_spelling_of_the_name(programs):
    programs().answer("list --outdated", json.dumps(OUTDATED))

    assert [pip.upgrade_available(name) for name in ("Foo_Bar", "foo-bar", "foo.bar")] == [True] * 3
    assert pip.upgrade_available("foobar") is False
    assert pip.list_upgrades() == {"Foo_Bar": "2.0 [wheel]"}
