"""Fixtures for every kind of test: a call context with fake tables."""

import contextlib

import pytest

from salt_g import api
from salt_g.services import Services


class FakePlugins:
    """Tables of plain functions, in place of the loader."""

    def __init__(self, tables):
        self.tables = tables
        self.reloaded = []

    def table(self, kind):
        return self.tables.setdefault(kind, {})

    def reload(self, kinds=()):
        self.reloaded.append(tuple(kinds))


@pytest.fixture
def call_context():
    """Factory: enter a call context for the rest of the test and return it.

    `call_context(functions={"cmd.run_all": fake}, grains={...}, opts={"test": True}, files=fake_files)`:
    `functions` and `states` are tables; any further keyword is a service.
    """
    with contextlib.ExitStack() as stack:

        def enter(
            *, functions=None, states=None, grains=None, pillar=None, opts=None, tables=None, **services
        ):
            tables = {"modules": dict(functions or {}), "states": dict(states or {}), **(tables or {})}
            plugins = FakePlugins(tables)
            context = api.CallContext(
                opts={"test": False, "id": "unit", "saltenv": None, **(opts or {})},
                grains=dict(grains or {}),
                pillar=dict(pillar or {}),
                services=Services(
                    plugins=lambda: plugins, **{name: (lambda it=it: it) for name, it in services.items()}
                ),
            )
            return stack.enter_context(api.use(context))

        yield enter
