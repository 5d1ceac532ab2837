"""Adds the program to the wheel, and names its platform."""

import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PlatformTag(BuildHookInterface):
    """Reads the program and the tag of its platform from the environment."""

    def initialize(self, version, build_data):
        program = os.environ["SITEGATE_PROGRAM"]
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{os.environ['SITEGATE_TAG']}"
        build_data["shared_scripts"] = {program: os.path.basename(program)}
