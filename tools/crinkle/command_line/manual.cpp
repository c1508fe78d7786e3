// The manual page, in roff. An option that several commands have in the same words is described with the first of them, and named with the
// others.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <set>

#include "command_line/companions.hpp"

namespace crinkle::tool {
namespace {

// A text as it is printed, wherever it stands on a line.
std::string plain(const std::string& text) {
  std::string roff;
  for (const char c : text) roff += c == '\\' ? "\\e" : c == '-' ? "\\-" : c == '\'' ? "\\(aq" : std::string(1, c);
  return roff;
}

std::string bold(const std::string& text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + plain(text) + "\\fR"; }

// "`bold` and *italic*", a line.
std::string marked(const std::string& text) {
  if (text.empty()) return text;
  std::string roff = "\\&";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t mark = text.find_first_of("`*", at), end = mark == std::string::npos ? mark : text.find(text[mark], mark + 1);
    roff += plain(text.substr(at, mark - at));
    if (mark == std::string::npos) break;
    const std::string inside = text.substr(mark + 1, end - mark - 1);
    roff += text[mark] == '`' ? bold(inside) : italic(inside);
    at = end + 1;
  }
  return roff + "\n";
}

// A word that is written as it stands, such as the first of an option's choices, keeps its first letter.
std::string sentence(std::string text, const std::vector<std::string>& words = {}) {
  const std::string first = text.substr(0, text.find_first_of(" ,:"));
  if (text[0] >= 'a' && text[0] <= 'z' && std::find(words.begin(), words.end(), first) == words.end())
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text.ends_with('.') ? text : text + ".";
}

std::string name_and_value(const Option& option) {
  std::string text;
  for (std::size_t at = 0; at != std::string::npos;) {
    const std::size_t comma = option.name.find(',', at);
    text += (text.empty() ? "" : ", ") + bold(option.name.substr(at, comma - at));
    at = comma == std::string::npos ? comma : comma + 1;
  }
  return text + (option.placeholder.empty() ? "" : " " + italic(option.placeholder)) + (option.is_list ? "..." : "");
}

std::string synopsis(const Command& command) {
  constexpr std::size_t most_words = 4;  // more are named by their argument
  std::string text = bold("crinkle " + command.name);
  for (const Option& option : command.options) {
    if (!option.is_argument()) {
      if (option.is_required) text += " " + name_and_value(option);
      continue;
    }
    const bool has_words = !option.choices.empty() && option.choices.size() <= most_words;
    std::string argument;
    for (const std::string& word : option.choices) argument += (argument.empty() ? "" : "|") + bold(word);
    if (!has_words) argument = italic(option.name) + (option.is_list ? "..." : "");
    text += option.is_required ? " " + argument : " [" + argument + "]";
  }
  return text + " [" + italic("options") + "]\n";
}

std::string item(const Option& option) {
  const std::string usual = option.usual.empty() ? "" : " The default is " + bold(option.usual) + ".";
  return ".TP\n" + name_and_value(option) + "\n\\&" + plain(sentence(option.help, option.choices)) + usual + "\n" + marked(option.more);
}

// Lines as they are, below the options of a command: what the words of an argument mean.
std::string lines_below(const std::string& text) {
  std::string roff = ".PP\n.nf\n";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    roff += "\\&" + plain(text.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return roff + ".fi\n";
}

}  // namespace

std::string manual_page(const std::vector<Command>& commands, const std::string& prose) {
  std::string lines, verbs, sections;
  std::set<std::string> described;  // by all that is said of them: an option of the same name and other words is another one
  for (const Command& command : commands) {
    lines += synopsis(command);
    sections += ".SS crinkle " + plain(command.name) + "\n\\&" + plain(sentence(command.summary)) + "\n";
    std::string as_above;
    bool has_verbs = false;
    for (const Option& option : command.options) {
      const bool is_verb = !option.group.empty();
      const bool is_new = described.insert(option.name + "\n" + option.placeholder + "\n" + option.help + "\n" + option.more).second;
      has_verbs |= is_verb;
      if (is_new) (is_verb ? verbs : sections) += item(option);
      else if (!is_verb) as_above += ", " + bold(option.long_name());
    }
    if (has_verbs) as_above += ", and the verbs of the section VERBS";
    if (!command.notes.empty()) sections += lines_below(command.notes);
    if (!as_above.empty()) sections += ".PP\nAlso " + as_above.substr(as_above.starts_with(", and ") ? 6 : 2) + ".\n";
  }
  std::string page = prose;
  const std::map<std::string, std::string> parts = {{"@SYNOPSIS@\n", lines}, {"@VERBS@\n", verbs}, {"@OPTIONS@\n", sections}};
  for (const auto& [mark, part] : parts) {
    if (const std::size_t at = page.find(mark); at != std::string::npos) page.replace(at, mark.size(), part);
  }
  return page;
}

}  // namespace crinkle::tool
