compound-deep in {{ saltenv }} as {{ sls }}: {test.nop: []}
