glob in {{ saltenv }} as {{ sls }}: {test.nop: []}
