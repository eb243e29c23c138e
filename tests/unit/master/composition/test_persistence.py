"""Files and directories that a master creates before it starts."""

import os
import stat

import pytest

from salt_g.config.registry import defaults
from salt_g.keys.admission import STATES
from salt_g.master.composition.persistence import compose_persistence


@pytest.fixture
def opts(tmp_path):
    """Return settings of a master whose directories do not exist yet."""
    places = {name: str(tmp_path / name) for name in ("cachedir", "pki_dir", "sock_dir")}
    return {**defaults("master"), **places, "token_dir": str(tmp_path / "tokens"), "user": "root"}


def test_all_directories_are_private_whatever_the_umask_is(opts, tmp_path):
    before = os.umask(0)
    try:
        compose_persistence(opts)
    finally:
        os.umask(before)

    made = ["cachedir", "cachedir/proc", "pki_dir", "sock_dir", *(f"pki_dir/{state}" for state in STATES)]
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in made}
    assert modes == {0o700}


def test_the_keys_of_an_earlier_run_are_there_again(opts):
    first = compose_persistence(opts)
    with open(os.path.join(opts["pki_dir"], "minions", "m1"), "w") as file:
        file.write("key")

    assert first.key_files.accepted() == compose_persistence(opts).key_files.accepted() == {"m1"}


@pytest.mark.parametrize("unique", [False, True])
def test_job_ids_end_as_the_setting_says(opts, unique):
    made = compose_persistence({**opts, "unique_jid": unique})

    assert made.jobs.new_jid()[20:] == (f"_{os.getpid()}" if unique else "")


@pytest.mark.parametrize("name", ["cachedir", "pki_dir", "sock_dir"])
def test_a_file_in_the_place_of_a_directory_stops_the_start(opts, name):
    with open(opts[name], "w"):
        pass

    with pytest.raises(OSError):
        compose_persistence(opts)
