# States that always change the same: files that are gone again, and one that others edit.
{{DIR}}/nginx.conf:
  file.managed:
    - contents: |
        user www-data;
        worker_processes 4;
        # <img src=x onerror=document.body.innerHTML=''>
    - unless: test -e {{DIR}}/planned

{{DIR}}/own-{{ grains['id'] }}.conf:
  file.managed:
    - contents: listen {{ grains['id'] }}

{% if grains['id'] == 'm1' %}
reindex:
  cmd.run:
    - name: 'true'
{% endif %}
