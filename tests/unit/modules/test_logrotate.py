import pytest

from salt_g.errors import InvocationError
from salt_g.modules import logrotate

TEXT = """\
# all
weekly
rotate 4
/var/log/a
/var/log/b {
    missingok
    create 0660 root utmp
    postrotate
        /bin/true {x}
    endscript
}
include {directory}
"""


@pytest.fixture
def conf(tmp_path, call_context):
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "app").write_text("/var/log/c/*.log {\n  daily\n}\n")
    path = tmp_path / "logrotate.conf"
    path.write_text(TEXT.replace("{directory}", str(tmp_path / "d")))
    calls = []
    call_context(functions={"file.replace": lambda **how: calls.append(how) or True})
    return str(path), calls


def test_settings_blocks_and_scripts_are_read(conf):
    found = logrotate.show_conf(conf[0])

    assert (found["weekly"], found["rotate"]) == (True, 4)
    assert found["/var/log/b"]["postrotate"] == ["/bin/true {x}"]
    assert found["/var/log/a"] == found["/var/log/b"]
    assert found["include files"] == {"app": ["/var/log/c/*.log"]}


def test_a_setting_of_a_block_is_set_in_the_file_that_has_it(conf):
    logrotate.set_("/var/log/c/*.log", "rotate", 5, conf[0])

    (how,) = conf[1]
    assert how["path"].endswith("/d/app")
    assert how["repl"] == "/var/log/c/*.log {\n    daily \n    rotate 5\n}"


def test_an_equal_setting_is_not_written(conf):
    assert logrotate.set_("rotate", 4, conf_file=conf[0]) is True
    assert conf[1] == []


def test_blocks_and_settings_are_not_confused(conf):
    with pytest.raises(InvocationError, match="includes a dict"):
        logrotate.set_("/var/log/b", 4, conf_file=conf[0])
    with pytest.raises(InvocationError, match="is not a dict"):
        logrotate.set_("rotate", "x", 4, conf[0])
