import hashlib
import json
import pathlib
import tarfile

from salt_g.modules import _state_bundle


def test_a_bundle_has_the_files_that_chunks_name(call_context, tmp_path):
    trees = {"base": ["x.txt", "tree/a", "tree/b/c", "treetop", "other"], "dev": ["y.txt"]}
    for saltenv, names in trees.items():
        for name in names:
            path = tmp_path / saltenv / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name)
    call_context(
        functions={
            "cp.list_master": trees.__getitem__,
            "cp.cache_file": lambda url, saltenv: str(tmp_path / saltenv / url.removeprefix("salt://")),
        }
    )
    chunks = [
        {
            "__env__": "base",
            "source": ["salt://none", "salt://x.txt"],
            "context": {"inner": ["salt://tree/"]},
        },
        {"__env__": "base", "source": "salt://y.txt?saltenv=dev", "name": "/salt://"},
    ]

    digest = _state_bundle.pack(str(tmp_path / "b.tgz"), chunks, {"role": "web"})

    assert digest == hashlib.sha256(pathlib.Path(tmp_path / "b.tgz").read_bytes()).hexdigest()
    with tarfile.open(tmp_path / "b.tgz") as archive:
        assert sorted(archive.getnames()) == [
            *("base/tree/a", "base/tree/b/c", "base/x.txt", "dev/y.txt", "lowstate.json", "pillar.json"),
        ]
        assert json.load(archive.extractfile("lowstate.json")) == chunks
        assert json.load(archive.extractfile("pillar.json")) == {"role": "web"}
