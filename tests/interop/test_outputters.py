"""Outputters: the same data gives the same bytes as in stock Salt.

Needs stock Salt 3008: `SALT_G_STOCK_BIN` names the directory with its `python`. Run as a
program, this file records cases for the unit tests:

    SALT_G_STOCK_BIN=... python tests/interop/test_outputters.py > tests/unit/output/recorded.txt
"""

import ast
import json
import os
import random
import subprocess

from salt_g import output

#: Runs in stock's interpreter: cases come as Python literals on stdin, texts go out as JSON.
DRIVER = """
import ast, json, sys
import salt.config, salt.output
base = dict(salt.config.minion_config(None))
texts = []
for case in ast.literal_eval(sys.stdin.read()):
    opts = {**base, **case["opts"]}
    text = salt.output.out_format(case["data"], case["outputter"], opts, _retcode=case["retcode"])
    texts.append(text)
json.dump(texts, sys.stdout)
"""
WORDS = [
    "a",
    "web",
    "pkg.version",
    "two words",
    "line one\nline two",
    "",
    "true",
    "ünï",
    "esc \x1b[31m",
    "'q'",
]
RESULTS = [True, True, False, None]
FORMS = ["full", "terse", "mixed", "changes", "filter", "full_id", "terse_id", "changes_id"]


def make_cases(seed, number):
    dice = random.Random(seed)
    return [_case(dice) for _ in range(number)]


def _case(dice):
    name = dice.choice(
        ["nested", "nested", "json", "yaml", "raw", "pprint", "txt", "table", "key", "no_return"]
        + ["highstate"] * 8
    )
    opts = {"color": dice.random() < 0.4, "transport": "zeromq"}
    if name in ("json", "yaml", "pprint") and dice.random() < 0.5:
        opts["output_indent"] = dice.choice([-1, 2, 4, 6])
    make = {"highstate": _run, "table": _rows, "key": _keys, "no_return": _texts}.get(name, _value)
    if name == "highstate":
        opts.update(_look(dice))
    if name == "table":
        opts.update(_table(dice))
    data = {"local": make(dice)} if name != "key" else make(dice)
    if name == "highstate" and dice.random() < 0.1:
        data = dice.choice(
            [
                {"return": data},
                {"data": {"m_master": data["local"]}, "retcode": 1},
                {"m_master": data["local"], "retcode": 1},
                {"m": {"jid": "1", "fun": "x", "return": {"data": data}}},
                {"local": data["local"], "other": {}},
                [1, "a"],
            ]
        )
    return {"outputter": name, "opts": opts, "data": data, "retcode": dice.choice([0, 0, 1])}


def _value(dice, depth=0):
    kind = dice.randrange(7 if depth < 3 else 4)
    if kind == 0:
        return dice.choice([True, False, None])
    if kind == 1:
        return dice.choice([0, -3, 10**12, 1.5, 1e20, 0.1, b"bytes", b"\xff", (1, "x")])
    if kind < 4:
        return dice.choice(WORDS)
    if kind == 4:
        return [_value(dice, depth + 1) for _ in range(dice.randrange(4))]
    return {dice.choice(WORDS[:8]): _value(dice, depth + 1) for _ in range(dice.randrange(4))}


def _run(dice):
    if dice.random() < 0.1:
        return dice.choice(
            [None, 1.5, ["Rendering SLS 'base:a' failed: x\ny", "second"], "some\ntext", 3, True, []]
        )
    return dict(_state(dice, number) for number in range(dice.randrange(5)))


