all in {{ saltenv }} as {{ sls }}: {test.nop: []}
