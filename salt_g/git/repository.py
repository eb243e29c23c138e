"""Bare clone of a repository in the cache: fetch it, list its trees, extract files.

This file runs the `git` program; `files/git.py` and pillar interpret references. With the setting `verify`,
references come from `verified_refs.py`, not directly from a fetch.
Shapes: a tree is {path: TreeEntry}. File contents are stored under their git hash, `blobs/<ab>/<sha>`, so
that each is extracted only once. Units: seconds; modes as in `stat`.
Errors: FileServerError with git's message.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from salt_g.errors import CommandExecutionError, CommandNotFound, CommandTimeout, FileServerError
from salt_g.formats.urls import without_password
from salt_g.git.access import environment
from salt_g.git.history import CloneHistory, FetchedRef
from salt_g.git.source import RemoteSource
from salt_g.process.command import Finished, decode, run
from salt_g.process.disk import PRIVATE_FILE, make_private_directory, replacing
from salt_g.process.offload import offload_in_daemon

if TYPE_CHECKING:
    from salt_g.git.verified_refs import RefusedRef, VerifiedRefs

#: Time limits of a fetch, and of a command on the clone (s).
FETCH_TIMEOUT = 900
LOCAL_TIMEOUT = 120
#: Maximum number of cached trees, each of which uses about 200 bytes per file.
REMEMBERED_TREES = 32
#: Maximum number of cached commit names, including names of missing commits.
REMEMBERED_COMMITS = 1000

#: Content of a lock that no process owns; a process's own lock has its id.
_UNTIL_CLEARED = "locked until fileserver.clear_lock"
_SHA = re.compile(r"[0-9a-f]{7,64}")


class TreeEntry(NamedTuple):
    """Entry of a tree: `mode` as in `stat`, `kind` is `blob`, `tree` or `commit`."""

    mode: int
    kind: str
    sha: str


#: Content of a commit, by path.
Tree = dict[str, TreeEntry]


class Repository:
    """Clone of one source."""

    def __init__(self, source: RemoteSource, top: str) -> None:
        digest = hashlib.sha256(f"{source.url}\n{source.name}".encode()).hexdigest()[:32]
        self.source = source
        self.directory = os.path.join(top, digest)
        self._git = os.path.join(self.directory, "repository.git")
        self._lock = os.path.join(self.directory, "update.lk")
        self._refs: dict[str, str] | None = None
        self._trees: dict[str, Tree] = {}
        self._commits: dict[str, str] = {}
        self._verified = self._verified_refs(source)
        self._seen = self._changed()

    # References and trees

    def refs(self) -> dict[str, str]:
        """Return the commit of each branch (`branch/<name>`) and tag (`tag/<name>`)."""
        if self._refs is None:
            self._refs = self._served_refs()
        return self._refs

    def commit(self, ref: str, kinds: tuple[str, ...]) -> str:
        """Return the commit of a branch, tag or hash, trying `kinds` in order; '' if there is none."""
        for kind in kinds:
            if kind == "sha":
                found = self._commit_by_name(ref)
            else:
                found = self.refs().get(f"{kind}/{ref}", "")
            if found:
                return found
        return ""

    def tree(self, commit: str) -> Tree:
        """Return all entries in the tree of a commit."""
        tree = self._trees.pop(commit, None)
        if tree is None:
            listed = self._run("ls-tree", "-r", "-t", "-z", "--full-tree", commit).stdout
            tree = offload_in_daemon(_read_tree, listed)
        self._trees[commit] = tree
        if len(self._trees) > REMEMBERED_TREES:
            del self._trees[next(iter(self._trees))]
        return tree

    # Contents

    def content(self, sha: str) -> str:
        """Return the path of a private file with the content of a blob."""
        path = os.path.join(self.directory, "blobs", sha[:2], sha)
        if not os.path.isfile(path):
            make_private_directory(os.path.dirname(path))
            self._extract(sha, path)
        return path

    def extract_all(self, commit: str, directory: str) -> None:
        """Write all files of a commit to a directory that does not exist yet."""
        make_private_directory(directory)
        index = os.path.join(self.directory, f"index-{os.urandom(8).hex()}")
        try:
            for words in (("read-tree", commit), ("checkout-index", "--all", "--force", "--quiet")):
                self._run(*words, tree=directory, index=index)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(index)

    def link_target(self, sha: str) -> str:
        """Return the target of a link, which git stores as its content."""
        with open(self.content(sha), "rb") as file:
            return os.fsdecode(file.read(4096))

    # Updates

    def notice(self) -> None:
        """Discard cached references if another process has fetched since the last check."""
        changed = self._changed()
        if changed != self._seen:
            self._seen = changed
            self._refs = None
            self._commits.clear()

    def update(self, *, timeout: float = FETCH_TIMEOUT) -> bool:
        """Fetch updates; return whether any reference changed. Does nothing while updates are blocked."""
        before = self.refs()
        with self._locked() as is_ours:
            if not is_ours:
                return False
            self._fetch(timeout)
            if self._verified is not None:
                self._verified.advance(self._fetched_refs(), self.is_wanted)
        self._seen = self._changed()
        self._refs = self._served_refs()
        self._commits.clear()
        return self._refs != before

    def age(self) -> float:
        """Return the seconds since the last fetch by any process; infinite before the first one."""
        return max(0.0, time.time() - min(self._fetched(), self._changed()))

    def is_wanted(self, name: str) -> bool:
        """Return whether `branch/<name>` or `tag/<name>` can be used, and therefore must be verified."""
        return True

    def refused(self) -> list[RefusedRef]:
        """Return the branches and tags that are not served as they were fetched."""
        return self._verified.refused() if self._verified is not None else []

    def signers_problem(self) -> str:
        """Return the error in the signers' files or the record of verified refs, or '' if there is none."""
        return self._verified.problem() if self._verified is not None else ""

    def release(self, name: str) -> bool:
        """Allow `branch/<name>` or `tag/<name>` one rollback; return False if the ref is not served."""
        if self._verified is None or not self._verified.release(name):
            return False
        self._refs = None
        return True

    def clear_cache(self) -> None:
        """Remove the clone; raises OSError."""
        self._refs = None
        self._trees.clear()
        self._commits.clear()
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(self.directory)

    def lock(self) -> bool:
        """Block updates until `clear_lock`; return False if they were already blocked."""
        # No process owns this lock: it outlives the one that set it.
        return self._set_lock(_UNTIL_CLEARED)

    def _set_lock(self, owner: str) -> bool:
        make_private_directory(self.directory)
        try:
            descriptor = os.open(self._lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        except FileExistsError:
            return False
        with os.fdopen(descriptor, "w") as file:
            file.write(owner)
        return True

    def clear_lock(self) -> bool:
        """Allow updates again; return False if they were not blocked."""
        try:
            os.unlink(self._lock)
        except FileNotFoundError:
            return False
        return True

    @contextlib.contextmanager
    def _locked(self) -> Iterator[bool]:
        if self._lock_is_stale():
            self.clear_lock()
        is_ours = self._set_lock(str(os.getpid()))
        try:
            yield is_ours
        finally:
            if is_ours:
                self.clear_lock()

    def _lock_is_stale(self) -> bool:
        """Return whether the process holding the lock is gone (killed during a fetch)."""
        try:
            with open(self._lock, encoding="ascii", errors="replace") as file:
                pid = int(file.read() or 0)
        except (FileNotFoundError, ValueError):
            return False
        return not os.path.exists(f"/proc/{pid}") if pid else False

    def _fetched(self) -> float:
        """Return the time of the last fetch, or minus infinity if there was none."""
        try:
            return os.stat(os.path.join(self._git, "FETCH_HEAD")).st_mtime
        except FileNotFoundError:
            return float("-inf")

    def _changed(self) -> float:
        """Return the time at which `refs` last changed, or minus infinity if they never did."""
        return self._fetched() if self._verified is None else self._verified.stamp()

    def _fetch(self, timeout: float) -> None:
        make_private_directory(self._git)
        if not os.path.isfile(os.path.join(self._git, "HEAD")):
            self._run("init", "--quiet", "--bare")
        depth = [f"--depth={self.source.depth}"] if self.source.depth else []
        if not depth and os.path.isfile(os.path.join(self._git, "shallow")):
            depth = ["--unshallow"]
        self._run(
            "fetch",
            "--quiet",
            "--force",
            "--prune",
            "--no-tags",
            "--no-recurse-submodules",
            *depth,
            "--",
            self.source.url,
            *self.source.refspecs,
            timeout=timeout,
        )

    # The program

    def _served_refs(self) -> dict[str, str]:
        if not os.path.isdir(self._git):
            return {}
        if self._verified is not None:
            return self._verified.served()
        return {name: ref.commit for name, ref in self._fetched_refs().items()}

    def _fetched_refs(self) -> dict[str, FetchedRef]:
        form = "%(refname)%00%(objectname)%00%(*objectname)%00%(tag)%00%(objecttype) %(*objecttype)"
        refs = {}
        for line in self._run("for-each-ref", f"--format={form}").out.splitlines():
            name, sha, peeled, tag, types = line.split("\0")
            is_commit = types.split()[-1] == "commit"
            for prefix, kind in (("refs/remotes/origin/", "branch"), ("refs/tags/", "tag")):
                if name.startswith(prefix):
                    refs[f"{kind}/{name[len(prefix) :]}"] = FetchedRef(sha, peeled or sha, tag, is_commit)
        return refs

    def _verified_refs(self, source: RemoteSource) -> VerifiedRefs | None:
        if source.verify is None:
            return None
        # Imported lazily: most repositories are not verified.
        from salt_g.git.verified_refs import VerifiedRefs

        history = CloneHistory(self._started)
        return VerifiedRefs(str(source), source.verify, self.directory, history)

    def _commit_by_name(self, ref: str) -> str:
        if not is_commit_name(ref) or not os.path.isdir(self._git):
            return ""
        if ref not in self._commits:
            if len(self._commits) >= REMEMBERED_COMMITS:
                self._commits.clear()
            done = self._started("rev-parse", "--quiet", "--verify", f"{ref}^{{commit}}")
            commit = done.out.strip() if done.retcode == 0 else ""
            if commit and self._verified is not None and not self._verified.is_signed(commit):
                commit = ""
            self._commits[ref] = commit
        return self._commits[ref]

    def _extract(self, sha: str, path: str) -> None:
        with replacing(path, new_mode=PRIVATE_FILE) as file:
            done = subprocess.run(
                self._command("cat-file", "blob", sha),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.PIPE,
                env=environment(self.source, self.directory),
                timeout=LOCAL_TIMEOUT,
                check=False,
            )
            if done.returncode != 0:
                raise FileServerError(f"{self.source}: git cat-file {sha}: {decode(done.stderr).strip()}")

    def _run(
        self, *words: str, timeout: float = LOCAL_TIMEOUT, tree: str | None = None, index: str | None = None
    ) -> Finished:
        done = self._started(*words, timeout=timeout, tree=tree, index=index)
        if done.retcode != 0:
            raise FileServerError(f"{self.source}: git {words[0]}: {without_password(done.err.strip())}")
        return done

    def _started(
        self,
        *words: str,
        timeout: float = LOCAL_TIMEOUT,
        tree: str | None = None,
        index: str | None = None,
        stdin: bytes | None = None,
    ) -> Finished:
        """Run git and return the result; `tree` and `index` are its work tree and index file."""
        env = environment(self.source, self.directory)
        if tree and index:
            env.update(GIT_WORK_TREE=tree, GIT_INDEX_FILE=index)
        try:
            return run(self._command(*words), env=env, cwd=tree, timeout=timeout, stdin=stdin)
        except CommandTimeout as exc:
            raise FileServerError(f"{self.source}: git {words[0]} did not end within {timeout} s") from exc
        except CommandNotFound as exc:
            raise FileServerError(f"{self.source}: {exc}; install git") from exc
        except CommandExecutionError as exc:
            raise FileServerError(f"{self.source}: {exc}") from exc

    def _command(self, *words: str) -> list[str]:
        # No hook or file system monitor may run; a low `gc.auto` keeps the clone small.
        safe = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "gc.auto=256"]
        return ["git", f"--git-dir={self._git}", *safe, *words]


def is_commit_name(ref: str) -> bool:
    """Return whether a reference has the form of a (possibly abbreviated) commit hash."""
    return _SHA.fullmatch(ref) is not None


def _read_tree(listed: bytes) -> Tree:
    return dict(_entries(listed))


def _entries(listed: bytes) -> Iterator[tuple[str, TreeEntry]]:
    for line in listed.split(b"\0"):
        if line:
            facts, _, path = line.partition(b"\t")
            mode, kind, sha = facts.split()
            yield os.fsdecode(path), TreeEntry(int(mode, 8), kind.decode(), sha.decode())
