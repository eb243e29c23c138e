"""The content of a known rendering, and conditions for becoming known."""

from salt_g.report.recording.known_rendering import RenderingReads, is_pure
from salt_g.report.recording.known_runs import KnownRuns
from salt_g.report.recording.reads import Reads

GRAINS, PILLAR = {"os": "Debian"}, {"port": 80}


def test_a_rendering_is_pure_if_all_its_functions_are():
    assert is_pure({"pillar:x", "function:pillar.get", "salt://map.jinja"})
    assert not is_pure({"function:cmd.run"}) and not is_pure({"mine:x"}) and not is_pure({"function"})


def test_two_renderings_of_a_template_have_read_what_both_have():
    one, other = (RenderingReads("web", frozenset(name), frozenset(), frozenset(name)) for name in "ab")

    assert one.joined(other) == RenderingReads("web", frozenset("ab"), frozenset(), frozenset("ab"))


def test_the_inside_of_a_known_rendering_is_known():
    runs = KnownRuns()
    for is_known in (False, True):
        reads = Reads(runs, "web")
        reads.begin({"grains": GRAINS, "pillar": PILLAR}, (GRAINS, PILLAR))
        inside = reads.known("k", GRAINS, PILLAR)
        assert (inside is not None) is is_known
        if inside is not None:
            assert inside.known("other", {}, {}) is inside
            with inside.within("x"), inside.paused(), inside.rendering("x", None, {}, {}):
                inside.path("pillar:secret")
        else:
            with reads.rendering("web", "k", GRAINS, PILLAR):
                reads.path("pillar:port")
        reads.sources(lambda: False)
        reads.remember()
        assert reads.names() == {"web": {"pillar:port": ""}}
