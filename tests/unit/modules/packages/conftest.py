"""Recorded programs in place of package managers that are not on this machine."""

import pytest

from salt_g.modules import config, pkg_resource


class Programs:
    """Answers in place of programs: the first whose words are in the command; what ran is in `ran`."""

    def __init__(self):
        self.answers = []
        self.ran = []

    def answer(self, words, stdout="", retcode=0, stderr="", then=None):
        """Say what a command with these words answers, and what `then` does besides."""
        self.answers.insert(0, (words, stdout, retcode, stderr, then))

    def __call__(self, argv, **options):
        self.ran.append(argv)
        line = " ".join(argv)
        for words, stdout, retcode, stderr, then in self.answers:
            if words in line:
                if then:
                    then()
                return {"pid": 1, "retcode": retcode, "stdout": stdout, "stderr": stderr}
        return {"pid": 1, "retcode": 0, "stdout": "", "stderr": ""}

    @property
    def lines(self):
        """What ran, a text for each command."""
        return [" ".join(argv) for argv in self.ran]


@pytest.fixture
def machine(call_context, tmp_path, monkeypatch):
    """Factory: a machine with the `pkg` of one provider; returns its recorded programs."""

    def make(provider, *, lowpkg=None, test=False, functions=None, **grains):
        programs = Programs()
        monkeypatch.setattr("salt_g.modules._systemd.is_booted", lambda: False)
        names = getattr(provider, "__all__", None) or [
            name
            for name, value in vars(provider).items()
            if getattr(value, "__module__", "") == provider.__name__
        ]
        table = {
            "cmd.run_all": programs,
            "config.valid_fileproto": config.valid_fileproto,
            **{f"pkg.{name}": getattr(provider, name) for name in names if name[0] != "_"},
            **{
                f"pkg_resource.{name}": getattr(pkg_resource, name)
                for name in ("parse_targets", "version", "pack_sources", "version_compare", "format_pkg_list")
            },
            **(functions or {}),
        }
        if lowpkg:
            table.update({f"lowpkg.{name}": getattr(lowpkg, name) for name in lowpkg.__all__})
        call_context(functions=table, grains=grains, opts={"cachedir": str(tmp_path), "test": test})
        return programs

    return make