def _state(dice, number):
    state_id = dice.choice(["one", "two", "/etc/file"])
    name = dice.choice([state_id, "other name"])
    function = dice.choice(["installed", "managed"])
    state = {
        "name": name,
        "result": dice.choice(RESULTS),
        "comment": dice.choice(["", "short", "first\nsecond  \n", " blank "]),
        "changes": dice.choice([{}, {}, {"new": "x", "old": ["y", {"z": 1}]}, {"diff": "--- a\n+++ b\n"}]),
        "__run_num__": dice.randrange(10),
        "__id__": state_id,
        "__sls__": "top.sub",
        "start_time": f"12:00:0{number}.000000",
        "duration": dice.choice([0.5, 12.345, 2000.1]),
    }
    for key, value in (
        ("warnings", ["a warning " * 12, "b {x}"]),
        ("data", [1, "b"]),
        ("__parallel__", True),
    ):
        if dice.random() < 0.15:
            state[key] = value
    if dice.random() < 0.05:
        state["name"] = "state.sls"
        state["changes"] = {"host": dict(_state(dice, inner) for inner in range(2))}
    elif dice.random() < 0.05:
        state["changes"] = {"out": "highstate", "ret": {"host": _run(dice), "other": _run(dice)}}
    if "warnings" in state:
        state["warnings"] = [dice.choice(["a warning " * 12, "b"])]
    return f"{dice.choice(['pkg', 'file'])}_|-{state_id}_|-{name}{number}_|-{function}", state


def _look(dice):
    look = {"state_output": dice.choice(FORMS), "state_verbose": dice.random() < 0.7}
    for name, value in (
        ("state_output_diff", True),
        ("state_tabular", True),
        ("state_output_pct", True),
        ("state_output_profile", False),
        ("state_compress_ids", True),
        ("state_output_exclude", "True"),
        ("state_output_terse", ["None", "False"]),
    ):
        if dice.random() < 0.25:
            look[name] = value
    return look


def _rows(dice):
    labels = dice.sample(["interface", "mac_address", "up", "mtu"], dice.randrange(1, 4))
    rows = [
        {label: dice.choice([*WORDS[:5], "many words " * 7]) for label in labels}
        for _ in range(dice.randrange(4))
    ]
    return (
        {"eth": {"out": rows, "comment": "text"}}
        if dice.random() < 0.5
        else {"lists": [["a", "b"], ["c", "dd"]]}
    )


def _table(dice):
    options = {"justify": "left", "has_header": True, "separate_rows": True, "width": 20, "delim": " ! "}
    chosen = {f"out.table.{name}": value for name, value in options.items() if dice.random() < 0.3}
    return {**chosen, **({"out.table.rows_key": "out"} if dice.random() < 0.3 else {})}


def _keys(dice):
    states = dice.sample(["minions", "minions_pre", "minions_denied", "minions_rejected", "local"], 3)
    return {state: dice.choice([["b", "a"], {"m": "aa:bb", "k": "cc"}, []]) for state in states}


def _texts(dice):
    return dice.choice(["Minion did not return", "one\ntwo", {"b": "x", "a": "y"}])


def run_stock(stock_bin, cases):
    """Run stock's outputters on the cases in one process; return their texts."""
    finished = subprocess.run(
        [os.path.join(stock_bin, "python"), "-c", DRIVER],
        input=repr(cases),
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return json.loads(finished.stdout)


def run_ours(case):
    """Return the text of our outputter for a case; stock's driver has defaults for absent settings."""
    return output.render(
        case["outputter"],
        case["data"],
        {"state_output_profile": True, **case["opts"]},
        retcode=case["retcode"],
    )


def test_outputters_write_the_bytes_of_stock(stock_bin):
    cases = make_cases(seed=random.randrange(10**6), number=300)
    # As stock's interpreter gets them: no two values are one object, which YAML shows as an alias.
    cases = ast.literal_eval(repr(cases))

    expected = run_stock(stock_bin, cases)

    for case, text in zip(cases, expected, strict=True):
        assert run_ours(case) == text, case


if __name__ == "__main__":
    recorded = make_cases(seed=1, number=120)
    texts_of_stock = run_stock(os.environ["SALT_G_STOCK_BIN"], recorded)
    for recorded_case, recorded_text in zip(recorded, texts_of_stock, strict=True):
        print({**recorded_case, "text": recorded_text})
