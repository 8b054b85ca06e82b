//===- panpipe-colorize.cpp - Colours line art from tags ------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Command line of lib/Colorize over a compiled Tag2Pix.
///
//===----------------------------------------------------------------------===//

#include "panpipe/Colorize/Colorizer.h"
#include "panpipe/Colorize/Tags.h"
#include "panpipe/Runtime/Executable.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

using namespace panpipe;
using namespace panpipe::colorize;
namespace fs = std::filesystem;

static const char usage[] =
    R"(Colours line art with the colours that tags name.

  panpipe-colorize art.png --tags "blonde_hair, blue_eyes" -o out.png
  panpipe-colorize a.png b.jpg --tags "red_shirt" -o folder/
  panpipe-colorize art.png --grid hair -o sheet.png
  panpipe-colorize --list-tags

Options:
  -t, --tags TEXT     comma-separated tags; without a tag of a category, the
                      network chooses (white background, pale skin, …)
  -o, --output PATH   a .png or .jpg file; with several pictures, a folder
      --grid CATEGORY the same art with every tag of a category, on one sheet
      --colors PATH   also write the colours without the lines
      --no-snap       keep the network's soft colours inside closed lines
      --list-tags     print the tags by category
      --model PATH    the compiled network (default: beside this program, or
                      $PANPIPE_TAG2PIX)
      --vocabulary PATH  its tags (default: vocabulary.json beside the network)
  -q, --quiet         no progress
  -h, --help          this text

Any size and shape in, the same size out. Alpha is put onto white; light lines
on dark paper are inverted. Exit code 0: all pictures coloured; 1: a picture or
the network could not be read or written; 2: wrong arguments.
)";

namespace {

struct Arguments {
  std::vector<std::string> pictures;
  std::string tags, output, grid, colours, model, vocabulary;
  bool snap = true, listTags = false, quiet = false, help = false;
};

/// Prints an error about the command line and returns its exit code.
int wrongArguments(const std::string &message) {
  std::fprintf(stderr, "panpipe-colorize: %s\nTry panpipe-colorize --help\n",
               message.c_str());
  return 2;
}

int failed(const std::string &message) {
  std::fprintf(stderr, "panpipe-colorize: error: %s\n", message.c_str());
  return 1;
}

/// Fills `arguments`; returns an explanation, or nothing.
std::string parseArguments(int argc, char **argv, Arguments &arguments) {
  struct {
    const char *shortName, *longName;
    std::string *value;
  } withValue[] = {{"-t", "--tags", &arguments.tags},
                   {"-o", "--output", &arguments.output},
                   {nullptr, "--grid", &arguments.grid},
                   {nullptr, "--colors", &arguments.colours},
                   {nullptr, "--model", &arguments.model},
                   {nullptr, "--vocabulary", &arguments.vocabulary}};
  struct {
    const char *shortName, *longName;
    bool *flag;
    bool set;
  } flags[] = {{nullptr, "--no-snap", &arguments.snap, false},
               {nullptr, "--list-tags", &arguments.listTags, true},
               {"-q", "--quiet", &arguments.quiet, true},
               {"-h", "--help", &arguments.help, true}};
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    bool known = false;
    for (auto &option : withValue) {
      size_t length = std::strlen(option.longName);
      if (word.compare(0, length, option.longName) == 0 &&
          word.size() > length && word[length] == '=') {
        *option.value = word.substr(length + 1);
        known = true;
      } else if (word == option.longName ||
                 (option.shortName && word == option.shortName)) {
        if (++i == argc)
          return word + " needs a value";
        *option.value = argv[i];
        known = true;
      }
    }
    for (auto &option : flags)
      if (word == option.longName ||
          (option.shortName && word == option.shortName)) {
        *option.flag = option.set;
        known = true;
      }
    if (known)
      continue;
    if (word.size() > 1 && word[0] == '-')
      return "unknown option " + word;
    arguments.pictures.push_back(word);
  }
  return "";
}

/// The compiled network to use: the option, the environment, or what the build
/// puts into share/ next to bin/.
std::string findModel(const Arguments &arguments) {
  if (!arguments.model.empty())
    return arguments.model;
  if (const char *path = std::getenv("PANPIPE_TAG2PIX"))
    return path;
  std::error_code ignored;
  fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  return (self.parent_path().parent_path() / "share/panpipe/tag2pix.panpipe")
      .string();
}

