"""Stock's `salt.utils.s3`: requests to object stores."""

from salt_g.compat.refusal import refuse

query = refuse("salt.utils.s3.query", "copy the bucket to a directory in `file_roots`, or serve it over HTTP")

__all__ = ["query"]
