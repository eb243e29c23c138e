"""Grains of salt-g and of stock Salt on this machine differ only where docs/grains.md says so."""

import json
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "grains.md"
SECTION = "## Grains that differ from Salt's on the same machine"


def intended_differences():
    section = PAGE.read_text(encoding="utf-8").partition(SECTION)[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE))


def grains_of(command, config):
    options = ["--local", "-c", str(config), "--out=json", "-l", "quiet", "grains.items"]
    finished = subprocess.run([*command, *options], capture_output=True, text=True, timeout=60, check=False)
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)["local"]


def test_every_difference_is_listed_with_its_reason(tmp_path, stock_bin):
    (tmp_path / "minion").write_text(f"id: differ\nfile_client: local\nroot_dir: {tmp_path}\n")
    stock = grains_of([str(stock_bin / "salt-call")], tmp_path)
    ours = grains_of([str(pathlib.Path(sys.executable).with_name("salt-g")), "call"], tmp_path)

    differing = {
        name: (stock.get(name, "missing"), ours.get(name, "missing"))
        for name in {*stock, *ours}
        if stock.get(name, "missing") != ours.get(name, "missing")
    }

    unlisted = {name: both for name, both in differing.items() if name not in intended_differences()}
    assert not unlisted, f"(Salt's value, ours) of grains that docs/grains.md does not list: {unlisted}"


def test_the_list_names_grains():
    assert "saltgversion" in intended_differences()
