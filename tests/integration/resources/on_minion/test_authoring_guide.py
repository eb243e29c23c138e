"""The section of docs/resources.md that makes a type, followed to the letter."""

import pathlib
import re
import shlex

GUIDE = pathlib.Path(__file__).parents[4] / "docs" / "resources.md"
#: The paths of the guide, and where they are on the test's machine.
PLACES = ("/srv/salt", "/srv/pillar", "/srv/lamps")


def test_the_type_of_the_guide_works_as_the_guide_says(start_master, start_minion, daemon_root, salt):
    chapter = GUIDE.read_text().partition("## A new type in ten minutes")[2].partition("### What a type")[0]
    master = start_master(auto_accept=True)
    (daemon_root / "lamps").mkdir()
    places = dict(
        zip(
            PLACES,
            (daemon_root / "master" / "states", daemon_root / "master" / "pillar", daemon_root / "lamps"),
            strict=True,
        )
    )
    files = re.findall(r"^`(/srv/\S+)`:\n\n```\w+\n(.*?)^```", chapter, re.M | re.S)
    for name, text in files:
        path = pathlib.Path(_placed(name, places))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_placed(text, places))
    start_minion(master)

    commands = re.findall(r"^\$ salt-g (.*)\n((?:(?!\$|```).*\n)*)", chapter, re.M)

    assert len(files) == 8
    assert len(commands) >= 8
    for words, expected in commands:
        outcome = salt(master, *shlex.split(words), as_json=False)
        if expected:
            assert (outcome.out + outcome.err).strip() == expected.strip(), words


def _placed(text, places):
    for place, path in places.items():
        text = text.replace(place, str(path))
    return text
