"""A compiler over files on disk, with a renderer for YAML only."""

import pytest

from salt_g.errors import RenderError, YamlError
from salt_g.files.client import PillarClient
from salt_g.formats.yaml_load import load
from salt_g.pillar.compiler import PillarCompiler


class YamlRendering:
    """Replaces `<name>` by template variables, and `<pillar>` by values of the pillar; then parses YAML."""

    def render_sls(self, path, *, sls, saltenv, tmplpath, **variables):
        from salt_g import api

        with open(path) as file:
            text = file.read()
        for name, value in {**variables, "pillar": sorted(api.pillar)}.items():
            text = text.replace(f"<{name}>", str(value))
        if "{{" in text:
            raise RenderError(f"cannot render {sls or 'top'}")
        try:
            return load(text)
        except YamlError as exc:
            raise RenderError(str(exc)) from exc

    def render_text(self, text, *, pipe, saltenv="base", sls="", **context):
        return text[::-1]


@pytest.fixture
def compile_pillar(tmp_path, call_context):
    """Return a function that compiles pillar.

    Call it as `compile_pillar({"base/a.sls": text, ...}, opts={...}, envs=[...], functions=...)`.
    """

    def compiled(files, *, opts=None, envs=("base",), grains=None, functions=None, tables=None, **options):
        for name, text in files.items():
            path = tmp_path / "pillar" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        settings = {
            "id": "web1",
            "cachedir": str(tmp_path / "cache"),
            "pillar_roots": {env: [str(tmp_path / "pillar" / env)] for env in envs},
            **(opts or {}),
        }

        def access(changed):
            return PillarClient(changed), YamlRendering()

        compiler = PillarCompiler(settings, grains or {}, access)
        call_context(
            opts=settings,
            grains=grains,
            functions=functions,
            tables={"pillar": {}, **(tables or {})},
            pillars=compiler,
            render=YamlRendering(),
        )
        return compiler.compile(**options)

    return compiled
