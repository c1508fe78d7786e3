// Completions: a table of what follows what, from the declarations, and a few lines of the shell that look things up in it.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "command_line/companions.hpp"

namespace crinkle::tool {
namespace {

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string short_name(const Option& option) { return option.name.starts_with("--") ? "" : option.name.substr(0, 2); }

// --- bash --------------------------------------------------------------------------------------------------------------------------

constexpr const char* bash_functions = R"sh(# bash completion for crinkle, printed by crinkle --companion bash. It needs nothing but bash 4.
# SPDX-License-Identifier: BSD-3-Clause

_crinkle_axes() {  # the names on the left of the specification's arrow, with what is to follow them
  local word
  for word in "${COMP_WORDS[@]}"; do
    if [[ $word == *'->'* ]]; then
      mapfile -t COMPREPLY < <(compgen -W "$(grep -oE '[A-Za-z_][A-Za-z0-9_]*' <<<"${word%%->*}" | sed "s/\$/$1/")" -- "$current")
      break
    fi
  done
  [ -z "$1" ] || compopt -o nospace 2>/dev/null
}

_crinkle_files() {  # of the endings given; directories to walk into
  local ending file
  while IFS= read -r file; do
    if [ -d "$file" ]; then
      COMPREPLY+=("$file/")
      continue
    fi
    for ending in "$@"; do
      [[ $file == *"$ending" ]] && { COMPREPLY+=("$file"); break; }
    done
  done < <(compgen -f -- "$current")
  compopt -o filenames -o nospace 2>/dev/null
}

_crinkle_words() { mapfile -t COMPREPLY < <(compgen -W "$*" -- "$current"); }

)sh";

constexpr const char* bash_main = R"sh(_crinkle() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]:-} offer= place=1 i
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    _crinkle_words $_crinkle_commands --help --version
    return
  fi
  # bash takes --tail=pad for three words
  if [ "$current" = = ]; then current=; elif [ "$previous" = = ]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi
  if _crinkle_value "$command" "$previous"; then
    eval "$offer"
    return
  fi
  if [[ $current == -* ]]; then
    if _crinkle_options "$command"; then eval "$offer"; fi
    return
  fi
  for ((i = 2; i < COMP_CWORD; ++i)); do  # the arguments so far
    if [[ ${COMP_WORDS[i]} != -?* ]]; then
      ((++place))
    elif _crinkle_value "$command" "${COMP_WORDS[i]}"; then
      [ "${COMP_WORDS[i + 1]}" != = ] || ((++i))
      ((++i))
    fi
  done
  if _crinkle_argument "$command" "$place"; then eval "$offer"; fi
}

complete -F _crinkle crinkle
)sh";

// The shell's function that offers the value of an option or an argument.
std::string bash_offer(const Option& option) {
  if (!option.choices.empty()) return "_crinkle_words '" + joined(option.choices, " ") + "'";
  switch (option.takes) {
    case Option::Takes::file: return "_crinkle_files " + (option.endings.empty() ? "''" : joined(option.endings, " "));
    case Option::Takes::axis: return "_crinkle_axes ''";
    case Option::Takes::axis_and_value: return "_crinkle_axes =";
    default: return ":";
  }
}

/// Patterns that have the same offer, in the order of their first.
class Cases {
 public:
  void add(const std::string& pattern, const std::string& offer) {
    const auto found = std::find_if(cases_.begin(), cases_.end(), [&](const auto& c) { return c.second == offer; });
    if (found == cases_.end()) cases_.emplace_back(pattern, offer);
    else found->first += " | " + pattern;
  }
  /// A function that sets `offer`; status 1 where nothing is said of its words.
  std::string function(const std::string& name) const {
    std::string text = name + "() {\n  case $1:${2:-} in\n";
    for (const auto& [patterns, offer] : cases_) text += "    " + patterns + ") offer=\"" + offer + "\" ;;\n";
    return text + "    *) return 1 ;;\n  esac\n}\n\n";
  }

 private:
  std::vector<std::pair<std::string, std::string>> cases_;
};

// --- zsh ---------------------------------------------------------------------------------------------------------------------------

constexpr const char* zsh_head = R"(#compdef crinkle
# zsh completion for crinkle, printed by crinkle --companion zsh.
# SPDX-License-Identifier: BSD-3-Clause

