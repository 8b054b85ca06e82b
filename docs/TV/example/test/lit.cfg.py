import os

import lit.formats

config.name = "halve"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.pathsep.join([config.tools_dir, config.environment["PATH"]])
# %prove FLAGS is mlir-opt with this project's passes and the validator's.
config.substitutions.append(
    ("%prove", f"mlir-opt --load-pass-plugin={config.halve} --load-pass-plugin={config.panpipe_tv}"))
