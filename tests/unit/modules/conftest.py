"""Fake `cmd.run_all` with canned answers, for programs that are not installed here."""

import pytest


class Programs:
    """Fake `cmd.run_all`: the latest answer whose words are in the command applies.

    A command without an answer succeeds and prints nothing. `ran` has the words of each command, `lines`
    the same as text, `options` the options of each.
    """

    def __init__(self, answers):
        self.ran = []
        self.options = []
        self._answers = []
        for words, stdout in answers.items():
            self.answer(words, stdout)

    def answer(self, words, stdout="", retcode=0, stderr="", then=None):
        """Set the output of commands with these words; `then` is called as a side effect."""
        self._answers.insert(0, (words, stdout, retcode, stderr, then))

    def __call__(self, argv, **options):
        self.ran.append(argv)
        self.options.append(options)
        for words, stdout, retcode, stderr, then in self._answers:
            if words in self.lines[-1]:
                if then:
                    then()
                return {"pid": 1, "retcode": retcode, "stdout": stdout, "stderr": stderr}
        return {"pid": 1, "retcode": 0, "stdout": "", "stderr": ""}

    @property
    def lines(self):
        """Executed commands, one text for each."""
        return [" ".join(argv) for argv in self.ran]


@pytest.fixture
def programs(call_context):
    """Return a function that enters a call in which programs answer {words: stdout}.

    Further keywords go to `call_context`.
    """

    def enter(answers=None, *, functions=None, **context):
        recorded = Programs(answers or {})
        call_context(functions={"cmd.run_all": recorded, **(functions or {})}, **context)
        return recorded

    return enter


@pytest.fixture
def installed(tmp_path_factory, monkeypatch):
    """Return a function that puts these programs in PATH, and no others."""
    directory = tmp_path_factory.mktemp("bin")
    monkeypatch.setenv("PATH", str(directory))

    def put(*names):
        for name in names:
            (directory / name).touch(mode=0o755)

    return put
