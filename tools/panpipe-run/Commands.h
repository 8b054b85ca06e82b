//===- Commands.h - The commands of panpipe-run --------------- -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TOOLS_PANPIPE_RUN_COMMANDS_H
#define PANPIPE_TOOLS_PANPIPE_RUN_COMMANDS_H

#include <string>
#include <vector>

namespace panpipe::run {

/// Arguments of a command: options with their values, and the rest in order.
/// `--name value` and `--name=value` are the same.
class Arguments {
public:
  /// `valued` options take a value, `flags` do not. False (and a message on
  /// stderr) for an unknown option or a missing value.
  bool parse(const std::vector<std::string> &text,
             const std::vector<std::string> &valued,
             const std::vector<std::string> &flags);

  std::vector<std::string> positional;
  std::vector<std::string> all(const std::string &name) const;
  /// The last value, or `normal`.
  std::string get(const std::string &name,
                  const std::string &normal = "") const;
  bool has(const std::string &name) const;
  /// A positive number, or `normal`; false (and a message) for anything else.
  bool number(const std::string &name, unsigned normal, unsigned &value) const;

private:
  std::vector<std::pair<std::string, std::string>> options;
};

/// Prints "panpipe-run: error: …" and gives the exit code 1.
int error(const std::string &message);

int compileCommand(const std::vector<std::string> &arguments);
int planCommand(const std::vector<std::string> &arguments);
int infoCommand(const std::vector<std::string> &arguments);
int runCommand(const std::vector<std::string> &arguments);

} // namespace panpipe::run

#endif // PANPIPE_TOOLS_PANPIPE_RUN_COMMANDS_H
