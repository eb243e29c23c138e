"""The conformance cases (README.md), run with the real command."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
CASES = HERE / "cases"
AREAS = sorted(path.name for path in CASES.iterdir())


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("area", AREAS)
def test_every_case_of_the_area_gives_stocks_result(area, tmp_path):
    cases = _plain_copy(CASES / area, tmp_path / "cases" / area)
    report = tmp_path / "report.json"
    program = f"{pathlib.Path(sys.executable).with_name('salt-g')} call"

    finished = subprocess.run(
        [sys.executable, HERE / "run.py", "--cmd", program, cases, "-j", "2", "--json", report],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=1200,
    )

    ran = json.loads(report.read_text())["cases"] if report.exists() else []
    failed = [case["case"] for case in ran if case["status"] == "failed"]
    assert finished.returncode == 0, f"{area}: {failed or finished.stderr}\n{finished.stdout}"
    assert ran


def _plain_copy(source, target):
    """Copy with default modes: some cases compare the mode of a source file, which a checkout may lack."""
    shutil.copytree(source, target, symlinks=True)
    for directory, _, names in os.walk(target):
        os.chmod(directory, 0o755)
        for name in names:
            path = os.path.join(directory, name)
            if not os.path.islink(path):
                os.chmod(path, 0o644)
    return target
