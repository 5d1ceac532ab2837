"""Checks the site that MkDocs builds: ``plugins: [sitegate]``."""

import os

from mkdocs.config import base, config_options
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority

from sitegate import SitegateError, check


class _Options(base.Config):
    args = config_options.Type(list, default=[])
    fail_on = config_options.Choice(("error", "never"), default="error")


class SitegatePlugin(BasePlugin[_Options]):
    """Fails `mkdocs build` if its pages do not pass."""

    def on_startup(self, *, command, dirty):
        self._is_build = command != "serve"

    @event_priority(-100)  # after the plugins that write files
    def on_post_build(self, *, config):
        """Checks the site. While pages are edited, links to unwritten ones are normal, so `serve` does not."""
        if not getattr(self, "_is_build", True):
            return
        project = os.path.dirname(config.config_file_path)
        folders = [config.docs_dir, config.theme.custom_dir]
        globs = [f"{os.path.relpath(folder, project)}/**".replace(os.sep, "/") for folder in folders if folder]
        options = self.config
        try:
            check(config.site_dir, project, url=config.site_url, sources=globs, args=options.args, fail_on=options.fail_on)
        except SitegateError as error:
            raise PluginError(str(error)) from None
