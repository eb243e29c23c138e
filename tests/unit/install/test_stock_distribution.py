"""Distribution `salt`, which has one code file."""

import hashlib
import zipfile
from importlib.metadata import PackageNotFoundError

import pytest

from salt_g.install import stock_distribution


def test_the_wheel_has_metadata_and_one_file_that_hands_over(tmp_path):
    path = stock_distribution.write_wheel(str(tmp_path))

    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        metadata = wheel.read(names[0]).decode()
        program = wheel.read("salt/__init__.py").decode()
    own = f"salt-{stock_distribution.VERSION}.dist-info/"
    assert [name for name in names if not name.startswith(own)] == ["salt/__init__.py"]
    assert "import_shim.take_over" in program
    assert f"Version: {stock_distribution.VERSION}\n" in metadata and "Requires-Dist: packaging" in metadata


def test_each_file_is_in_the_record_with_its_hash(tmp_path):
    with zipfile.ZipFile(stock_distribution.write_wheel(str(tmp_path))) as wheel:
        record = wheel.read(wheel.namelist()[-1]).decode().splitlines()

        assert [line.partition(",")[0] for line in record] == wheel.namelist()
        assert all(",sha256=" in line for line in record[:-1])


def test_pip_takes_the_wheel_by_its_hash_alone(tmp_path):
    wheel = stock_distribution.write_wheel(str(tmp_path))

    with open(stock_distribution.write_hashed(wheel)) as file, open(wheel, "rb") as content:
        assert file.read() == (
            f"{stock_distribution.REQUIREMENT} --hash=sha256:{hashlib.sha256(content.read()).hexdigest()}\n"
        )


def test_without_the_distribution_there_is_no_version(monkeypatch):
    def version(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", version)

    assert stock_distribution.installed_version() is None


@pytest.mark.parametrize(
    ("installed", "is_stock"),
    [(None, False), ("3008.3+saltg", False), (stock_distribution.VERSION, False), ("3007.1", True)],
)
def test_stock_differs_from_each_version_of_the_distribution(monkeypatch, installed, is_stock):
    monkeypatch.setattr(stock_distribution, "installed_version", lambda: installed)

    assert stock_distribution.is_stock_installed() is is_stock
