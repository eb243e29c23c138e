"""The real RubyGems: a small gem that the test builds, in a separate gem directory."""

import subprocess

import pytest

NAME = "salt-g-test-gem"


@pytest.fixture
def machine(salt_g, need):
    need("gem")
    home = salt_g.root / "gems"
    spec = (
        f"Gem::Specification.new do |s|\n  s.name = '{NAME}'\n  s.version = '%s'\n  s.summary = 'of a test'\n"
        "  s.authors = ['salt-g']\n  s.license = 'MIT'\n  s.homepage = 'https://example.org'\nend\n"
    )
    for version in ("1.0", "1.1"):
        (salt_g.root / "one.gemspec").write_text(spec % version)
        subprocess.run(
            ["gem", "build", "-q", "one.gemspec"], cwd=salt_g.root, check=True, capture_output=True
        )
    salt_g.gems = {"GEM_HOME": str(home), "GEM_PATH": str(home), "HOME": str(salt_g.root)}
    return salt_g


def state(machine, *words):
    return machine.state(*words, env=machine.gems)


def test_a_gem_is_installed_found_and_removed(machine):
    file = str(machine.root / f"{NAME}-1.0.gem")
    result = machine("gem.install", file, env=machine.gems)

    assert result.code == 0, result.err
    assert machine("gem.list", NAME, env=machine.gems).value == {NAME: ["1.0"]}
    assert state(machine, "gem.installed", NAME)["comment"] == "Gem is already installed."
    assert state(machine, "gem.installed", NAME, "version=1.0")["comment"] == "Gem is already installed."
    meets = state(machine, "gem.installed", NAME, "version='>= 0.9'")
    assert meets["comment"] == "Installed Gem meets version requirements."
    removed = state(machine, "gem.removed", NAME)
    assert removed["changes"] == {NAME: "Removed"}
    assert state(machine, "gem.removed", NAME)["comment"] == "Gem is not installed."


def test_a_gem_that_cannot_be_had_is_reported_with_the_program_s_words(machine):
    preview = state(machine, "gem.installed", NAME, "test=True")
    result = state(machine, "gem.installed", "salt-g-nosuch", "source=file:///nosuch/")

    assert preview["comment"] == f"The gem {NAME} would have been installed"
    assert preview["result"] is None
    assert result["result"] is False
    assert result["comment"].startswith("Could not install gem. ERROR:")


def test_sources_are_listed(machine):
    result = state(machine, "gem.sources_remove", "http://nosuch.example.org/")

    assert result["comment"] == "Gem source is already removed."
    assert all("://" in source for source in machine("gem.sources_list", env=machine.gems).value)
