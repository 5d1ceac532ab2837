"""Checks the HTML that Sphinx builds: ``extensions = ["sitegate.sphinx"]``."""

import os
from importlib.metadata import version

from sphinx.errors import ExtensionError

from sitegate import SitegateError, check


def _check(app, exception):
    if exception is not None or app.builder.format != "html" or app.builder.name in ("htmlhelp", "epub"):
        return
    inside = os.path.relpath(app.srcdir, app.confdir).replace(os.sep, "/")
    prefix = "" if inside == "." else f"{inside}/"
    globs = [f"{prefix}**/*{suffix}" for suffix in app.config.source_suffix]
    globs += [f"{folder}/**" for folder in (*app.config.templates_path, *app.config.html_static_path)]
    try:
        check(
            app.outdir,
            app.confdir,
            url=app.config.html_baseurl,
            sources=globs,
            args=app.config.sitegate_args,
            fail_on=app.config.sitegate_fail_on,
        )
    except SitegateError as error:
        raise ExtensionError(str(error)) from None


def setup(app):
    """Registers the check, and its settings."""
    app.add_config_value("sitegate_args", [], "", [list])
    app.add_config_value("sitegate_fail_on", "error", "", [str])
    app.connect("build-finished", _check, priority=900)  # after the extensions that write files
    return {"version": version("sitegate"), "parallel_read_safe": True, "parallel_write_safe": True}
