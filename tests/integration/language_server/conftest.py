"""Tree of states, and language servers that have it open."""

import textwrap

import pytest

from tests.support.language_client import SECRET, LanguageClient

TREE = {
    "etc/minion": "id: m1\n",
    "pillar/top.sls": "base:\n  '*':\n    - app\n",
    "pillar/app.sls": f"app:\n  port: 80\n  password: {SECRET}\n",
    "states/top.sls": "base:\n  '*':\n    - web\n",
    "states/db.sls": "pg:\n  pkg.installed:\n    - name: postgresql\n",
    "states/web/files/x.conf": "x\n",
    "states/web/map.jinja": "{% set m = {'pkg': 'nginx'} %}\n{% macro conf(x) %}/etc/{{ x }}{% endmacro %}\n",
    "states/_modules/mine.py": 'def hello(name, loud=False):\n    """Greet."""\n    raise SystemExit\n',
    "states/web/init.sls": """\
        {% from 'web/map.jinja' import m, conf with context %}
        include:
          - db

        nginx:
          pkg.installed:
            - name: {{ m.pkg }}
          service.running:
            - watch:
              - pkg: pg

        {{ conf('x') }}:
          file.managed:
            - source: salt://web/files/x.conf
            - contents: {{ pillar['app']['port'] }} {{ grains['os'] }}
            - user: {{ salt['pillar.get']('app:password') }}
            - group: {{ salt['mine.hello']('x') }}
        """,
}


@pytest.fixture
def tree(tmp_path):
    for name, text in TREE.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return tmp_path


@pytest.fixture
def start(tree):
    """Yield a function that starts a server and returns its client.

    The server has the folder of the tree open unless `is_ready` is False.
    """
    clients = []

    def make(*words, is_ready=True, **options):
        clients.append(LanguageClient(["-c", str(tree / "etc"), *words], cwd=tree))
        if is_ready:
            assert "result" in clients[-1].initialize(tree, **options)
        return clients[-1]

    yield make
    for client in clients:
        client.kill()


@pytest.fixture
def web(tree):
    return tree / "states" / "web" / "init.sls"


@pytest.fixture
def editor(start, web):
    """Return a client that has the SLS `web` open."""
    client = start()
    client.open(web, web.read_text())
    return client
