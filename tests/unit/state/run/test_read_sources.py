"""Source files named by chunks, which are read whether or not the chunk runs."""

import pytest

from salt_g.report.recording.reads import Reads
from salt_g.state.run.read_sources import note_sources


def test_each_url_counts_for_the_sls_of_its_chunk():
    reads = Reads()
    note_sources(
        reads,
        [
            {"__sls__": "web", "__env__": "base", "name": "/x", "source": ["salt://a.txt", "http://b/c"]},
            {"__sls__": "web", "__env__": "dev", "name": "/y", "source": "salt://tree/?saltenv=prod"},
            {"__sls__": "db", "__env__": "dev", "name": "/z", "context": {"from": "salt://b.txt"}},
            {"name": "/none"},
        ],
    )

    assert reads.names() == {
        "db": {"salt://b.txt?saltenv=dev": ""},
        "web": {"salt://a.txt": "", "salt://tree?saltenv=prod": ""},
    }


@pytest.mark.parametrize(
    "path", ["a b", "it's", 'a"b', "it's a\"b", "back\\slash", "ü", "a,b", "{a: b}", "a'}, {'b", "\udc80"]
)
def test_a_url_is_read_however_python_writes_it(path):
    for value in (f"salt://{path}", [f"salt://{path}", 1], {"a": {"b": f"salt://{path}"}}):
        reads = Reads()
        note_sources(reads, [{"__sls__": "web", "name": "/x", "source": value, "comment": "'salt://c'?"}])

        assert f"salt://{path}" in reads.names()["web"]


def test_pillar_and_grains_that_become_contents_of_files_are_read():
    reads = Reads()
    note_sources(
        reads,
        [
            {"__sls__": "ssl", "name": "/k", "contents_pillar": "ssl:key"},
            {"__sls__": "ssl", "name": "/c", "contents_pillar": ["ssl/a", "b"], "contents_delimiter": "/"},
            {"__sls__": "app", "name": "/d", "dataset_pillar": "app:settings", "contents_grains": "roles"},
        ],
    )

    assert reads.names() == {
        "app": {"grain:roles": "", "pillar:app:settings": ""},
        "ssl": {"pillar:b": "", "pillar:ssl:a": "", "pillar:ssl:key": ""},
    }


def test_templates_beside_parallel_chunks_read_everything():
    reads = Reads()
    template = {"__sls__": "web", "name": "/x", "template": "jinja"}
    note_sources(reads, [template, {"__sls__": "db", "name": "/y", "parallel": False}])
    assert reads.names() == {}

    note_sources(reads, [template, {"__sls__": "db", "name": "/y", "parallel": True}])
    assert reads.names() == {"web": {"grain": "", "pillar": ""}}
