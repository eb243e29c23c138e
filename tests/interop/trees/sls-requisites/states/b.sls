include: [a, d.sub]
b1:
  test.nop:
    - require: [{sls: a}, {sls: d}]
b2:
  test.succeed_without_changes:
    - watch: [{sls: a}]
b3:
  test.nop:
    - onchanges: [{sls: d.sub}]
