many/two in {{ saltenv }} as {{ sls }}: {test.nop: []}
