# A file that others edit.
{{DIR}}/motd:
  file.managed:
    - contents: |
        welcome
        <script>alert(1)</script>
