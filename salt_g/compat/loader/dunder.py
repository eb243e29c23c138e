"""Stock's `salt.loader.dunder`: the names that stock injects into plugins, for explicit imports."""

from salt_g.loader.dunders import stock_dunders

globals().update(stock_dunders())


class _NoFileClient:
    """Placeholder that is false, like stock's `__file_client__` outside of salt-ssh."""

    def __bool__(self) -> bool:
        return False

    def value(self) -> None:
        """Return None."""


__file_client__ = _NoFileClient()
