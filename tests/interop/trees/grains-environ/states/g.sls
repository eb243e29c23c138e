{%- set d = grains.sandbox %}
set: {grains.present: [{name: role}, {value: web}]}
nested: {grains.present: [{name: 'deep:y'}, {value: [1, 2]}, {force: True}]}
replaced: {grains.present: [{name: deep}, {value: flat}]}
in list: {grains.list_present: [{name: roles}, {value: [one, two]}]}
not in list: {grains.list_absent: [{name: roles}, {value: [two, three]}]}
appended: {grains.append: [{name: list}, {value: b}, {convert: True}]}
gone: {grains.absent: [{name: never}]}
exists: {grains.exists: [{name: id}]}
env: {environ.setenv: [{name: TREE_TEST}, {value: 'yes'}]}
envs: {environ.setenv: [{name: x}, {value: {TREE_A: a, TREE_B: False}}, {false_unsets: True}]}
sees: {cmd.run: [{name: 'echo $TREE_TEST $TREE_A'}, {require: [{environ: env}]}]}
event: {event.send: [{name: my/tag}, {data: {a: 1}}]}
functions:
  file.managed:
    - name: {{ d }}/functions
    - contents: |
        {{ salt['config.get']('id') }} {{ salt['config.get']('nothing', 'default') }} {{ salt['config.option']('file_client') }}
        {{ salt['grains.get']('deep:x') }} {{ salt.grains.get('nothing', 'none') }} {{ salt['grains.filter_by']({'Debian': 'deb', 'default': 'other'}) }}
        {{ salt['match.glob']('web*') }} {{ salt['match.compound']('G@id:db* or E@web.*') }} {{ salt['match.grain']('deep:x:1') }}
        {{ salt['slsutil.merge']({'a': {'b': 1}}, {'a': {'c': [1]}}) | json }}
        {{ salt['file.file_exists'](d ~ '/no') }} {{ salt['cmd.run']('echo hi') }} {{ salt['cmd.run_all']('exit 3', python_shell=True, ignore_retcode=True).retcode }} {{ salt['cmd.retcode']('false', ignore_retcode=True) }}
        {{ salt['test.get_opts']().get('file_client') }} {{ salt['pkg.version_cmp']('1.2-3', '1.10') }} {{ salt['hashutil.digest']('x') }} {{ salt['network.is_private']('10.0.0.1') }}
        {{ salt['cp.list_states']() | sort }} {{ salt['state.sls_exists']('other') }} {{ salt['user.info']('root').uid }} {{ salt['random.hash']('x', 'md5') }}
