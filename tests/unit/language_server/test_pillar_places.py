"""Files that set keys of pillar."""

from salt_g.language_server.pillar_places import pillar_places


def test_each_file_that_sets_a_key_with_its_line(make_project, tmp_path):
    project = make_project(
        {
            "pillar/top.sls": "base:\n  '*': [a, b]\n",
            "pillar/a.sls": "app:\n  port: 1\n",
            "pillar/b.sls": "port: 2\napp:\n{% for n in [1] %}\n  port: 3\n{% endfor %}\n",
            "pillar/c.sls": "app:\n  port: 4\n",
        }
    )

    found = [
        (path.removeprefix(f"{tmp_path}/"), line) for path, line in pillar_places(project, ("app", "port"))
    ]

    assert found == [("pillar/a.sls", 2), ("pillar/b.sls", 4)]
    assert pillar_places(project, ("app", "nosuch")) == []
