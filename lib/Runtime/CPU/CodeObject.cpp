//===- CodeObject.cpp - Native code of an executable ----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeObject.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace panpipe::rt;

CodeObject::~CodeObject() {
  if (handle)
    dlclose(handle);
}

Result<CodeObject> CodeObject::load(const std::vector<uint8_t> &bytes) {
  CodeObject object;
  if (bytes.empty())
    return object;
  // A file in memory: nothing to clean up, nothing that another user could
  // swap.
  int file = memfd_create("panpipe-code", MFD_CLOEXEC);
  if (file < 0)
    return Status::error(
        std::string("cannot make a memory file for the code: ") +
        std::strerror(errno));
  size_t done = 0;
  while (done != bytes.size()) {
    ssize_t count = write(file, bytes.data() + done, bytes.size() - done);
    if (count <= 0)
      break;
    done += static_cast<size_t>(count);
  }
  std::string path = "/proc/self/fd/" + std::to_string(file);
  if (done == bytes.size())
    object.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char *problem = object.handle ? nullptr : dlerror();
  close(file);
  if (!object.handle)
    return Status::error(std::string("cannot load its code: ") +
                         (problem ? problem : "out of memory"));
  return object;
}

CompiledFunction CodeObject::find(const std::string &symbol) const {
  return handle
             ? reinterpret_cast<CompiledFunction>(dlsym(handle, symbol.c_str()))
             : nullptr;
}
