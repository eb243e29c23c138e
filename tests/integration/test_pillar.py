"""Pillar through the real command: templates, external pillars, users' plugins, masks."""


def test_pillar_is_compiled_from_templates_and_shown_masked(salt_g):
    salt_g.write(
        {
            "top.sls": "base:\n  'm*':\n    - web\n  'G@nope:x':\n    - never\n",
            "web.sls": "{% from 'lib.jinja' import port %}\nweb: {port: {{ port }}, id: {{ grains.id }}}\n",
            "lib.jinja": "{% set port = 8080 %}",
        },
        below=salt_g.pillar,
    )

    assert salt_g("pillar.items", "unmask=True").value == {"web": {"port": 8080, "id": "m1"}}
    assert salt_g("pillar.items").value == {"web": {"port": "**********", "id": "**********"}}
    assert salt_g("pillar.get", "web:port", "unmask=True").value == 8080


def test_templates_see_pillar_values(salt_g):
    salt_g.write({"top.sls": "base:\n  '*':\n    - p\n", "p.sls": "secret: value\n"}, below=salt_g.pillar)
    salt_g.write({"t.j2": "{{ pillar.secret }} {{ salt['pillar.get']('secret') }}\n"})

    salt_g("cp.get_template", "salt://t.j2", str(salt_g.out / "t"))

    assert (salt_g.out / "t").read_text() == "value value\n"


def test_an_external_pillar_may_be_a_users_plugin(salt_g):
    salt_g.write(
        {"_pillar/mine.py": "def ext_pillar(minion_id, pillar, word):\n    return {word: __grains__['id']}\n"}
    )
    salt_g("saltutil.sync_pillar")

    pillar = salt_g("pillar.raw", ext_pillar=[{"mine": "who"}, {"cmd_yaml": "echo from: %s"}]).value

    assert pillar == {"who": "m1", "from": "m1"}


def test_errors_are_in_the_pillar(salt_g):
    salt_g.write({"top.sls": "base:\n  '*':\n    - p\n", "p.sls": "p: {{ nope }}\n"}, below=salt_g.pillar)

    shown = salt_g("pillar.items", "unmask=True")

    assert shown.value == {"_errors": ["Rendering SLS 'p' failed. Please see master log for details."]}
    assert "Jinja variable 'nope' is undefined" in shown.err


def test_a_pillar_that_is_not_yaml_names_the_place(salt_g):
    salt_g.write({"top.sls": "base:\n  '*':\n    - p\n", "p.sls": "a: [1\nb: 2\n"}, below=salt_g.pillar)

    errors = salt_g("pillar.get", "_errors", "unmask=True", pillar_safe_render_error=False).value

    assert "line 2, column 2" in errors[0]
