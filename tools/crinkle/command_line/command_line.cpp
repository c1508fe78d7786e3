// The only file that knows CLI11, which splits the line into options and prints the help. Values are checked and assigned by the options'
// declarations.
// SPDX-License-Identifier: BSD-3-Clause
#include "command_line/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <new>
#include <string_view>
#include <utility>

#include "base/caret.hpp"
#include "command_line/companions.hpp"
#include "command_line/version.hpp"
#include "crinkle/cuda_kernels.hpp"
#include "crinkle/error.hpp"
#include "formats/interrupt.hpp"
#include "formats/request.hpp"

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

int complain(const std::string& program, const char* kind, const std::string& text, int status) {
  std::fflush(stdout);
  fmt::print(stderr, "{}: {}: {}\n", program, kind, text);
  return status;
}

/// A command as CLI11 sees it.
struct Parsed {
  const Command* command = nullptr;
  CLI::App* app = nullptr;
  std::map<const CLI::Option*, const Option*> options = {};
};

CLI::Option* add_to_app(CLI::App& app, const Option& option) {
  const auto keep = [](const CLI::results_t&) { return true; };
  const std::string& help = option.help;
  CLI::Option* added = option.is_flag ? app.add_flag(option.name, help) : app.add_option(option.name, keep, help);
  if (!option.placeholder.empty()) added->type_name(option.placeholder + (option.is_list ? " ..." : ""));
  else if (option.is_argument()) added->type_name(option.is_list ? "..." : "");
  if (option.is_list) added->expected(-1);
  if (option.is_repeatable) added->expected(1)->allow_extra_args(false);
  if (option.is_list || option.is_repeatable) added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  if (option.is_required) added->required();
  if (!option.usual.empty()) added->default_str(option.usual);
  if (!option.group.empty()) added->group(option.group);
  return added;
}

Parsed add_to_app(CLI::App& app, const Command& command) {
  Parsed parsed{&command, &app};
  for (const Option& option : command.options) parsed.options[add_to_app(app, option)] = &option;
  std::string footer = command.notes;
  if (!command.examples.empty()) footer += "Examples:";
  for (const std::string& example : command.examples) footer += "\n  " + example;
  app.footer(footer);
  return parsed;
}

// A specification of rank 0 begins with its arrow, which would be read as an option.
std::string for_cli11(const std::string& word) { return word.starts_with("->") ? ' ' + word : word; }

// "--dtype=", which CLI11 gives the word behind it.
void refuse_empty(const Command& command, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") return;
    for (const Option& option : command.options)
      if (!option.is_flag && !option.is_argument() && word == option.long_name() + "=") option.give("");
  }
}

// Every option its values, in the order of the line.
void give(const Parsed& parsed) {
  std::map<const CLI::Option*, std::size_t> n_given;
  for (const CLI::Option* option : parsed.app->parse_order()) {
    const auto declared = parsed.options.find(option);
    if (declared == parsed.options.end()) continue;  // --help
    std::string text = option->results().at(n_given[option]++);
    if (declared->second->is_argument() && text.starts_with(" ->")) text.erase(0, 1);  // the blank is for_cli11's
    declared->second->give(text);
  }
}

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

// Says what is wrong with a command line that could not be parsed, in the order a person would mend it: the command's word, an option that
// does not exist, then what CLI11 says.
std::string what_is_wrong(const CLI::App& app, const std::vector<Parsed>& commands, const std::vector<std::string>& words,
                          const CLI::ParseError& e) {
  const CLI::App* named = &app;
  const bool is_of_one = commands.size() == 1 && commands[0].app == &app;
  std::vector<std::string> names;
  for (const Parsed& parsed : commands) {
    names.push_back(parsed.command->name);
    if (parsed.app->parsed()) named = parsed.app;
  }
  const std::string help = "see " + app.get_name() + " " + (named == &app ? "" : named->get_name() + " ") + "--help";
  const std::string see = "; " + help;
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word[0] == '-' && word[1] != '>'; };
  if (named == &app && !is_of_one && (words.empty() || !is_option(words[0]))) {
    if (words.empty()) return "say what to do: " + joined(names) + see;
    return "there is no command '" + shown(words[0]) + "'" + did_you_mean(words[0], names, "the commands are " + joined(names)) + see;
  }
  for (const std::string& left : app.remaining(true)) {
    if (!is_option(left)) continue;
    std::vector<std::string> options;
    for (const CLI::Option* option : named->get_options()) {
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    }
    return "there is no option " + shown(left) + did_you_mean(left, options, help);
  }
  if (const std::vector<std::string> left = app.remaining(true); !left.empty()) {
    const bool takes_spec = named->get_option_no_throw("SPEC") != nullptr;
    const std::string word = left[0].substr(left[0].starts_with(" ->") ? 1 : 0);  // the blank is for_cli11's
    return "'" + shown(word) + "' is one word too many" + (takes_spec ? "; put quotes around a specification: 'y x -> x y'" : "") + see;
  }
  return e.what() + see;
}

