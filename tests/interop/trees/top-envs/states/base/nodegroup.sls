nodegroup in {{ saltenv }} as {{ sls }}: {test.nop: []}
