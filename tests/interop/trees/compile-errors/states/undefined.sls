a:
  test.nop:
    - name: {{ nothing.there }}