// Prints notes of what goes wrong where kernels are compiled for a plan; it changes no result.
void tell_kernel_notes() {
  KernelOptions options = kernel_options();
  options.note = [](const std::string& text) { fmt::print(stderr, "crinkle: note: {}\n", text); };
  set_kernel_options(std::move(options));
}

int run_parsed(const std::vector<Parsed>& commands, const std::vector<std::string>& words) {
  tell_kernel_notes();
  for (const Parsed& parsed : commands) {
    if (!parsed.app->parsed()) continue;
    refuse_empty(*parsed.command, words);
    give(parsed);
    parsed.command->action();
  }
  if (std::fflush(stdout) != 0) throw Error(ErrorCode::bad_file, std::string("standard output: writing: ") + std::strerror(errno));
  return done;
}

int parse_and_run(CLI::App& app, const std::vector<Parsed>& commands, const std::vector<std::string>& words) {
  std::vector<std::string> arguments;
  for (auto word = words.rbegin(); word != words.rend(); ++word) arguments.push_back(for_cli11(*word));
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      return app.exit(e) == 0 && std::cout.flush() ? done : complain(app.get_name(), "bad_file", "standard output: writing failed", failed);
    }
    for (const Parsed& parsed : commands)
      if (parsed.app->parsed()) refuse_empty(*parsed.command, words);
    return complain(app.get_name(), "wrong command line", what_is_wrong(app, commands, words, e), wrong);
  }
  return run_parsed(commands, words);
}

int run_words(const std::vector<std::string>& words) {
  const std::vector<Command> declared = commands();
  CLI::App app{"Brings arrays from any layout into any other, in one pass.", "crinkle"};
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  std::string footer = "Examples:\n";
  std::vector<Parsed> all;
  for (const Command& command : declared) {
    all.push_back(add_to_app(*app.add_subcommand(command.name, command.summary), command));
    footer += "  " + command.examples.at(0) + "\n";
  }
  app.footer(footer + "Help for one of them: crinkle move --help");
  if (words.size() > 1 && words[0] == "--companion") return write_companion(declared, {words.begin() + 1, words.end()}), done;
  return parse_and_run(app, all, words);
}

// What the library calls by the words of its notation and its members, by the words of the options that say it here.
std::string in_words_of_options(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"index of it with `at ", "index of it with `--at "},
      {"a size `", "`--size "},
      {"tail: `ragged`, `pad` or `drop`", "tail: `--tail ragged`, `--tail pad` or `--tail drop`"},
      {"tail: `pad` or `drop`", "tail: `--tail pad` or `--tail drop`"},
      {"give a smaller shape", "give a smaller --shape"},
      {"raise max_cells", "raise --max-cells"}};
  for (const auto& [word, option] : words)
    if (const std::size_t at = text.find(word); at != std::string::npos) text.replace(at, word.size(), option);
  return text;
}

// The status that run() returns; an error is told in the program's name, and has its own.
template <class Run>
int status_of_run(const std::string& program, const Run& run) {
  try {
    return run();
  } catch (const AskedToEnd& end) {  // what was being made is gone
    std::signal(end.signal, SIG_DFL);
    std::raise(end.signal);
    return failed;
  } catch (const Error& e) {
    return complain(program, name_of(e.code()), in_words_of_options(e.what()), status_of(e.code()));
  } catch (const std::bad_alloc&) {
    return complain(program, "out_of_memory", "not enough memory", failed);
  } catch (const std::exception& e) { return complain(program, "failed", e.what(), failed); }
}

}  // namespace

int run_command(int argc, const char* const* argv) {
  return status_of_run("crinkle", [&] {
    const std::vector<std::string> words{argv + std::min(argc, 1), argv + argc};
    remember_command(version_text(), words);
    return run_words(words);
  });
}

int run_program(const Command& command, int argc, const char* const* argv) {
  return status_of_run(command.name, [&] {
    CLI::App app{command.summary, command.name};
    app.set_version_flag("--version", version_text(command.name));
    app.failure_message(CLI::FailureMessage::simple);
    return parse_and_run(app, {add_to_app(app, command)}, {argv + std::min(argc, 1), argv + argc});
  });
}

void give_words(const Command& command, const std::vector<std::string>& words) {
  CLI::App app;
  app.set_help_flag();
  const Parsed parsed = add_to_app(app, command);
  std::vector<std::string> arguments;
  for (auto word = words.rbegin(); word != words.rend(); ++word) arguments.push_back(for_cli11(*word));
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& e) { throw Error(ErrorCode::bad_notation, e.what()); }
  refuse_empty(command, words);
  give(parsed);
}

}  // namespace crinkle::tool
