"""Build salt-g; everything is declared in setup.cfg."""

import sys

import setuptools

if "develop" in sys.argv and int(setuptools.__version__.split(".")[0]) < 80:
    sys.exit("salt-g: this pip is too old for an editable install; run: python -m pip install -U pip")

setuptools.setup()
