"""Jinja templates of documents about the states of a minion, in Markdown."""

STATES = """
{% for s in lowstates %}
`{{s.id_full}}`
-----------------------------------------------------------------
 * state: {{s.state_function}}
 * name: `{{s.name}}`

{{s.markdown.requisites}}
{{s.markdown.details}}

{%- endfor %}
"""
HEAD = """
Configuration Management
===============================================================================

```
####################################################
fqdn: {{grains.get('fqdn')}}
os: {{grains.get('os')}}
osfinger: {{grains.get('osfinger')}}
mem_total: {{grains.get('mem_total')}}MB
num_cpus: {{grains.get('num_cpus')}}
ipv4: {{grains.get('ipv4')}}
master: {{opts.get('master')}}
####################################################
```

Salt manages this system, or parts of it. The sections below are its states in the order in which they
run; `require` and other requisites are considered.
"""
FACTS = """
# Addresses

{% for name, addresses in grains.get('ip_interfaces', {}).items() %}
 * {{name}}: {{addresses | join(', ')}}
{%- endfor %}

# Disks

```
{{salt['cmd.run']('df -hP')}}
```

# Mounts

```
{% for place, mounted in salt['mount.active']().items() -%}
{{place}}: {{mounted.device}} ({{mounted.fstype}})
{% endfor -%}
```

# States
"""
