"""Stock's `salt._logging.mixins`: base classes of handlers."""


class ExcInfoOnLogLevelFormatMixin:
    """Nothing to add: tracebacks are shown where the record has one."""


__all__ = ["ExcInfoOnLogLevelFormatMixin"]
