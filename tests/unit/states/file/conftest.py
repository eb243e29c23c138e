"""A call context in which file states find the real execution functions and a file server."""

import pytest

import salt_g.modules.file as execution
from salt_g.errors import RenderError
from salt_g.files.client import LocalFileClient
from salt_g.modules import hashutil


class FakeRendering:
    """Renders `{{ name }}` and nothing else."""

    def render_template(self, text, *, engine, saltenv="base", context=None, path=""):
        for name, value in (context or {}).items():
            text = text.replace("{{ " + name + " }}", str(value))
        if "{{" in text:
            raise RenderError("Jinja variable is undefined")
        return text


@pytest.fixture
def served(tmp_path):
    """Return the directory behind `salt://`."""
    folder = tmp_path / "served"
    folder.mkdir()
    return folder


@pytest.fixture
def file_context(call_context, tmp_path, served):
    """Return a function that enters a context.

    `test=True` for test mode, `functions` for further functions.
    """

    def enter(*, test=False, functions=None, pillar=None, **options):
        table = {f"file.{name}": getattr(execution, name) for name in execution.__all__}
        table.update({f"hashutil.{name}": getattr(hashutil, name) for name in ("digest", "digest_file")})
        opts = {
            "cachedir": str(tmp_path / "cache"),
            "file_roots": {"base": [str(served)]},
            "test": test,
            "user": None,
            **options,
        }
        return call_context(
            functions={**table, **(functions or {})},
            pillar=pillar,
            opts=opts,
            files=LocalFileClient(opts),
            render=FakeRendering(),
        )

    return enter
