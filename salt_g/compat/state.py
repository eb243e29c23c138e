"""Stock's `salt.state`: the keywords of states that the state engine handles itself."""

from salt_g.compat.refusal import refuse
from salt_g.compat.utils.values.odict import HashableOrderedDict
from salt_g.state.compile.low import INHERITED
from salt_g.state.compile.vocabulary import ENGINE_KEYS

#: Internal keywords of the running job and of the compiler.
_MARKS = """
    __id__ __orchestration_jid__ __prereq__ __prerequiring__ __umask__ __pub_arg __pub_fun __pub_jid __pub_pid
    __pub_ret __pub_tgt __pub_tgt_type __pub_user
"""
STATE_INTERNAL_KEYWORDS = ENGINE_KEYS.union(INHERITED, _MARKS.split())

HighState = refuse("salt.state.HighState", "call `state.apply` or another function of `state`")
State = refuse("salt.state.State", "call `state.low`, `state.high` or another function of `state`")

__all__ = ["STATE_INTERNAL_KEYWORDS", "HashableOrderedDict", "HighState", "State"]
