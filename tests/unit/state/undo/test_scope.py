"""Files recorded by a run, according to the connection functions of a resource's type."""

import types

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.state.undo.scope import scope_of


@pytest.fixture
def scope(tmp_path):
    """Return a function: `scope(functions)` is the scope of a lamp with these connection functions."""

    def of(functions, resource=("lamp", "a")):
        context = types.SimpleNamespace(
            opts={"cachedir": "/cache"},
            resource=dict(zip(("type", "id"), resource, strict=False)),
            table=lambda kind: functions if kind == "resource_funcs" else {},
        )
        return scope_of(context)

    return of


def test_this_machine_records_all_but_its_cache(scope):
    assert scope({}, resource=()) == (("/cache",), "/", None, "")


def test_a_type_with_a_local_directory_records_files_below_it(scope, tmp_path):
    found = scope({"lamp.undo_root": lambda: str(tmp_path)})

    assert (found.within, found.problem) == (str(tmp_path), "")


def test_a_type_without_files_says_why_none_are_recorded(scope):
    def refuse():
        raise CommandExecutionError("no root of its own")

    assert scope({}).problem == "the resource type lamp does not record files"
    assert scope({"lamp.undo_root": refuse}).problem == "no root of its own"


def test_a_type_with_files_elsewhere_is_asked(scope):
    found = scope({"lamp.undo_entries": lambda paths, **options: {}})

    assert found.elsewhere is not None
    assert found.excluded == ("/",)
