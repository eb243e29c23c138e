"""The same work by Ansible, with connections made for it and with ones that were there."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from processes import cpu_s
from resource_fleet import run


def case_ansible(opts):
    if not opts.ansible:
        yield {"case": "ansible", "skipped": "no --ansible DIR"}
        return
    root = pathlib.Path(tempfile.mkdtemp(prefix="ansible-", dir=opts.tmp))
    sshd = opts.sshd

    def group(n):
        return "".join(
            f"{k} ansible_host=127.0.0.1 ansible_port={v['port']} ansible_user=root\n"
            for k, v in sshd.hosts(n).items()
        )

    for n in (5, 10, 30):
        (root / f"inv{n}").write_text(group(n))
    tasks = [
        {
            "name": f"file {i}",
            "ansible.builtin.copy": {
                "dest": f"{root}/out/{{{{ inventory_hostname }}}}/f{i}",
                "content": f"hello {i}\n",
                "mode": "0644",
            },
        }
        for i in range(20)
    ]
    (root / "play.yml").write_text(json.dumps([{"hosts": "all", "gather_facts": False, "tasks": tasks}]))
    for host in sshd.hosts(30):
        (root / "out" / host).mkdir(parents=True)

    def env(forks, persist):
        options = f"-o UserKnownHostsFile={sshd.root}/known_hosts -o IdentitiesOnly=yes -i {sshd.root}/id"
        options += " -o ControlMaster=auto -o ControlPersist=60s" if persist else " -o ControlMaster=no"
        return {
            **os.environ,
            "ANSIBLE_PIPELINING": "True",
            "ANSIBLE_FORKS": str(forks),
            "ANSIBLE_SSH_ARGS": options,
            "ANSIBLE_HOME": str(root / "home"),
            "ANSIBLE_PYTHON_INTERPRETER": "/usr/bin/python3",
            "ANSIBLE_SSH_CONTROL_PATH_DIR": str(root / "cp"),
            "ANSIBLE_HOST_KEY_CHECKING": "True",
            "ANSIBLE_NOCOLOR": "1",
        }

    def measure(label, argv, forks, persist, warm=0):
        for _ in range(warm):
            run(argv, env=env(forks, persist))
        before = cpu_s(sshd.pids)
        _, wall, cpu, rc = run(argv, env=env(forks, persist))
        return {
            "case": label,
            "wall_s": round(wall, 2),
            "cpu_s": round(cpu, 2),
            "cpu_targets_s": round(cpu_s(sshd.pids) - before, 2),
            "rc": rc,
        }

    def adhoc(n):
        return [
            f"{opts.ansible}/ansible",
            "-i",
            str(root / f"inv{n}"),
            "all",
            "-m",
            "ansible.builtin.command",
            "-a",
            "echo hi",
        ]

    play = [f"{opts.ansible}/ansible-playbook", "-i", str(root / "inv5"), str(root / "play.yml")]
    for n in (10, 30):
        for forks in (10, 30):
            yield measure(f"ansible command, {n} hosts, forks {forks}, fresh", adhoc(n), forks, False)
            yield measure(
                f"ansible command, {n} hosts, forks {forks}, persistent", adhoc(n), forks, True, warm=1
            )
    yield measure("ansible 20 copy tasks, 5 hosts, forks 10, fresh connections, first", play, 10, False)
    yield measure("ansible 20 copy tasks, 5 hosts, forks 10, fresh connections, again", play, 10, False)
    for host in sshd.hosts(30):
        shutil.rmtree(root / "out" / host)
        (root / "out" / host).mkdir()
    yield measure("ansible 20 copy tasks, 5 hosts, forks 10, persistent, first", play, 10, True)
    yield measure("ansible 20 copy tasks, 5 hosts, forks 10, persistent, again", play, 10, True)
    for control in (root / "cp").glob("*") if (root / "cp").exists() else ():
        subprocess.run(
            ["ssh", "-O", "exit", "-o", f"ControlPath={control}", "127.0.0.1"], capture_output=True
        )
