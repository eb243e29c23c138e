"""Stock's `salt.syspaths`: standard paths on this machine."""

from salt_g.config.files import find_directory

ROOT_DIR = "/"
CONFIG_DIR = find_directory(None)
CACHE_DIR = "/var/cache/salt"
SOCK_DIR = "/var/run/salt"
SRV_ROOT_DIR = "/srv"
BASE_FILE_ROOTS_DIR = "/srv/salt"
BASE_PILLAR_ROOTS_DIR = "/srv/pillar"
BASE_MASTER_ROOTS_DIR = "/srv/salt-master"
LOGS_DIR = "/var/log/salt"
PIDFILE_DIR = "/var/run"
SPM_FORMULA_PATH = "/srv/spm/salt"
SPM_PILLAR_PATH = "/srv/spm/pillar"
#: Directory of the script that installs stock Salt on other hosts; salt-g has no such script.
BOOTSTRAP = ""
