ipcidr in {{ saltenv }} as {{ sls }}: {test.nop: []}
