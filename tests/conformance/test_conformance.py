"""Run the recorded conformance cases of the state language against the real command.

The cases live outside of this repository (a folder with `run.py` beside them); the variable
SALT_G_CONFORMANCE names it, and by default it is looked for at `../shared/conformance`.
"""

import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
CASES = pathlib.Path(os.environ.get("SALT_G_CONFORMANCE") or ROOT.parent / "shared" / "conformance")
AREAS = sorted(path.name for path in CASES.iterdir() if path.is_dir()) if CASES.is_dir() else []


@pytest.mark.skipif(not AREAS, reason=f"no conformance cases at {CASES}; set SALT_G_CONFORMANCE")
@pytest.mark.parametrize("area", AREAS)
def test_every_case_of_the_area_gives_stocks_result(area, tmp_path):
    report = tmp_path / "report.json"
    program = pathlib.Path(sys.executable).with_name("salt-g")

    finished = subprocess.run(
        [
            sys.executable,
            CASES / "run.py",
            "--cmd",
            f"{program} call",
            CASES / area,
            "-j",
            "2",
            "--json",
            report,
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=1200,
    )

    cases = json.loads(report.read_text())["cases"] if report.exists() else []
    failed = [case["case"] for case in cases if case["status"] == "failed"]
    assert finished.returncode == 0, f"{area}: {failed or finished.stderr}\n{finished.stdout}"
