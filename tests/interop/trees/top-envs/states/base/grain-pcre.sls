grain-pcre in {{ saltenv }} as {{ sls }}: {test.nop: []}
