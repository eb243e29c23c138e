"""Plugin files to functions: found by index, gated, wrapped. Begin with `loader.py`."""

from salt_g.loader.kinds import KINDS
from salt_g.loader.loader import Loader
from salt_g.loader.table import FunctionTable

__all__ = ["KINDS", "FunctionTable", "Loader"]