void printTags(const Vocabulary &vocabulary) {
  for (const std::string &category : vocabulary.categories()) {
    std::printf("%s:\n", category.c_str());
    for (size_t i : vocabulary.members(category)) {
      const Vocabulary::Tag &tag = vocabulary.tags()[i];
      unsigned r = 0, g = 0, b = 0;
      bool swatch = isatty(1) && std::sscanf(tag.anchor.c_str(), "#%2x%2x%2x",
                                             &r, &g, &b) == 3;
      if (swatch)
        std::printf("  \x1b[48;2;%u;%u;%um  \x1b[0m %s\n", r, g, b,
                    tag.name.c_str());
      else
        std::printf("  %s\n", tag.name.c_str());
    }
  }
}

/// The compiled network with its vocabulary, checked against each other.
class Tag2Pix {
public:
  std::string load(const std::string &model) {
    std::error_code ignored;
    if (!fs::exists(model, ignored))
      return "there is no compiled network at " + model +
             "; utils/demo builds one, --model names another";
    auto loaded = rt::Executable::load(model);
    if (!loaded.ok())
      return loaded.message();
    executable = std::move(*loaded);
    for (size_t i = 0; i < executable->inputs().size(); ++i) {
      const rt::TensorInfo &info = executable->inputs()[i];
      if (info.shape.size() == 4 && info.shape[0] == 1 && info.shape[1] == 1 &&
          info.shape[2] == info.shape[3] && info.dtype == rt::DType::F32)
        line = i;
      else if (info.shape.size() == 2 && info.shape[0] == 1 &&
               info.dtype == rt::DType::F32)
        tags = i;
    }
    if (executable->inputs().size() != 2 || line == tags ||
        executable->outputs().size() != 1)
      return model +
             " is not a colouring network: it should take a 1x1xSxS "
             "sheet of lines and a 1xT tag vector, and return one sheet";
    return "";
  }

  int side() const {
    return static_cast<int>(executable->inputs()[line].shape[2]);
  }
  size_t tagCount() const {
    return static_cast<size_t>(executable->inputs()[tags].shape[1]);
  }

  bool operator()(const std::vector<float> &lines,
                  const std::vector<float> &tagVector,
                  std::vector<float> &colour, std::string &error) {
    std::vector<const void *> inputs(2);
    inputs[line] = lines.data();
    inputs[tags] = tagVector.data();
    colour.resize(executable->outputs()[0].elements());
    rt::Status status = executable->run(inputs, {colour.data()});
    error = status.message();
    return status.ok();
  }

private:
  std::unique_ptr<rt::Executable> executable;
  size_t line = 0, tags = 0;
};

/// Where the coloured version of `picture` goes.
std::string outputPath(const Arguments &arguments, const std::string &picture) {
  // The form without an error code throws, for example where a folder on the
  // way may not be read.
  std::error_code ignored;
  bool folder = arguments.pictures.size() > 1 ||
                arguments.output.back() == '/' ||
                fs::is_directory(arguments.output, ignored);
  if (!folder)
    return arguments.output;
  return (fs::path(arguments.output) / fs::path(picture).stem()).string() +
         ".png";
}

class Session {
public:
  Session(const Arguments &arguments, Tag2Pix &network,
          const Vocabulary &vocabulary)
      : arguments(arguments), network(network), vocabulary(vocabulary) {
    options.snapRegions = arguments.snap;
  }

  /// Colours one picture; returns an explanation, or nothing.
  std::string colour(const std::string &picture, const std::string &output) {
    std::string error;
    Image art, result, colours;
    if (!readImage(picture, art, error))
      return error;
    LineArt lines = prepareLines(art);
    bool done = arguments.grid.empty()
                    ? one(lines, arguments.tags, result, &colours, error)
                    : grid(lines, result, error);
    if (!done || !writeImage(output, result, error))
      return error;
    if (!arguments.colours.empty() && arguments.grid.empty() &&
        !writeImage(arguments.colours, colours, error))
      return error;
    return "";
  }

private:
  bool one(const LineArt &lines, const std::string &tags, Image &result,
           Image *colours, std::string &error) {
    std::vector<float> vector;
    return vocabulary.parse(tags, vector, error) &&
           colorize::colorize(lines, vector, network.side(), std::ref(network),
                              options, result, colours, error);
  }

