"""Settings of pillar."""

from __future__ import annotations

from salt_g.config.setting import UNSET, both, each, master, minion

#: One row for each setting; see `setting.py` for the columns.
SETTINGS = (
    both("decrypt_pillar", list, [], "Pillar paths that are decrypted, with their renderers."),
    both("decrypt_pillar_default", str, "gpg", "Default renderer of these paths."),
    both("decrypt_pillar_delimiter", str, ":", "Separator between the parts of such a path."),
    both("decrypt_pillar_renderers", list, ["gpg"], "Renderers that may decrypt."),
    master("ext_pillar", list, [], "External pillar sources."),
    both("ext_pillar_first", bool, UNSET, "Evaluate external pillar before the files."),
    both("git_pillar_base", str, "master", "Branch or tag that is the environment `base`."),
    both("git_pillar_branch", str, "master", "Default branch of repositories."),
    both("git_pillar_depth", int, 1, "Depth of clones, 0 for the whole history.", "commits"),
    both(
        "git_pillar_disable_saltenv_mapping", bool, False, "Create environments only for configured branches."
    ),
    both("git_pillar_env", str, "", "Default environment of repositories."),
    both("git_pillar_fallback", str, "", "Branch used for an environment that the repository lacks."),
    both("git_pillar_global_lock", bool, True, "Use one lock for all repositories."),
    both("git_pillar_includes", bool, True, "Let repositories include each other's files."),
    both("git_pillar_insecure_auth", bool, False, "Allow a password over plain HTTP."),
    both("git_pillar_passphrase", str, "", "Passphrase of the private key."),
    both("git_pillar_password", str, "", "Password for the servers."),
    both("git_pillar_privkey", str, "", "Private key file for SSH."),
    both("git_pillar_provider", str, UNSET, "Library for access to repositories: `pygit2` or `gitpython`."),
    both("git_pillar_proxy", str, "", "Proxy for these repositories."),
    both("git_pillar_pubkey", str, "", "Public key file for SSH."),
    both(
        "git_pillar_ref_types",
        list,
        ["branch", "tag", "sha"],
        "Kinds of references that become environments.",
    ),
    both(
        "git_pillar_refspecs",
        list,
        ["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"],
        "References that are fetched.",
    ),
    both("git_pillar_root", str, "", "Folder of the repository that contains pillar."),
    both("git_pillar_ssl_verify", bool, True, "Check certificates of servers."),
    both("git_pillar_update_interval", int, 60, "Pause between two updates.", "s"),
    both("git_pillar_user", str, "", "User name for the servers."),
    both(
        "git_pillar_verify",
        dict | list | bool,
        {},
        "Use only pillar that the keys in the file `signers` have signed; `allow_rollback` names exceptions.",
    ),
    master("git_pillar_verify_config", bool, True, "Check the remotes at start."),
    both("gpg_cache", bool, False, "Cache decrypted texts."),
    both("gpg_cache_backend", str, "disk", "Where they are cached: `disk` or `memory`."),
    both("gpg_cache_ttl", int, 86400, "Age at which they are decrypted again.", "s"),
    both("gpg_decrypt_must_succeed", bool, True, "Refuse pillar whose secrets cannot be decrypted."),
    both("gpg_keydir", str, UNSET, "Directory of the GPG keyring."),
    minion("minion_pillar_cache", bool, UNSET, "Keep a copy of pillar on the minion."),
    both("on_demand_ext_pillar", list, ["libvirt", "virtkey"], "Sources that minions may request by name."),
    master("pass_dir", str, "", "Directory of the pass store."),
    master("pass_gnupghome", str, "", "Directory of the GPG keyring for pass."),
    master("pass_strict_fetch", bool, False, "Fail when pass has no such entry."),
    both("pass_to_ext_pillars", str | list, UNSET, "Minion settings sent to external pillar sources."),
    master("pass_variable_prefix", str, "", "Prefix of values that the `pass` renderer looks up."),
    both("pillar.cache_driver", str | None, None, "Cache driver for pillar."),
    both("pillar_cache", bool, False, "Cache compiled pillar on the master."),
    both("pillar_cache_backend", str, "disk", "Where it is cached: `disk` or `memory`."),
    both("pillar_cache_ttl", int, 3600, "Age at which it is compiled again.", "s"),
    both(
        "pillar_includes_override_sls", bool, False, "Let included pillar override the file that includes it."
    ),
    both("pillar_mask_output", bool, True, "Mask pillar values with asterisks in the output of commands."),
    both("pillar_merge_lists", bool, False, "Join lists when sources merge."),
    both("pillar_opts", bool, False, "Put the master's settings into pillar under `master`."),
    minion(
        "pillar_raise_on_missing", bool, UNSET, "Make `pillar.get` fail for a missing key without a default."
    ),
    both(
        "pillar_roots",
        dict,
        {"base": ["/srv/pillar", "/srv/spm/pillar"]},
        "Directories of each pillar environment.",
    ),
    master("pillar_safe_render_error", bool, True, "Hide the reason of pillar errors from minions."),
    both("pillar_secrets", list, [], "Pillar paths whose values are hidden in all output: `db:*:password`."),
    both(
        "pillar_source_merging_strategy",
        str,
        "smart",
        "How sources merge: `smart`, `recurse`, `aggregate`, `overwrite` or `none`.",
    ),
    master("pillar_version", int, 2, "Version of the pillar protocol."),
    both("pillarenv", str | None, None, "Pillar environment; null for the one in the top file."),
    minion("pillarenv_from_saltenv", bool, False, "Take the pillar environment from `saltenv`."),
    master(
        "resource_acl",
        dict,
        UNSET,
        "Resources that minions may register without pillar: globs of `type:id` by glob of minion ids.",
    ),
    master("resource_index_primary_capacity", int, UNSET, "Of stock's file of resources; ignored."),
    master("resource_index_primary_slot_size", int, UNSET, "Of stock's file of resources; ignored."),
    master("resource_lease", int, 30, "Lease time of a resource, within which a minion must renew it.", "s"),
    master(
        "resource_managers",
        str,
        "one",
        "Minions that run jobs on a shared resource: `one`, with the others as standby, or `all`.",
    ),
    each("resource_pillar_key", str, ("resources", UNSET), "Pillar key under which resources are declared."),
    master("resource_registry_compact_load_factor", float, UNSET, "Of stock's file of resources; ignored."),
    master("resource_registry_compact_min_interval", float, UNSET, "Of stock's file of resources; ignored."),
    master(
        "resource_registry_compact_tombstone_ratio", float, UNSET, "Of stock's file of resources; ignored."
    ),
    master("resources_max_per_minion", int, 10_000, "Resources that one minion may register.", "resources"),
)
