# Configuration of the test suite: lit + FileCheck for IR and tools, and the GoogleTest
# programs under <build>/test/Unit.
import os

import lit.formats
import lit.TestingConfig
import lit.util

config.name = "panpipe"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.panpipe_obj_root, "test")
config.excludes = ["Inputs", "PT2Corpus", "CMakeLists.txt", "lit.cfg.py", "lit.site.cfg.py", "Unit"]

bin_dir = os.path.join(config.panpipe_obj_root, "bin")
config.environment["PATH"] = os.pathsep.join(
    [bin_dir, config.llvm_tools_dir, config.environment.get("PATH", "")])
# A tool of the user's shell must not change what a test sees.
for name in ("PANPIPE_CACHE_DIR", "PANPIPE_SOLVERS"):
    config.environment.pop(name, None)

config.substitutions.append(("%panpipe_src", config.panpipe_src_root))
config.substitutions.append(("%tv_plugin", os.path.join(config.panpipe_obj_root, "lib", "PanpipeTV.so")))
config.substitutions.append(("%models", os.path.join(config.panpipe_src_root, "models")))

if lit.util.which("python3"):
    config.available_features.add("python3")
if os.environ.get("PANPIPE_TORCH_PYTHON"):
    config.available_features.add("torch")
    config.substitutions.append(("%torch_python", os.environ["PANPIPE_TORCH_PYTHON"]))
if os.path.exists(os.path.join(config.llvm_tools_dir, "mlir-runner")):
    config.available_features.add("mlir-runner")
if os.path.exists(os.path.join(bin_dir, "panpipe-pt2-fuzzer")):
    config.available_features.add("fuzzer")
# A tarball has no list of files, and formatting needs the pinned version.
if lit.util.which("clang-format-22") and os.path.exists(os.path.join(config.panpipe_src_root, ".git")):
    config.available_features.add("clang-format")
