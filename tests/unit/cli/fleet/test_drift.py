"""Lines of `salt-g drift`."""

import time

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.history import FleetHistory, Indexed
from salt_g.cli import exit_codes
from salt_g.cli.fleet.drift import line_of, main
from salt_g.report.change_groups import drifts
from salt_g.report.state_changes import StateChange


def change(minion, *, at=0.0, text=b"t", is_test=0):
    return StateChange(
        f"j{at}", minion, 0, at, "sshd", "/etc/sshd", "file.managed", 2, is_test, "ann", 1, 1, text
    )


def test_minions_with_the_same_drift_are_one_line_those_with_most_first():
    groups = drifts([change("m9", text=b"u"), change("m1"), change("m2")])

    assert line_of(groups[0]).startswith("2 minions: /etc/sshd +1 -1 corrected ")
    assert line_of(groups[0]).endswith(": m[1-2]")
    assert line_of(groups[1]).startswith("1 minion: /etc/sshd +1 -1 corrected ")


def test_the_exit_codes_of_drift_and_of_an_unreadable_history_differ(tmp_path, capsys):
    (tmp_path / "master").write_text(f"root_dir: {tmp_path}\nhistory: True\n")
    words = ["-c", str(tmp_path), "--since", "36h"]

    assert main(words) == exit_codes.NOBODY
    assert "no master has run with these settings" in capsys.readouterr().err

    store = EmbeddedStore(str(tmp_path / "var/cache/salt/master"))
    store.start()
    tested = {id: (1.0, {}) for id in ("web1", "web2")}
    FleetHistory(store).add(Indexed([], [], {}, tested)).result(10.0)
    assert main(words) == exit_codes.OK
    assert capsys.readouterr().out == "2 not tested for 36 h: web[1-2]\n"
    rows = [change("web1", at=time.time())]
    FleetHistory(store).add(Indexed([], rows, {b"t": '{"diff": "New file"}'}, {})).result(10.0)
    store.stop()
    assert main([*words, "--diff"]) == exit_codes.FAILED
    assert capsys.readouterr().out.splitlines()[1] == "    New file"
