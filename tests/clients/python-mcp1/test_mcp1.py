"""The same tests as for the newer version of the library, with the older one."""

from test_mcp import *  # noqa: F403
