from salt_g import __version__
from salt_g.packaging import metadata


def test_packages_are_described_by_the_installed_distribution():
    found = metadata.read()

    assert found.version == __version__
    assert found.license == "Apache-2.0"
    assert found.url.startswith("https://")
    assert all(found)
