"""The picture in the README, compared with the command's present output."""

import pathlib
import subprocess
import sys

from tests.support.commands import PROGRAM

SCRIPT = pathlib.Path(__file__).parents[2] / "docs" / "quickstart_image.py"


def test_the_picture_shows_what_quickstart_prints(tmp_path):
    script = tmp_path / "quickstart_image.py"
    script.write_text(SCRIPT.read_text())

    subprocess.run([sys.executable, script, PROGRAM], check=True, timeout=120)

    assert _lines(tmp_path / "quickstart.svg") == _lines(SCRIPT.with_name("quickstart.svg"))


def _lines(path):
    """Return the lines of a picture, without the order of names that arrived at the same time."""
    return [line for line in path.read_text().splitlines() if "signed in" not in line]
