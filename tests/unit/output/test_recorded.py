"""Outputters, compared with stock's output of generated data (see `tests/interop/test_outputters.py`)."""

import ast
import pathlib

import pytest

from salt_g import output

CASES = [
    ast.literal_eval(line)
    for line in pathlib.Path(__file__).with_name("recorded.txt").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=[f"{n}-{case['outputter']}" for n, case in enumerate(CASES)])
def test_text_is_what_stock_wrote(case):
    opts = {"state_output_profile": True, **case["opts"]}

    text = output.render(case["outputter"], case["data"], opts, retcode=case["retcode"])

    assert text == case["text"]
