include: [b]
c1:
  test.nop:
    - require: [{test: 'a*'}, {id: 'b?'}]
c2:
  test.nop:
    - require: [c1, {sls: 'd*'}]
