pillar-pcre in {{ saltenv }} as {{ sls }}: {test.nop: []}
