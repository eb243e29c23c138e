grain-in-list in {{ saltenv }} as {{ sls }}: {test.nop: []}
