list in {{ saltenv }} as {{ sls }}: {test.nop: []}
