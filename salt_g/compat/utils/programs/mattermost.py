"""Stock's `salt.utils.mattermost`: messages to Mattermost, sent by the execution function `http.query`."""

from typing import Any

from salt_g.compat.utils.net import http


def query(hook: str | None = None, api_url: str | None = None, data: Any = None) -> dict[str, Any]:
    """Send `data` to an incoming webhook; return {res: success, message: confirmation or error}."""
    if not hook or not api_url:
        return {"message": "Mattermost needs hook and api_url.", "res": False}
    answer = http.query(f"{api_url.rstrip('/')}/hooks/{hook}", "POST", data=data, decode=True, status=True)
    if "error" in answer:
        return {"message": answer["error"], "res": False}
    return {"message": f"Message posted {data} correctly", "res": True}


__all__ = ["query"]
