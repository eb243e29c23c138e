no in {{ saltenv }} as {{ sls }}: {test.nop: []}
