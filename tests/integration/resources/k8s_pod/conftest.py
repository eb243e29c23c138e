"""A fake API server, and a machine whose pillar names it."""

import importlib.util
import json
import pathlib

import pytest
import yaml

_SPEC = importlib.util.spec_from_file_location(
    "k8s_api_server", pathlib.Path(__file__).parent / "api_server.py"
)
stand_in = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(stand_in)


@pytest.fixture
def server(tmp_path):
    """Yield a running API server."""
    with stand_in.ApiServer(tmp_path) as one:
        yield one


@pytest.fixture
def kubeconfig(server, tmp_path):
    """Return the path of a kubeconfig for the server."""
    path = tmp_path / "kubeconfig"
    path.write_text(
        yaml.safe_dump(
            {
                "current-context": "here",
                "contexts": [{"name": "here", "context": {"cluster": "c", "user": "u"}}],
                "clusters": [
                    {"name": "c", "cluster": {"server": server.url, "certificate-authority": "ca.crt"}}
                ],
                "users": [{"name": "u", "user": {"token": stand_in.TOKEN}}],
            }
        )
    )
    return path


@pytest.fixture
def cluster(salt_g):
    """Return a factory: `cluster(settings of the type)` is `call("shop.web-0", "cmd.run", …)`."""

    def make(settings):
        salt_g.write(
            {
                "top.sls": "base:\n  '*':\n    - pods\n",
                "pods.sls": json.dumps({"resources": {"k8s_pod": settings}}),
            },
            below=salt_g.pillar,
        )

        def call(target, *words):
            return salt_g("-r", "--tgt", target, *words)

        call.write = salt_g.write
        return call

    return make
