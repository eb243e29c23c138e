"""Directories of a root."""

from salt_g.modules import chroot


def test_a_root_that_cannot_be_made_is_false_and_fails_the_call(tmp_path, call_context, caplog):
    (tmp_path / "file").write_text("")
    context = call_context()

    assert chroot.create(f"{tmp_path}/root") is True
    assert "retcode" not in context.scratch
    assert chroot.create(f"{tmp_path}/file/root") is False

    assert context.scratch["retcode"] != 0
    assert f"cannot make {tmp_path}/file/root/dev: Not a directory" in caplog.text
