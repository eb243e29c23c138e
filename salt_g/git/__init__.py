"""Repositories of git, fetched through the `git` program: what file server and pillar both need of them."""
