pillar in {{ saltenv }} as {{ sls }}: {test.nop: []}