  bool grid(const LineArt &lines, Image &sheet, std::string &error) {
    std::vector<Image> pictures;
    for (size_t i : vocabulary.members(arguments.grid)) {
      const std::string &name = vocabulary.tags()[i].name;
      pictures.emplace_back();
      std::string tags =
          arguments.tags.empty() ? name : arguments.tags + "," + name;
      if (!one(lines, tags, pictures.back(), nullptr, error))
        return false;
    }
    sheet = contactSheet(pictures);
    return true;
  }

  const Arguments &arguments;
  Tag2Pix &network;
  const Vocabulary &vocabulary;
  ColorizeOptions options;
};

/// Checks what does not need a picture; returns an explanation, or nothing.
std::string checkRequest(const Arguments &arguments,
                         const Vocabulary &vocabulary) {
  if (arguments.pictures.empty())
    return "no picture given";
  if (arguments.output.empty())
    return "no output given: add -o PATH";
  if (!arguments.colours.empty() && arguments.pictures.size() > 1)
    return "--colors works with one picture";
  if (!arguments.colours.empty() && !arguments.grid.empty())
    return "--colors does not work with --grid, which makes one sheet";
  for (size_t i = 0; i < arguments.pictures.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      if (outputPath(arguments, arguments.pictures[i]) ==
          outputPath(arguments, arguments.pictures[k]))
        return arguments.pictures[k] + " and " + arguments.pictures[i] +
               " would both be written to " +
               outputPath(arguments, arguments.pictures[i]);
  std::vector<float> vector;
  std::string error;
  if (!vocabulary.parse(arguments.tags, vector, error))
    return error;
  if (arguments.grid.empty())
    return "";
  std::vector<size_t> members = vocabulary.members(arguments.grid);
  if (members.empty()) {
    error = "unknown category '" + arguments.grid + "' for --grid; known are";
    for (const std::string &category : vocabulary.categories())
      error += " " + category;
    return error;
  }
  for (size_t i : members)
    if (vector[i] != 0.0f)
      return "--grid " + arguments.grid + " tries every tag of " +
             arguments.grid + ", but --tags already names " +
             vocabulary.tags()[i].name;
  return "";
}

int run(const Arguments &arguments) {
  std::string model = findModel(arguments);
  std::string tagFile =
      arguments.vocabulary.empty()
          ? (fs::path(model).parent_path() / "vocabulary.json").string()
          : arguments.vocabulary;
  Vocabulary vocabulary;
  std::string error;
  if (!vocabulary.load(tagFile, error))
    return failed(error);
  if (arguments.listTags) {
    printTags(vocabulary);
    return 0;
  }
  error = checkRequest(arguments, vocabulary);
  if (!error.empty())
    return wrongArguments(error);

  Tag2Pix network;
  error = network.load(model);
  if (!error.empty())
    return failed(error);
  if (network.tagCount() != vocabulary.size())
    return failed("the network knows " + std::to_string(network.tagCount()) +
                  " tags, but " + tagFile + " lists " +
                  std::to_string(vocabulary.size()));

  Session session(arguments, network, vocabulary);
  int code = 0;
  for (const std::string &picture : arguments.pictures) {
    std::string output = outputPath(arguments, picture);
    if (arguments.pictures.size() > 1 || arguments.output.back() == '/') {
      std::error_code ignored;
      fs::create_directories(fs::path(output).parent_path(), ignored);
    }
    auto begin = std::chrono::steady_clock::now();
    error = session.colour(picture, output);
    std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - begin;
    // One bad picture does not stop the others.
    if (!error.empty())
      code = failed(error);
    else if (!arguments.quiet)
      std::printf("%s -> %s (%.0f ms)\n", picture.c_str(), output.c_str(),
                  elapsed.count());
  }
  return code;
}

} // namespace

int main(int argc, char **argv) {
  Arguments arguments;
  std::string error = parseArguments(argc, argv, arguments);
  if (!error.empty())
    return wrongArguments(error);
  if (arguments.help) {
    std::fputs(usage, stdout);
    return 0;
  }
  return run(arguments);
}
