"""Stock's `salt.defaults`: constants for arguments."""

from salt_g.data.nested import DELIMITER


class _Constant:
    """Unique value that is neither None nor any data; a copy is the value itself."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<Constant.{self.name}>"

    def __copy__(self) -> "_Constant":
        return self

    def __deepcopy__(self, memo: object) -> "_Constant":
        return self


DEFAULT_TARGET_DELIM = DELIMITER
#: Default of arguments for which None is a valid value.
NOT_SET = _Constant("NOT_SET")

__all__ = ["DEFAULT_TARGET_DELIM", "NOT_SET"]
