"""Stock's `salt.cli.batch`: batches."""

from salt_g.compat.refusal import refuse

_ADVICE = "call `salt.client.LocalClient.cmd_batch`"
Batch = refuse("salt.cli.batch.Batch", _ADVICE)
batch_get_eauth = refuse("salt.cli.batch.batch_get_eauth", _ADVICE)
batch_get_opts = refuse("salt.cli.batch.batch_get_opts", _ADVICE)

__all__ = ["Batch", "batch_get_eauth", "batch_get_opts"]
