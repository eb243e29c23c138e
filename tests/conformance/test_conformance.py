"""Run the recorded conformance cases of the state language against the real command.

The cases live outside of this repository (a folder with `run.py` beside them); the variable
SALT_G_CONFORMANCE names it, and by default it is looked for at `../shared/conformance`.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
CASES = pathlib.Path(os.environ.get("SALT_G_CONFORMANCE") or ROOT.parent / "shared" / "conformance")
AREAS = sorted(path.name for path in CASES.iterdir() if path.is_dir()) if CASES.is_dir() else []


@pytest.mark.skipif(not AREAS, reason=f"no conformance cases at {CASES}; set SALT_G_CONFORMANCE")
@pytest.mark.parametrize("area", AREAS)
def test_every_case_of_the_area_gives_stocks_result(area, tmp_path):
    cases = _writable_copy(CASES / area, tmp_path / "cases" / area)
    report = tmp_path / "report.json"
    program = f"{pathlib.Path(sys.executable).with_name('salt-g')} call"

    finished = subprocess.run(
        [sys.executable, CASES / "run.py", "--cmd", program, cases, "-j", "2", "--json", report],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=1200,
    )

    ran = json.loads(report.read_text())["cases"] if report.exists() else []
    failed = [case["case"] for case in ran if case["status"] == "failed"]
    assert finished.returncode == 0, f"{area}: {failed or finished.stderr}\n{finished.stdout}"
    assert ran


def _writable_copy(source, target):
    """Copy cases with ordinary modes: some compare a source file's mode, and a checkout may be read-only."""
    shutil.copytree(source, target, symlinks=True)
    for directory, _, names in os.walk(target):
        os.chmod(directory, 0o755)
        for name in names:
            path = os.path.join(directory, name)
            if not os.path.islink(path):
                os.chmod(path, 0o644)
    return target
