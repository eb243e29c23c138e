"""Strings within values that renderers decrypt."""

import pytest

from salt_g.process import secret_hiding
from salt_g.render.decrypted import note_decrypted, values_in


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            "db:\n  password: hunter2-9f\n  port: 5432\n  users: [{name: bob, pin: 918273}]\n",
            ["hunter2-9f", "918273"],
        ),
        (
            "x:\n  cmd.run:\n    - name: login -p 'Zk9xlmn0' /opt/v1/x\n",
            ["login -p 'Zk9xlmn0' /opt/v1/x", "Zk9xlmn0"],
        ),
        ("{% if a %}\npassword: {{ 'x' }}hunter2-9f\n{% endif %}\n", ["{{ 'x' }}hunter2-9f", "hunter2-9f"]),
        ("USER=postgres-admin\nexport\nTOKEN='abc def'\n", ["postgres-admin", "abc def"]),
        ("hunter2-9f", []),
        ("two words 123abc456", []),
        ("a: password\nb: short\n", []),
    ],
)
def test_values_of_a_document_are_distinguished(text, values):
    assert values_in(text) == values


def test_they_are_hidden_where_the_settings_say_so():
    with secret_hiding.forgotten():
        note_decrypted(b"a: hunter2-9f\n", {})
        assert not secret_hiding.is_active()

        note_decrypted(b"a: hunter2-9f\n", {"pillar_secrets": ["x"]})
        assert secret_hiding.hide("it is hunter2-9f") == "it is <secret>"
