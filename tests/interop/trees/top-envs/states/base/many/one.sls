many/one in {{ saltenv }} as {{ sls }}: {test.nop: []}
