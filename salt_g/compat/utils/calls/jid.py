"""Stock's `salt.utils.jid`: job ids and the display of jobs."""

import hashlib
import os
from collections.abc import Mapping
from typing import Any

from salt_g.data import jid

#: {field of a job in the job cache: label}
_LABELS = {"fun": "Function", "arg": "Arguments", "tgt": "Target", "tgt_type": "Target-type", "user": "User"}


def gen_jid(opts: Any = None) -> str:
    """Return a new job id."""
    return jid.make()


def is_jid(text: Any) -> bool:
    """Return whether a value has the form of a job id."""
    return isinstance(text, str) and jid.is_jid(text)


def jid_to_time(text: Any) -> str:
    """Return the time of a job id, or '' for other values."""
    return jid.started_at(str(text)) if is_jid(str(text)) else ""


def format_job_instance(job: Mapping[str, Any]) -> dict[str, Any]:
    """Return a job with the labels shown to users."""
    defaults = {
        "fun": "unknown-function",
        "arg": [],
        "tgt": "unknown-target",
        "tgt_type": "unknown",
        "user": "root",
    }
    shown = {label: job.get(name, defaults[name]) for name, label in _LABELS.items()}
    return {**shown, "Metadata": job["metadata"]} if "metadata" in job else shown


def format_jid_instance(text: str, job: Mapping[str, Any]) -> dict[str, Any]:
    """Return a job with its labels and the time of its id."""
    return {**format_job_instance(job), "StartTime": jid_to_time(text)}


def format_jid_instance_ext(text: str, job: Mapping[str, Any]) -> dict[str, Any]:
    """Return a job with its labels, its id and the time of its id."""
    return {**format_job_instance(job), "JID": text, "StartTime": jid_to_time(text)}


def jid_dir(text: Any, job_dir: str | None = None, hash_type: str = "sha256") -> str:
    """Return the directory of a job in stock's job cache, which consists of files."""
    digest = hashlib.new(hash_type, str(text).encode()).hexdigest()
    return os.path.join(job_dir or "", digest[:2], digest[2:])
