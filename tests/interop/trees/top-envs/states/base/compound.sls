compound in {{ saltenv }} as {{ sls }}: {test.nop: []}
