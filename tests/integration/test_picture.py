"""The picture of the README is that of the command as it is."""

import pathlib
import subprocess
import sys

from support.daemons import PROGRAM

PICTURE = pathlib.Path(__file__).parents[2] / "docs" / "picture.py"


def test_the_picture_shows_what_quickstart_prints(tmp_path):
    script = tmp_path / "picture.py"
    script.write_text(PICTURE.read_text())

    subprocess.run([sys.executable, script, PROGRAM], check=True, timeout=120)

    assert _lines(tmp_path / "quickstart.svg") == _lines(PICTURE.with_name("quickstart.svg"))


def _lines(path):
    """Return the lines of a picture, without the order of names that came at the same time."""
    return [line for line in path.read_text().splitlines() if "signed in" not in line]
