{{ 'test.echo' in salt }}:
  test.nop: []
