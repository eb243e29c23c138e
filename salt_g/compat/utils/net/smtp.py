"""Stock's `salt.utils.smtp`: mail sent through an SMTP server."""

import smtplib
from collections.abc import Mapping
from email.utils import formatdate
from typing import Any

from salt_g.errors import CommandExecutionError

#: Time limit for a response of the server (s).
_TIMEOUT = 60


def send(kwargs: Mapping[str, Any], opts: Mapping[str, Any]) -> None:
    """Send a mail with `smtp.host`, `smtp.to`, `smtp.from`, `smtp.content`, ... from `kwargs` or `opts`."""
    names = ("to", "from", "host", "port", "tls", "username", "password", "subject", "gpgowner", "content")
    given = {name: kwargs.get(f"smtp.{name}", opts.get(f"smtp.{name}", "")) for name in names}
    if given["gpgowner"]:
        raise CommandExecutionError("smtp.gpgowner is not supported: encrypt the content with gpg.encrypt")
    head = [f"From: {given['from']}", f"To: {given['to']}", f"Date: {formatdate(localtime=True)}"]
    message = "\r\n".join([*head, f"Subject: {given['subject']}", "", str(given["content"])])
    with smtplib.SMTP(given["host"], int(given["port"] or 25), timeout=_TIMEOUT) as server:
        if given["tls"] is True:
            server.starttls()
        if given["username"] and given["password"]:
            server.login(given["username"], given["password"])
        server.sendmail(given["from"], given["to"], message)


__all__ = ["send"]