_crinkle_axes() {  # the names on the left of the specification's arrow
  local -a axes
  local word
  for word in $words; do
    if [[ ${(Q)word} == *'->'* ]]; then
      axes=(${(s: :)${${(Q)word}%%-\>*}//[^A-Za-z0-9_]/ })
      break
    fi
  done
  compadd "$@" -- ${axes:#[0-9]*}
}

_crinkle() {
  local context state line
  local -a commands
  commands=(
)";

constexpr const char* zsh_commands = R"(  )
  _arguments -C '(- *)'{-h,--help}'[show help]' '(- *)--version[show the version]' '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $words[1] in
)";

constexpr const char* zsh_tail = R"(      esac ;;
  esac
}

if [ "$funcstack[1]" = _crinkle ]; then _crinkle "$@"; else compdef _crinkle crinkle; fi
)";

// Between single quotes, with \ before what _arguments would take for its own.
std::string zsh_text(const std::string& text, const std::string& special) {
  std::string quoted;
  for (const char c : text) {
    if (special.find(c) != std::string::npos) quoted += '\\';
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return quoted;
}

std::string zsh_offer(const Option& option) {
  if (!option.choices.empty()) return "(" + zsh_text(joined(option.choices, " "), ":") + ")";
  switch (option.takes) {
    case Option::Takes::file: {
      std::vector<std::string> globs;
      for (const std::string& ending : option.endings) globs.push_back("*" + ending);
      return globs.empty() ? "_files" : "_files -g \"(" + joined(globs, "|") + ")(-.)\"";
    }
    case Option::Takes::axis: return "_crinkle_axes";
    case Option::Takes::axis_and_value: return "_crinkle_axes -S =";
    default: return " ";
  }
}

std::string zsh_option(const Option& option, int place) {
  const std::string offer = zsh_offer(option);
  if (option.is_argument()) return "'" + (option.is_list ? "*" : std::to_string(place)) + ":" + option.name + ":" + offer + "'";
  const std::string help = "[" + zsh_text(option.help, "[]\\") + "]";
  const std::string value = option.is_flag ? "" : ":" + zsh_text(option.placeholder, ":") + ":" + offer;
  const std::string name = short_name(option).empty() ? "'" + std::string(option.is_repeatable ? "*" : "") + option.name
                                                      : "{" + short_name(option) + "," + option.long_name() + "}'";
  return name + help + value + "'";
}

}  // namespace

std::string bash_completions(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  Cases values, options, arguments;
  for (const Command& command : commands) {
    names.push_back(command.name);
    std::vector<std::string> words;
    int place = 0;
    for (const Option& option : command.options) {
      if (option.is_argument()) {
        ++place;
        arguments.add(command.name + ":" + (option.is_list ? "*" : std::to_string(place)), bash_offer(option));
        continue;
      }
      words.push_back(option.long_name());
      if (option.is_flag) continue;
      values.add(command.name + ":" + option.long_name(), bash_offer(option));
      if (!short_name(option).empty()) values.add(command.name + ":" + short_name(option), bash_offer(option));
      if (option.is_list) arguments.add(command.name + ":*", bash_offer(option));
    }
    options.add(command.name + ":", "_crinkle_words " + joined(words, " ") + " --help");
  }
  return bash_functions + ("_crinkle_commands='" + joined(names, " ") + "'\n\n") + values.function("_crinkle_value") +
         options.function("_crinkle_options") + arguments.function("_crinkle_argument") + bash_main;
}

std::string zsh_completions(const std::vector<Command>& commands) {
  std::string text = zsh_head;
  for (const Command& command : commands) text += "    '" + zsh_text(command.name + ":" + command.summary, "") + "'\n";
  text += zsh_commands;
  for (const Command& command : commands) {
    text += "        " + command.name + ")\n          _arguments '(- *)'{-h,--help}'[show help]'";
    int place = 0;
    bool has_list = false;
    for (const Option& option : command.options) {
      place += option.is_argument() ? 1 : 0;
      text += " \\\n            " + zsh_option(option, place);
      has_list |= option.is_list && !option.is_argument();
    }
    text += std::string(has_list ? " \\\n            '*:file:_files'" : "") + " ;;\n";
  }
  return text + zsh_tail;
}

}  // namespace crinkle::tool
