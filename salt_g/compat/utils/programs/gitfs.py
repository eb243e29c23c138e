"""Stock's `salt.utils.gitfs`: repositories of the file server, which salt-g handles differently."""

from salt_g.compat.refusal import refuse

AUTH_PROVIDERS = ("pygit2", "gitcli")
AUTH_PARAMS = ("user", "password", "pubkey", "privkey", "passphrase", "insecure_auth")
PER_REMOTE_ONLY = ("name",)
_ADVICE = "use the backend `git` of the file server, or run `git` with `__salt__['git.…']`"
GitFS = refuse("salt.utils.gitfs.GitFS", _ADVICE)
GitPillar = refuse("salt.utils.gitfs.GitPillar", _ADVICE)
GitPython = refuse("salt.utils.gitfs.GitPython", _ADVICE)
Pygit2 = refuse("salt.utils.gitfs.Pygit2", _ADVICE)
WinRepo = refuse("salt.utils.gitfs.WinRepo", _ADVICE)
failhard = refuse("salt.utils.gitfs.failhard", _ADVICE)

__all__ = ["AUTH_PARAMS", "AUTH_PROVIDERS", "PER_REMOTE_ONLY", "GitFS", "GitPillar", "GitPython", "Pygit2"]
__all__ += ["WinRepo", "failhard"]
