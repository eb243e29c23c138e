"""Hosts to reach by SSH: an sshd that listens on many ports of the loopback."""

import pathlib
import shutil
import subprocess
import time

from processes import stop

CONFIG = """\
ListenAddress 127.0.0.1
HostKey {root}/host
AuthorizedKeysFile {root}/authorized_keys
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication no
MaxStartups 500
MaxSessions 200
Subsystem sftp internal-sftp
"""


class Sshd:
    """n listening ports on loopback, one host key, one client key."""

    PER_DAEMON = 15  # sshd refuses more than 16 listening sockets

    def __init__(self, root, first_port, n):
        self.root, self.ports, self.procs = root, list(range(first_port, first_port + n)), []
        root.mkdir()
        for name in ("host", "id"):
            subprocess.run(
                ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(root / name)], check=True
            )
        shutil.copy(root / "id.pub", root / "authorized_keys")
        host_key = " ".join((root / "host.pub").read_text().split()[:2])
        (root / "known_hosts").write_text("".join(f"[127.0.0.1]:{p} {host_key}\n" for p in self.ports))
        pathlib.Path("/run/sshd").mkdir(exist_ok=True)
        for at in range(0, n, self.PER_DAEMON):
            conf = root / f"sshd{at}.conf"
            conf.write_text(
                "".join(f"Port {p}\n" for p in self.ports[at : at + self.PER_DAEMON])
                + CONFIG.format(root=root)
            )
            self.procs.append(
                subprocess.Popen(["/usr/sbin/sshd", "-D", "-f", str(conf), "-E", str(root / "sshd.log")])
            )
        self.pids = [proc.pid for proc in self.procs]
        time.sleep(1)

    def hosts(self, n):
        return {
            f"web-{k:02}": {
                "host": "127.0.0.1",
                "port": p,
                "user": "root",
                "priv": f"{self.root}/id",
                "known_hosts_file": f"{self.root}/known_hosts",
                "identities_only": True,
                "thin_dir": f"{self.root}/thin/web-{k:02}_salt",
            }
            for k, p in enumerate(self.ports[:n])
        }

    def stop(self):
        for proc in self.procs:
            stop(proc)
