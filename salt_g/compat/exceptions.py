"""Stock's exception classes under stock's names; salt-g catches those that users' plugins raise."""

from salt_g import stock_errors
from salt_g.stock_errors import SaltCacheError as SaltCacheError
from salt_g.stock_errors import SaltException as SaltException

globals().update({name: getattr(stock_errors, name) for name in stock_errors.__all__})

__all__ = list(stock_errors.__all__)
