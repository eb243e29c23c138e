"""Files that a daemon writes beside the user's own."""

import os
import stat

import pytest

from salt_g.config.daemon_written import BEACONS, SCHEDULE, own_file, read_own, write_own
from salt_g.errors import ConfigError


@pytest.mark.parametrize(
    ("include", "path"),
    [
        ("minion.d/*.conf", "/etc/salt/minion.d/beacons.conf"),
        ("*.conf", "/etc/salt/beacons.conf"),
        ("/srv/conf.d/*.conf", "/srv/conf.d/beacons.conf"),
        ("", "/etc/salt/beacons.conf"),
        (None, "/etc/salt/beacons.conf"),
    ],
)
def test_they_are_in_the_directory_of_the_included_files(include, path):
    assert own_file({"conf_file": "/etc/salt/minion", "default_include": include}, BEACONS) == path


def test_a_saved_value_is_read_and_replaced(tmp_path):
    path = str(tmp_path / "minion.d" / SCHEDULE)

    write_own(path, "schedule", {"job1": {"function": "test.ping", "when": "0644", "args": [1, None, "ü"]}})
    write_own(path, "schedule", {"job2": {"seconds": 5}})

    assert read_own(path, "schedule") == {"job2": {"seconds": 5}}
    assert read_own(path, "beacons") == {}
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert os.listdir(tmp_path / "minion.d") == [SCHEDULE]


def test_values_keep_their_types(tmp_path):
    path = str(tmp_path / "x.conf")
    values = {"a": "0644", "b": 5, "c": ["yes", True, None], "d": {"e": "2020-01-01"}, "f": "a: b\n# c"}

    write_own(path, "beacons", values)

    assert read_own(path, "beacons") == values


@pytest.mark.parametrize("text", ["", "[]", "schedule:", "schedule: [a]", "other: {a: 1}"])
def test_a_file_without_the_map_is_empty(tmp_path, text):
    (tmp_path / "f").write_text(text)

    assert read_own(str(tmp_path / "f"), "schedule") == {}
    assert read_own(str(tmp_path / "none"), "schedule") == {}


@pytest.mark.parametrize("content", [b"schedule: [", b"schedule: \xff"])
def test_invalid_content_is_reported_with_the_path(tmp_path, content):
    path = tmp_path / "f"
    path.write_bytes(content)

    with pytest.raises(ConfigError, match=str(path)):
        read_own(str(path), "schedule")
