{% for zone, data in pillar.zones.items() | sort(reverse=true) %}
{{ grains.sandbox }}/db.{{ zone }}:
  file.managed:
    - contents: |
        $ORIGIN {{ zone }}.
        {%- for host, addresses in data.hosts | dictsort %}
        {%- for address in ([addresses] if addresses is string else addresses) %}
        {{ '%-8s' | format(host) }} IN {{ 'AAAA' if address | is_ipv6 else 'A' }} {{ address }}
        {%- endfor %}
        {%- else %}
        ; nothing, {{ data.get('serial', 'no serial') }}
        {%- endfor %}
{% endfor %}
{{ grains.sandbox }}/flags:
  file.managed:
    - contents: |
        {{ pillar.flags | yaml(false) | indent(8) }}
        {{ pillar.flags | json(sort_keys=True) }}
        {{ pillar.flags.items() | list | sort }}
        {{ pillar['flags']['text'] | to_bool }} {{ salt['pillar.get']('zones:example.org:hosts:mail:1') }}
        {{ salt['pillar.get']('nope:deep', 'fallback') | upper | regex_replace('L+', '-') }}
        {{ pillar.zones.keys() | list | union(['b', 'a']) | sort | join(',') }} {{ pillar.empty }}
        {{ 'a,b,,c'.split(',') | reject('equalto', '') | map('upper') | list | tojson }}
        {{ 'ünï' | sha256 | truncate(12, True, '') }} {{ 'x y' | quote }} {{ [3,1,2] | max }} {{ '1.9' | float | round(0, 'floor') | int }}
        {{ {'b': {'c': 1}} | traverse('b:c') }} {{ 'salt' | substring_in_list(['pepper salt']) }} {{ [1,[2,[3]]] | flatten }}
