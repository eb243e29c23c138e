"""All versions, as data and as text."""

import importlib.metadata

import salt_g
from salt_g.report.versions_report import DEPENDENCIES, information, report


def test_each_section_has_its_versions():
    sections = information()

    assert sections["Salt Version"]["Salt"] == salt_g.__version__
    assert set(sections["Dependency Versions"]) == set(DEPENDENCIES)
    assert sections["Dependency Versions"]["gevent"] == importlib.metadata.version("gevent")
    assert sections["System Versions"]["system"] == "Linux"


def test_names_of_the_text_end_at_one_column():
    lines = [line for line in report().splitlines() if line.startswith(" ") and ":" in line]

    assert len({line.index(": ") for line in lines}) == 1
    assert any(line.strip() == f"Salt: {salt_g.__version__}" for line in lines)


def test_missing_libraries_are_reported():
    absent = [name for name, version in information()["Dependency Versions"].items() if version is None]

    assert report().count("Not Installed") == len(absent)
