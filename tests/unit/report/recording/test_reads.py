"""Record of a run's reads: names for each SLS, without duplicates, bounded."""

from salt_g.report.recording.read_paths import LONGEST
from salt_g.report.recording.reads import EVERYTHING, MOST, Reads

PILLAR = {"nginx": {"port": 80, "user": "w"}, "motd": "hello"}


def test_mappings_on_the_way_to_a_value_are_left_out():
    reads = Reads()
    pillar = reads.mapping("pillar", PILLAR)

    with reads.within("web"):
        assert pillar["nginx"]["port"] == 80 and pillar.get("none") is None

    assert reads.names() == {"web": {"pillar:nginx:port": "", "pillar:none": ""}}


def test_reading_a_whole_covers_the_paths_below_in_that_sls_only():
    reads = Reads()
    pillar = reads.mapping("pillar", PILLAR)

    with reads.within("web"):
        assert pillar["nginx"]["port"] == 80
        dict(pillar["nginx"])
    with reads.within("db"):
        assert pillar["nginx"]["user"] == "w"

    assert reads.names() == {"db": {"pillar:nginx:user": ""}, "web": {"pillar:nginx": ""}}


def test_a_mapping_that_is_only_looked_for_is_read():
    reads = Reads()
    assert "nginx" in reads.mapping("pillar", PILLAR)

    assert reads.names() == {"": {"pillar:nginx": ""}}


def test_files_have_the_digest_of_what_was_read():
    reads = Reads()
    with reads.within("web"):
        reads.file("web.sls", "base", "/cache/web.sls")
        reads.content("/cache/web.sls", b"x: test.nop")
        reads.file("web.sls", "dev")
    reads.file("motd", "base", owner="motd")
    reads.digest("motd", "base", "0123456789abcdef0123456789abcdef")

    assert reads.names() == {
        "motd": {"salt://motd": "0123456789abcdef"},
        "web": {"salt://web.sls": "c7cab2f92418b7bf", "salt://web.sls?saltenv=dev": ""},
    }


def test_nothing_is_noted_while_it_is_paused():
    reads = Reads()
    grains = reads.mapping("grain", {"os": "Debian"})
    with reads.paused():
        assert grains["os"] == "Debian" and dict(grains)
        reads.name("function:x.y")

    assert reads.names() == {}


def test_the_same_data_is_wrapped_once_other_data_anew():
    reads = Reads()
    made = reads.mapping("pillar", PILLAR)

    assert reads.mapping("pillar", PILLAR) is made is reads.mapping("pillar", made)
    assert reads.mapping("pillar", {"a": 1}) == {"a": 1}


def test_a_run_that_reads_too_much_reads_everything():
    reads = Reads()
    for number in range(MOST + 5):
        reads.name(f"grain:{number}")

    assert reads.names() == {"": dict.fromkeys(EVERYTHING, "")}


def test_a_name_that_is_too_long_stands_for_all_below_what_fits():
    reads = Reads()
    reads.path("pillar:a:" + "b" * LONGEST)
    reads.file("a/" + "b" * LONGEST, "base")

    assert reads.names() == {"": {"pillar:a": "", "salt://a": ""}}
