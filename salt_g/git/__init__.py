"""Git repositories, fetched through the `git` program; shared by file server and pillar."""
