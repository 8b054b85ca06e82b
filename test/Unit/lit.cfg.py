# The GoogleTest programs of the build, one lit test per test case.
import os

import lit.formats

config.name = "panpipe-unit"
config.suffixes = []
config.test_source_root = config.test_exec_root = os.path.join(config.panpipe_obj_root, "test", "Unit")
config.test_format = lit.formats.GoogleTest(".", "Test")
config.environment["PANPIPE_SOURCE_DIR"] = config.panpipe_src_root
for name in ("PANPIPE_SOLVERS", "PANPIPE_ALL_TESTS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
