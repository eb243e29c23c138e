import pytest

from salt_g.errors import CommandExecutionError, CommandNotFound
from salt_g.modules import apache

OUTPUTS = {
    "-v": "Server version: Apache/2.4.57 (Debian)\nServer built:   2023\n",
    "-V": 'Server MPM:     event\nServer compiled with....\n -D APR_HAS_SENDFILE\n -D HTTPD_ROOT="/etc"\n',
    "-M": "Loaded Modules:\n core_module (static)\n alias_module (shared)\n",
    "-S": (
        "*:80                   is a NameVirtualHost\n"
        "         default server a.example (/etc/apache2/a.conf:1)\n"
        "         port 80 namevhost a.example (/etc/apache2/a.conf:1)\n"
    ),
    "-L": "<Directory (core.c)\n\tContainer\n\tAllowed in *.conf\n",
    "-l": "Compiled in modules:\n  core.c\n",
}


@pytest.fixture
def server(programs, installed):
    machine = programs(grains={"os_family": "Debian"})
    for flag, result in OUTPUTS.items():
        machine.answer(f" {flag}", result)
    machine.answer("configtest", stderr="Syntax OK")
    machine.answer("nosuch", retcode=1)
    installed("a2dismod", "a2enmod", "a2dissite", "a2ensite", "a2disconf")


def test_the_server_is_described(server):
    assert apache.version() == "Apache/2.4.57 (Debian)"
    assert apache.fullversion()["compiled_with"] == ["APR_HAS_SENDFILE", 'HTTPD_ROOT="/etc"']
    assert apache.modules() == {"static": ["core_module"], "shared": ["alias_module"]}
    assert apache.servermods() == ["core.c"]
    assert apache.directives() == {"<Directory (core.c)": "Container\nAllowed in *.conf"}


def test_hosts_are_listed_by_address(server):
    assert apache.vhosts() == {
        "*:80": {
            "default": {"vhost": "a.example", "conf": "/etc/apache2/a.conf:1"},
            "a.example": {"vhost": "a.example", "conf": "/etc/apache2/a.conf:1", "port": "80"},
        }
    }


def test_switching_reports_what_became_of_it(server):
    assert apache.a2enmod("rewrite")["Status"] == "Mod rewrite enabled"
    assert apache.a2dissite("nosuch") == {
        "Name": "Apache2 Disable Site",
        "Site": "nosuch",
        "Status": "Site nosuch Not found",
    }
    with pytest.raises(CommandNotFound, match="package 'apache2'"):
        apache.a2enconf("x")


def test_signals_are_words_of_a_list(server):
    assert apache.signal("configtest") == "Syntax OK"
    assert apache.signal("rm -rf") is None


def test_data_becomes_configuration(server):
    config = [
        {
            "VirtualHost": {
                "this": "*:80",
                "ServerAlias": ["a", "b"],
                "Directory": {"this": "/", "Order": "x"},
            }
        },
        {"Listen": 22},
        {"IfModule": [{"this": "m"}, {"A": "b"}]},
    ]

    text = apache.config("x", config, edit=False)

    assert text == (
        "<VirtualHost *:80>\nServerAlias a\nServerAlias b\n\n<Directory />\nOrder x\n</Directory>\n\n"
        "</VirtualHost>\n\nListen 22\n<IfModule m>\nA b\n</IfModule>\n"
    )
    with pytest.raises(CommandExecutionError, match='Specify it using key "this"'):
        apache.config("x", [{"Directory": {"Order": "x"}}], edit=False)
