// SPDX-License-Identifier: BSD-3-Clause
#include "command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "base/caret.hpp"
#include "crinkle/error.hpp"
#include "version.hpp"

namespace crinkle::tool {
namespace {

constexpr int done = 0, failed = 1, wrong = 2;

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::bad_file:
    case ErrorCode::out_of_memory:
    case ErrorCode::device: return failed;
    default: return wrong;
  }
}

int complain(const char* kind, const std::string& text, int status) {
  std::fflush(stdout);
  fmt::print(stderr, "crinkle: {}: {}\n", kind, text);
  return status;
}

using Commands = std::vector<std::pair<CLI::App*, Action>>;

// "; did you mean move? " and what follows as a new sentence, or "; " and what follows.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& words, std::string follows) {
  const std::string nearest = nearest_of(word, words);
  if (nearest.empty()) return "; " + follows;
  follows[0] = static_cast<char>(follows[0] - 'a' + 'A');
  return "; did you mean " + nearest + "? " + follows;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// What is wrong with a command line that could not be parsed, in the order a person would mend it: the command's word, an option that does
// not exist, then what CLI11 says.
std::string what_is_wrong(const CLI::App& app, const Commands& commands, const std::vector<std::string>& words, const CLI::ParseError& e) {
  const CLI::App* parsed = &app;
  std::vector<std::string> names;
  for (const auto& [command, action] : commands) {
    names.push_back(command->get_name());
    if (command->parsed()) parsed = command;
  }
  const std::string help = "see crinkle " + (parsed == &app ? "" : parsed->get_name() + " ") + "--help";
  const std::string see = "; " + help;
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word[0] == '-' && word[1] != '>'; };
  if (parsed == &app && (words.empty() || !is_option(words[0]))) {
    if (words.empty()) return "say what to do: " + joined(names) + see;
    return "there is no command '" + shown(words[0]) + "'" + did_you_mean(words[0], names, "the commands are " + joined(names)) + see;
  }
  for (const std::string& left : app.remaining(true)) {
    if (!is_option(left)) continue;
    std::vector<std::string> options;
    for (const CLI::Option* option : parsed->get_options()) {
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    }
    return "there is no option " + shown(left) + did_you_mean(left, options, help);
  }
  if (const std::vector<std::string> left = app.remaining(true); !left.empty()) {
    const bool takes_spec = parsed->get_option_no_throw("SPEC") != nullptr;
    const std::string word = left[0].substr(left[0].starts_with(" ->") ? 1 : 0);  // the blank is run_command's
    return "'" + shown(word) + "' is one word too many" + (takes_spec ? "; put quotes around a specification: 'y x -> x y'" : "") + see;
  }
  std::string text = e.what();
  if (const std::size_t equals = text.find(" = ");
      dynamic_cast<const CLI::ConversionError*>(&e) != nullptr && equals != std::string::npos) {
    const std::size_t name = std::min(text.find("--"), equals);  // "Could not convert: --offset = 3.5"
    text = text.substr(name, equals - name) + ": '" + shown(text.substr(equals + 3)) + "' is no whole number";
  }
  return text + see;
}

}  // namespace

int run_command(int argc, const char* const* argv) {
  CLI::App app{"Brings arrays from any layout into any other, in one pass.", "crinkle"};
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  app.footer(
      "Examples:\n"
      "  crinkle move 'z y x -> x z y' --flip z volume.nii.gz turned.nii.gz\n"
      "  crinkle records --fields 'x:f4 y:f4 z:f4' --from '(x y z)' --to 'x|y|z' points.raw planes.raw\n"
      "  crinkle advise --fields 'x:f4 y:f4 z:f4 p:f4' --read 'x y z' --write p --from '(x y z p)'\n"
      "  crinkle interlace red.npy green.npy blue.npy -o picture.npy\n"
      "  crinkle deinterlace picture.npy -o red.npy green.npy blue.npy\n"
      "  crinkle pairs distance stars.npy distances.npy --metric euclidean\n"
      "  crinkle triangle --from condensed --to symmetric distances.npy symmetric.npy\n"
      "  crinkle fft photo.png spectrum.png --dtype float32 --spectrum\n"
      "  crinkle explain 'y (x 2) -> 2 y x' --shape 8192,8192 --dtype float32 --machine h200\n"
      "  crinkle draw 'y (x 2) -> 2 y x' --shape 4,4 -o crinkled.svg\n"
      "  crinkle info volume.nii.gz\n"
      "  crinkle bench copy\n"
      "Help for one of them: crinkle move --help");
  Commands commands;
  for (const auto& add : {add_move, add_records, add_advise, add_interlace, add_deinterlace, add_pairs, add_triangle, add_fft, add_explain,
                          add_draw, add_info, add_bench}) {
    Action action = add(app);
    commands.emplace_back(app.get_subcommands({}).back(), std::move(action));
  }
  // A specification of rank 0 begins with its arrow, which would be read as an option.
  std::vector<std::string> arguments;
  for (int i = argc - 1; i > 0; --i) arguments.push_back(std::string(argv[i]).starts_with("->") ? ' ' + std::string(argv[i]) : argv[i]);
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      return app.exit(e) == 0 && std::cout.flush() ? done : complain("bad_file", "standard output: writing failed", failed);
    }
    return complain("wrong command line", what_is_wrong(app, commands, {argv + std::min(argc, 1), argv + argc}, e), wrong);
  }
  try {
    for (const auto& [command, action] : commands) {
      if (command->parsed()) action();
    }
    if (std::fflush(stdout) != 0) throw Error(ErrorCode::bad_file, std::string("standard output: writing: ") + std::strerror(errno));
    return done;
  } catch (const Error& e) { return complain(name_of(e.code()), e.what(), status_of(e.code())); } catch (const std::bad_alloc&) {
    return complain("out_of_memory", "not enough memory", failed);
  } catch (const std::exception& e) { return complain("failed", e.what(), failed); }
}

}  // namespace crinkle::tool
