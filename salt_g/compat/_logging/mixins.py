"""Stock's `salt._logging.mixins`: base classes of handlers."""


class ExcInfoOnLogLevelFormatMixin:
    """Empty mixin, because handlers show the traceback of a record in any case."""


__all__ = ["ExcInfoOnLogLevelFormatMixin"]
