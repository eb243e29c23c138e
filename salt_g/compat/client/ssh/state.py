"""Stock's `salt.client.ssh.state`: states sent to other hosts as a tarball."""

from salt_g.compat.refusal import refuse

_ADVICE = "apply states to hosts without a minion as resources of the type ssh"
lowstate_file_refs = refuse("salt.client.ssh.state.lowstate_file_refs", _ADVICE)
prep_trans_tar = refuse("salt.client.ssh.state.prep_trans_tar", _ADVICE)

__all__ = ["lowstate_file_refs", "prep_trans_tar"]
