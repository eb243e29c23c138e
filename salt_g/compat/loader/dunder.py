"""Stock's `salt.loader.dunder`: names that stock injects, for an explicit import."""

from salt_g.loader.dunders import stock_dunders

globals().update(stock_dunders())


class _NoFileClient:
    """Stock's `__file_client__` outside of salt-ssh: a false value without a client."""

    def __bool__(self) -> bool:
        return False

    def value(self) -> None:
        """Return None."""


__file_client__ = _NoFileClient()
