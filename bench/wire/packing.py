"""msgpack in the two dialects of the protocol: the network's, without a type for bytes, and the event bus's.

Source: wire specification, section 3.
"""

import datetime

import msgpack

#: Extension type of a date or a time.
EXT_DATETIME = 78


def _default(obj):
    if isinstance(obj, (datetime.datetime, datetime.date)):
        stamp = obj.strftime("%Y%m%dT%H:%M:%S.%f").encode()
        return msgpack.ExtType(EXT_DATETIME, stamp)
    if isinstance(obj, (set, frozenset)):
        return list(obj)
    if isinstance(obj, int):  # beyond 64 bits
        return str(obj)
    raise TypeError(f"cannot pack {type(obj).__name__}")


def _ext(code, data):
    if code == EXT_DATETIME:
        return datetime.datetime.strptime(data.decode(), "%Y%m%dT%H:%M:%S.%f")
    return data


def pack(obj):
    """Network form: text and bytes both become msgpack *raw* (str family)."""
    return msgpack.packb(obj, use_bin_type=False, default=_default)


def pack_bus(obj):
    """Event bus form: text and bytes stay apart (bin family in use)."""
    return msgpack.packb(obj, use_bin_type=True, default=_default)


def text(obj):
    """Recursively turn bytes into text wherever they are valid UTF-8."""
    if isinstance(obj, bytes):
        try:
            return obj.decode("utf-8")
        except UnicodeDecodeError:
            return obj
    if isinstance(obj, dict):
        return {text(k): text(v) for k, v in obj.items()}
    if isinstance(obj, (list, tuple)):
        return [text(v) for v in obj]
    return obj


def unpack_bus(blob):
    """Unpack the data of an event; keys and values are text wherever they can be."""
    return text(msgpack.unpackb(blob, raw=True, ext_hook=_ext, strict_map_key=False))


def unpack(blob, binary=()):
    """Unpack; decode text except the values of the top level keys in ``binary``."""
    obj = msgpack.unpackb(blob, raw=True, ext_hook=_ext, strict_map_key=False, use_list=True)
    if not isinstance(obj, dict):
        return text(obj)
    out = {}
    for key, val in obj.items():
        key = text(key)
        out[key] = val if key in binary else text(val)
    return out


def as_bytes(val):
    return val.encode("utf-8") if isinstance(val, str) else val
