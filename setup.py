"""Build salt-g; everything but the record of the commit is declared in setup.cfg."""

import os
import sys

import setuptools
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

if "develop" in sys.argv and int(setuptools.__version__.split(".")[0]) < 80:
    sys.exit("salt-g: this pip is too old for an editable install; run: python -m pip install -U pip")

HERE = os.path.dirname(os.path.abspath(__file__))


def _record_commit(directory):
    """Write the commit of this checkout into a package to be built; a source archive has it already."""
    sys.path.insert(0, HERE)
    from salt_g.report import source_commit

    found = source_commit.current()
    if found:
        with open(
            os.path.join(directory, "salt_g", "report", source_commit.FILE), "w", encoding="ascii"
        ) as file:
            file.write(f"{found}\n")


class BuildPy(build_py):
    """Build of the package, which records the commit; an editable install reads its checkout instead."""

    def run(self):
        super().run()
        if not self.editable_mode:
            _record_commit(self.build_lib)


class Sdist(sdist):
    """Build of a source archive, which records the commit."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        _record_commit(base_dir)


setuptools.setup(cmdclass={"build_py": BuildPy, "sdist": Sdist})
