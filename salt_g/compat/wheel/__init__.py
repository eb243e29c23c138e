"""Stock's `salt.wheel`: functions that manage a master."""

from salt_g.client.wheel import WheelClient

Wheel = WheelClient

__all__ = ["Wheel", "WheelClient"]
