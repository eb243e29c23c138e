"""Persistence of known runs between processes with the same program and settings."""

import os
import stat

import msgpack
import pytest

from salt_g.report.recording.known_rendering import RenderingReads
from salt_g.report.recording.known_run_files import KnownRunFiles, about_of
from salt_g.report.recording.known_runs import MOST, KnownRun, KnownRuns
from salt_g.report.recording.run_data import content_digest

RUN = KnownRun(
    data="d",
    tops={"pillar:a": "1"},
    renderings={"web k": RenderingReads("web", frozenset({"pillar:a"}), frozenset(), frozenset({"/c/map"}))},
    others=frozenset({None, "x"}),
    names={"": frozenset({"salt://top.sls"})},
    whole={},
    has_sources=True,
    files={"salt://top.sls": "/c/top.sls"},
    digests={},
    copies={"/c/map": "m"},
    compiled=frozenset({"/c/top.sls"}),
)


@pytest.fixture
def files(tmp_path):
    return lambda about="a": KnownRunFiles(str(tmp_path), lambda: about)


def test_a_run_is_known_to_the_next_process(files, tmp_path):
    files().save("web", RUN, 5.0)

    run, age = files().load("web")

    assert run == RUN and 5.0 <= age < 60.0
    assert files().load("db") is None
    (path,) = (tmp_path / "known_runs").iterdir()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_another_program_or_other_settings_know_nothing(files):
    files().save("web", RUN, 0.0)

    assert files("b").load("web") is None


def test_a_damaged_file_and_one_of_the_future_are_not_known(files, tmp_path):
    files().save("web", RUN, -3600.0)
    assert files().load("web") is None
    (path,) = (tmp_path / "known_runs").iterdir()
    whole = path.read_bytes()[32:]
    others = [
        b"",
        b"{",
        whole[:-1],
        whole.replace(b"compiled", b"compiler"),
        msgpack.packb([]),
        msgpack.packb({"about": 1}),
    ]
    for rest in others:
        for digest in (b"", content_digest(rest).encode(), content_digest(b"").encode()):
            path.write_bytes(digest + rest)
            assert files().load("web") is None


def test_a_file_in_which_one_name_is_another_is_not_known(files, tmp_path):
    files().save("web", RUN, 0.0)
    (path,) = (tmp_path / "known_runs").iterdir()
    path.write_bytes(path.read_bytes().replace(b"pillar:a", b"pillar:b"))

    assert files().load("web") is None


def test_a_folder_in_which_others_can_write_is_not_believed(files, tmp_path):
    files().save("web", RUN, 0.0)
    (tmp_path / "known_runs").chmod(0o770)
    assert files().load("web") is None

    (tmp_path / "known_runs").rename(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").chmod(0o700)
    (tmp_path / "known_runs").symlink_to("elsewhere")
    assert files().load("web") is None


def test_a_bounded_number_is_kept(files, tmp_path):
    for number in range(MOST + 3):
        files().save(f"call {number}", RUN, 0.0)

    assert len(list((tmp_path / "known_runs").iterdir())) == MOST


def test_a_file_is_written_when_something_has_changed(files, tmp_path):
    runs = KnownRuns(files=files())
    runs.keep("web", RUN)
    (path,) = (tmp_path / "known_runs").iterdir()
    path.unlink()

    runs.keep("web", RUN._replace(at=runs.of("web").at))
    assert not path.exists()
    runs.keep("web", RUN._replace(has_sources=False))
    assert path.exists()
    assert KnownRuns(files=files()).of("web").has_sources is False


def test_settings_of_a_process_decide_nothing():
    opts = {"id": "m1", "pid": 1, "__role": "minion", "grains": {"os": "x"}, "made": object()}

    assert about_of({**opts, "pid": 2, "made": object()}) == about_of(opts) != about_of({**opts, "x": 1})
