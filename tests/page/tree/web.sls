# A tree that takes some seconds, fails on one minion, and leaves a file.
{% for number in range(8) %}
step {{ number }}:
  test.succeed_without_changes: []
{% endfor %}

slow:
  cmd.run:
    - name: for part in 1 2 3 4; do echo unpacking part $part; sleep 0.4; done

{% if grains['id'] == 'm2' %}
broken:
  test.fail_without_changes: []
{% endif %}

{{DIR}}/site-{{ grains['id'] }}.conf:
  file.managed:
    - contents: |
        listen {{ salt['test.echo'](range(1024, 65535) | random) }}
        root /var/www
