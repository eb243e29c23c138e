"""Hook for hiding secrets in all outputs."""

import subprocess
import sys

from salt_g.process import secret_hiding
from salt_g.process.secret_hiding import MARKS


def test_without_secrets_values_pass_and_nothing_is_imported():
    code = (
        "import sys; from salt_g.process import secret_hiding as it; value = {'a': 1};"
        "assert it.hide(value) is value; it.add({}); assert not it.is_active();"
        "assert not it.contains_secret(b'x');"
        "assert not [name for name in sys.modules if name.endswith(('known_secrets', 'secret_paths'))]"
    )

    subprocess.run([sys.executable, "-c", code], check=True)


def test_marks_are_taken_out_of_pillar_and_hidden():
    with secret_hiding.forgotten():
        pillar = {"db": {"password": "topsecret1"}, MARKS: {"topsecret1": "db:password"}}

        secret_hiding.learn_from(pillar)

        assert pillar == {"db": {"password": "topsecret1"}}
        assert secret_hiding.hide("x topsecret1") == "x <secret:db:password>"
        assert secret_hiding.contains_secret(b"x topsecret1")


def test_noted_values_are_collected_for_the_compiler():
    with secret_hiding.forgotten(), secret_hiding.collecting() as noted:
        secret_hiding.note({"a": "topsecret1", "b": [7654321]}, "here")

        assert list(noted) == ["topsecret1", "7654321"]
        assert secret_hiding.hide("topsecret1") == "<secret:here>"
