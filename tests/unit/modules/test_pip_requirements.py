"""Requirements files for another user of pip, put into a directory that this user owns."""

import os
import pwd

import pytest

from salt_g.modules.pip import installation

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="gives files to another user")


def test_a_link_in_the_way_is_replaced_and_not_written_through(call_context, tmp_path):
    call_context()
    secret = tmp_path / "secret"
    secret.write_text("secret")
    wanted = tmp_path / "requirements.txt"
    wanted.write_text("salt\n")
    copies = next(
        kind for kind in vars(installation).values() if isinstance(kind, type) and hasattr(kind, "local")
    )("nobody")
    try:
        first = copies.local(str(wanted), "base")
        os.unlink(first)
        os.symlink(secret, first)
        os.lchown(first, pwd.getpwnam("nobody").pw_uid, -1)

        second = copies.local(str(wanted), "base")

        assert first == second and not os.path.islink(second)
        assert os.stat(second).st_uid == pwd.getpwnam("nobody").pw_uid
        assert (secret.read_text(), secret.stat().st_uid) == ("secret", 0)
    finally:
        copies.clean()
