"""Runs the program: ``python -m sitegate check site``."""

import subprocess
import sys

from sitegate import find_program

sys.exit(subprocess.run([find_program(), *sys.argv[1:]], check=False).returncode)
