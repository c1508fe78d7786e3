// A subcommand declares once what it takes: its help, its parsing, the manual page and the completions all come from this.
//
// A new subcommand is one file in commands/, which nothing else names:
//     struct Options { std::string path; bool is_json = false; };
//     Command declare() {
//       auto o = std::make_shared<Options>();
//       Command c("info", "Say what a file holds");
//       c.argument("FILE", o->path, ".npy, .png, .nii or .nii.gz").file({".npy", ".png"}).required();
//       c.flag("--json", o->is_json, "print JSON");
//       c.examples = {"crinkle info volume.nii.gz"};
//       c.action = [o] { run(*o); };
//       return c;
//     }
//     const Registered registered(100, declare);  // its place in the help
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace crinkle::tool {

/// Throws bad_notation: the request is wrong.
[[noreturn]] void refuse(const std::string& text);

struct Option {
  enum class Takes : std::uint8_t { text, file, axis, axis_and_value };

  std::string name;                  // "--shape", "-o,--output"; of an argument "INPUT"
  std::string placeholder;           // of the value: "SHAPE"; "" of flags and arguments
  std::string help;                  // a line
  std::string more = {};             // what only the manual says; `bold`, *italic*
  std::string group = {};            // its heading in the help, where it has one of its own
  std::string usual = {};            // the value that it has when left out, for the help
  std::vector<std::string> choices;  // words that completions offer
  bool has_other_values = true;      // than the choices
  Takes takes = Takes::text;
  std::vector<std::string> endings;  // of files that completions offer; none: any
  bool is_flag = false, is_required = false;
  bool is_number = false;      // a whole one
  bool is_repeatable = false;  // may be written several times
  bool is_list = false;        // takes several words, and the last on the line

  /// Called once a value, in the order of the command line over all options. Throws Error.
  std::function<void(const std::string& text)> set;

  bool is_argument() const { return name[0] != '-'; }
  std::string long_name() const { return name.substr(name.find("--") == std::string::npos ? 0 : name.find("--")); }
  /// set(), behind what holds for every option: bad_notation for an empty value and for one that is none of the only choices.
  void give(const std::string& text) const;

  Option& required();
  Option& repeatable();
  Option& list();
  Option& only(std::vector<std::string> words);     // other values are refused
  Option& such_as(std::vector<std::string> words);  // offered
  Option& file(std::vector<std::string> its_endings = {});
  Option& axis();
  Option& axis_and_value();
  Option& heading(std::string text);
  Option& manual(std::string text);
};

/// A decimal whole number, +5, 08 and -3 among them. Throws bad_notation, naming the option, for anything else, and too_large for what T
/// does not hold.
template <std::integral T>
T parse_integer(const std::string& option, const std::string& text);

/// "a,b,c" in parts at a letter; a part more than it has.
std::vector<std::string> split(const std::string& text, char at = ',');

/// A number, or nan. Throws bad_notation, naming the option, for anything else.
double parse_real(const std::string& option, const std::string& text);

/// target = text; an element more of a list.
inline void assign(std::string& target, const std::string&, const std::string& text) { target = text; }
template <std::integral T>
void assign(T& target, const std::string& option, const std::string& text) {
  target = parse_integer<T>(option, text);
}
inline void assign(double& target, const std::string& option, const std::string& text) { target = parse_real(option, text); }
template <class T>
void assign(std::optional<T>& target, const std::string& option, const std::string& text) {
  assign(target.emplace(), option, text);
}
template <class T>
void assign(std::vector<T>& target, const std::string& option, const std::string& text) {
  assign(target.emplace_back(), option, text);
}

template <class T>
constexpr bool is_number_v = std::integral<T>;
template <class T>
constexpr bool is_number_v<std::optional<T>> = std::integral<T>;

inline std::string usual_of(const std::string& value) { return value; }
template <std::integral T>
std::string usual_of(const T& value) {
  return std::to_string(value);
}
std::string usual_of(double value);
template <class T>
std::string usual_of(const T&) {
  return {};
}

struct Command {
  std::string name, summary;
  std::vector<Option> options = {};        // arguments among them, in their order
  std::string notes = {};                  // in the help, above the examples
  std::vector<std::string> examples = {};  // whole lines; the first stands in the help of crinkle
  std::function<void()> action = {};       // what it does once every option has its value

  Command(std::string its_name, std::string its_summary) : name(std::move(its_name)), summary(std::move(its_summary)) {}

  /// An option whose value goes to `target`: text, a whole number, or an optional or a list of them. What it holds is the usual value.
  template <class T>
  Option& option(const std::string& names, const std::string& placeholder, T& target, const std::string& help) {
    Option& o = option(names, placeholder, std::function<void(const std::string&)>(), help);
    o.usual = usual_of(target);
    o.is_number = is_number_v<T>;
    o.set = [&target, called = o.long_name()](const std::string& text) { assign(target, called, text); };
    return o;
  }
  Option& option(const std::string& names, const std::string& placeholder, std::function<void(const std::string&)> set,
                 const std::string& help);
  /// Arguments are found by their places; those that are required come first. A list takes the rest of the line.
  template <class T>
  Option& argument(const std::string& its_name, T& target, const std::string& help) {
    Option& o = option(its_name, "", target, help);
    o.usual.clear();
    return o;
  }
  template <class T>
  Option& argument(const std::string& its_name, std::vector<T>& target, const std::string& help) {
    return option(its_name, "", target, help).list();
  }
  Option& flag(const std::string& names, bool& target, const std::string& help);
};

/// All that are registered, in the order of the help.
std::vector<Command> commands();

struct Registered {
  Registered(int place, Command (*declare)());
};

}  // namespace crinkle::tool
