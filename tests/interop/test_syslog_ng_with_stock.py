"""Text of syslog-ng's statements: the same data gives the same text in stock and in salt-g."""

import json
import subprocess

import pytest

from salt_g.modules._syslog_ng_text import statement

CASES = [
    ("source.s_localhost", [{"tcp": [{"ip": "127.0.0.1"}, {"port": 1233}]}, {"udp": [{"port": [5]}]}]),
    ("s1", {"source": [{"tcp": [{"ip": "127.0.0.1"}]}]}),
    ("s2", {"log": [{"source": "x"}]}),
    ("options.global_options", [{"time_reap": 30}, {"mark_freq": 1.5}, {"keep_hostname": True}]),
    ("destination.d", [{"file": ["/var/log/x", {"template": '"$MSG\\n"'}, {"create_dirs": "yes"}]}]),
    ("filter.f_json", [{"match": ["@json:", {"value": "x"}]}, {"or": []}]),
    ("source.deep", [{"a": [{"b": [1, "x"]}, {"c": [{"d": [1, 2]}]}, {"tags": []}]}]),
    ("source.x", []),
    ("a.b.c", [{"y": 1}]),
    ("junction.x", [{"a": 1}]),
    ("log.plain", [{"source": "s"}, {"parser": "p"}, {"destination": "d"}, {"flags": "final"}]),
    ("log.channel", [{"channel": [{"filter": [{"match": ["x"]}]}]}]),
    (
        "log.junction",
        [
            {"junction": [
                {"channel": [{"filter": "f_json"}, {"flags": "final"}]},
                {"channel": [{"parser": [{"syslog-parser": []}]}, {"filter": "f"}]},
            ]},
            {"destination": [{"file": ["/x", {"a": "b"}]}]},
        ],
    ),
    ("log.log", [{"log": [{"source": "x"}]}, {"rewrite": [{"subst": ["a", "b", {"value": "c"}]}]}]),
    ("log.filter", [{"filter": []}, {"filter": [{"facility": ["mail", {"x": "y"}]}, {"level": "info"}]}]),
]  # fmt: skip
STOCK = """
import json, sys
import salt.config, salt.loader
opts = {**salt.config.minion_config("/dev/null"), "cachedir": sys.argv[2], "file_client": "local"}
functions = salt.loader.minion_mods({**opts, "grains": {}})
made = [functions["syslog_ng.config"](name, config, write=False) for name, config in json.loads(sys.argv[1])]
print(json.dumps(made))
"""


@pytest.fixture(scope="module")
def of_stock(stock_bin, tmp_path_factory):
    """Return stock's results by statement name."""
    words = [stock_bin / "python", "-c", STOCK, json.dumps(CASES), str(tmp_path_factory.mktemp("cache"))]
    ran = subprocess.run(words, capture_output=True, text=True, check=True)
    return {made["name"]: made for made in json.loads(ran.stdout.splitlines()[-1])}


@pytest.mark.parametrize(("name", "config"), CASES, ids=[name for name, _ in CASES])
def test_a_statement_has_stocks_text(name, config, of_stock):
    assert statement(name, config) == of_stock[name]["changes"]["new"]
