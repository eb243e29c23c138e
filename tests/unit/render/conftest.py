"""Rendering of templates without a program around them."""

import pathlib

import pytest

from salt_g.errors import CommandExecutionError, RenderError
from salt_g.loader import import_shim
from salt_g.render.service import RenderService


@pytest.fixture(autouse=True)
def stocks_names():
    """Provide stock's names to users' renderers, as the loader does before it runs a user's file."""
    import_shim.install()


class FakeFiles:
    """A file client over one directory."""

    def __init__(self, root):
        self.root = pathlib.Path(root)

    def cache_file(self, url, saltenv="base", **_options):
        path = self.root / url.removeprefix("salt://")
        return str(path) if saltenv == "base" and path.is_file() else ""

    def add(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return str(path)


def fail():
    raise CommandExecutionError("it broke")


@pytest.fixture
def files(tmp_path):
    """Return files of the saltenv `base`; `files.add(name, text)` writes one."""
    return FakeFiles(tmp_path)


@pytest.fixture
def service(call_context, files):
    """Return a function that makes a render service with these settings, within a call."""

    def make(pillar=None, tables=None, **opts):
        call_context(
            functions={
                "test.echo": lambda text: text,
                "test.fail": fail,
                "grains.get": lambda key, default="": {"id": "unit", "os_family": "Debian"}.get(key, default),
                "grains.item": lambda key: {key: {"os_family": "Debian"}.get(key)},
                "pillar.get": lambda key, default="": (pillar or {}).get(key, default),
            },
            states={"test.nop": fail, "ssh_auth.present": fail},
            grains={"id": "unit"},
            pillar=pillar,
            opts=opts,
            tables=tables,
        )
        return RenderService(opts, files)

    return make


@pytest.fixture
def render(service):
    """Render a text with Jinja, as that of an SLS `a.b`."""
    made = service()
    return lambda text, **variables: made.render_template(
        text, engine="jinja", context={"sls": "a.b", "tpldir": "a", **variables}
    )


@pytest.fixture
def refused(render):
    """Render a text and return the message of its error."""

    def message(text, **variables):
        with pytest.raises(RenderError) as caught:
            render(text, **variables)
        return str(caught.value)

    return message
