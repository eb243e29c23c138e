"""Settings of the HTTP API, `salt-g api` (stock: salt-api with rest_cherrypy)."""

from __future__ import annotations

from salt_g.config.setting import UNSET, master

#: One row for each setting; see `setting.py` for the columns.
SETTINGS = (
    master(
        "api_acl",
        dict,
        {},
        "Addresses from which users may log in to the HTTP API: {users: {name: [address]}}.",
    ),
    master(
        "api_cors", list, [], "Origins of other hosts whose pages may call the HTTP API, as `https://host`."
    ),
    master("api_logfile", str, "/var/log/salt/api", "Log file of the HTTP API."),
    master("api_page", bool, True, "Serve the page of the HTTP API to browsers, at `/`."),
    master("api_pidfile", str, "/var/run/salt-api.pid", "Pid file of the HTTP API."),
    master(
        "api_token_in_url",
        bool,
        False,
        "Accept session tokens in URLs of the HTTP API, where logs may keep them.",
    ),
    master("api_trusted_proxies", list, [], "Addresses of proxies whose X-Forwarded-For names the client."),
    master("api_user", str, "", "User that runs the HTTP API; by default the user of the master."),
    master("netapi_allow_raw_shell", bool, False, "Let the HTTP API run raw shell commands over SSH."),
    master("netapi_enable_clients", list, [], "Clients that the HTTP API offers."),
    master("rest_cherrypy", dict, UNSET, "Port, certificate and routes of the HTTP API."),
)
