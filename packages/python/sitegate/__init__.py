"""Runs the program of this package on a finished build."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from urllib.parse import urlsplit


class SitegateError(Exception):
    """A site that does not pass, or that could not be checked."""


def find_program():
    """Returns the path of the program. ``SITEGATE_BINARY`` overrides it."""
    own = os.environ.get("SITEGATE_BINARY")
    if own:
        return own
    name = "sitegate.exe" if sys.platform == "win32" else "sitegate"
    schemes = [None, sysconfig.get_preferred_scheme("user")] if sys.version_info >= (3, 10) else [None]
    folders = [sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts") for scheme in schemes]
    installed = next((path for path in (Path(folder, name) for folder in folders) if path.is_file()), None)
    program = installed or shutil.which("sitegate")
    if program is None:
        raise SitegateError("the program is not installed; run `pip install sitegate`, or set SITEGATE_BINARY to its path")
    return str(program)


def _contract(url, sources):
    """Returns a contract with the deployment and the sources that the build tool knows."""
    lines = ["[site]"]
    parts = urlsplit(url or "")
    if parts.scheme in ("http", "https") and parts.netloc:
        path = "/" + parts.path.strip("/") + "/" if parts.path.strip("/") else "/"
        lines += [f"origin = {json.dumps(parts.scheme + '://' + parts.netloc)}", f"base-path = {json.dumps(path)}"]
    # The program refuses globs outside of the working directory.
    below = [glob for glob in sources if not glob.startswith(("..", "/")) and ":" not in glob]
    if below:
        lines += ["[source]", f"include = {json.dumps(below)}"]
    return "\n".join(lines) + "\n"


def check(folder, project, *, url="", sources=(), args=(), fail_on="error"):
    """Checks a build, prints the report, and raises ``SitegateError`` if the site does not pass.

    ``sources`` are globs of authored files, relative to ``project``. A contract file has precedence over them.
    """
    if fail_on not in ("error", "never"):
        raise SitegateError(f'fail_on is "error" or "never", not {fail_on!r}')
    files = [file for file in (Path(project, "sitegate.toml"), Path("sitegate.toml")) if file.is_file()]
    below = Path(os.path.relpath(project)).as_posix()
    globs = [glob if below == "." else f"{below}/{glob}" for glob in sources]
    config = ["--config", str(files[0])] if files else ["--config", "-", "--config-name", "sitegate"]
    shown = os.path.relpath(folder)
    sys.stdout.flush()
    command = [find_program(), "check", *config, *args, "--", shown]
    code = subprocess.run(command, input="" if files else _contract(url, globs), text=True, check=False).returncode
    if code != 0 and not (code == 1 and fail_on == "never"):
        why = "does not pass" if code == 1 else f"could not be checked (exit code {code})"
        raise SitegateError(f"sitegate: {shown} {why}, see above")
