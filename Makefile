# Two commands for a fresh machine: `make run` and `make test`. Each makes its own environment.

PYTHON ?= python3
VENV = .venv

# With pyenv, its shims answer only for versions that are switched on: name every one that tox tests.
PYENV_VERSIONS := $(shell pyenv versions --bare 2>/dev/null | grep -E '^3\.1[0-3]\.[0-9]+$$' | paste -sd:)

.PHONY: run test clean

# The main job: a master and three minions on this host converge a sample tree, twice, and once more after an edit.
run: $(VENV)/bin/salt-g
	$(VENV)/bin/salt-g quickstart

# Every check that a change must pass, on the Pythons of tox.ini that this machine has.
test: $(VENV)/bin/tox
	$(if $(PYENV_VERSIONS),PYENV_VERSION=$(PYENV_VERSIONS)) $(VENV)/bin/tox run

$(VENV)/bin/salt-g: setup.cfg setup.py
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --upgrade pip
	PYTHONWARNINGS=ignore $(VENV)/bin/python -m pip install --quiet --editable '.[terminal,api]'

$(VENV)/bin/tox:
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --upgrade pip
	$(VENV)/bin/python -m pip install --quiet 'tox>=4.20'

clean:
	rm -rf $(VENV) .tox build *.egg-info
