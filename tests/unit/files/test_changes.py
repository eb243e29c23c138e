import os

from salt_g.files.changes import RootsChanges
from salt_g.files.roots import Roots


def test_changes_since_the_last_look_are_reported(tmp_path):
    (tmp_path / "old").write_text("x")
    (tmp_path / "same").write_text("x")
    changes = RootsChanges(Roots({"base": [str(tmp_path)]}), 60)

    first = changes.update()
    nothing = changes.update()
    (tmp_path / "old").unlink()
    (tmp_path / "new").write_text("x")
    moved = changes.update()
    os.utime(tmp_path / "same", ns=(1, 1))
    written = changes.update()

    assert not first.changed and not nothing.changed
    assert moved[:3] == (True, ("new",), ("old",))
    assert written[:3] == (True, (), ())
