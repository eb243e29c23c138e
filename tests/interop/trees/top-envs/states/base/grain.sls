grain in {{ saltenv }} as {{ sls }}: {test.nop: []}
