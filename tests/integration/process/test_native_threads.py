"""Absence of imports in native threads of daemons: two that import one module can deadlock."""

import pytest

from tests.support.waiting import until

pytestmark = pytest.mark.own_start

#: Reports each module that is looked for in another thread than the first, before gevent patches anything.
SITE = """
import _thread, sys
_ident = _thread.get_ident
_first = _ident()
class Finder:
    def find_spec(self, name, path=None, target=None):
        if _ident() != _first and "gevent" in sys.modules:
            with open(RECORD, "a") as file:
                file.write(f"{sys.argv[1]}: {name}\\n")
        return None
sys.meta_path.insert(0, Finder())
"""
SLS = """
{root}/large:
  file.managed:
    - source: salt://large
"""


def test_jobs_files_and_states_import_nothing_in_native_threads(
    start_master, start_minion, salt, tmp_path, monkeypatch
):
    record = tmp_path / "record"
    record.touch()
    (tmp_path / "sitecustomize.py").write_text(SITE.replace("RECORD", repr(str(record))))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    first, second = start_master(), start_master()
    for name in ("master.pem", "master.pub"):
        (second.pki_dir / name).write_bytes((first.pki_dir / name).read_bytes())
    second.stop()
    second.start()
    states = first.root / "states"
    (states / "large").write_bytes(b"x" * 500_000)
    (states / "web.sls").write_text(SLS.format(root=tmp_path))

    start_minion([first, second])

    for master in (first, second):
        until(lambda master=master: salt(master, "m1", "test.ping").minions == {"m1": True}, "it answers")
    assert salt(first, "m1", "state.apply", "web").code == 0
    assert salt(first, "m1", "cp.get_file", "salt://large", str(tmp_path / "copy"), "gzip=5").code == 0
    assert record.read_text() == ""
