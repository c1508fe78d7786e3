// crinkle bench adds its options to CLI11 itself (bench.cpp). Here they become declarations, and what these are given is handed to CLI11
// again, numbers in plain digits.
// SPDX-License-Identifier: BSD-3-Clause
#include "command.hpp"
#include "options.hpp"
#include "planning.hpp"

namespace crinkle::tool {

void Planning::add_to(CLI::App& app) {
  Command declared("", "");
  add_to(declared);
  app.add_option("--plan", word, declared.options[0].help)->type_name("HOW")->capture_default_str();
  app.add_option("--plan-cache", cache_file, declared.options[1].help)->type_name("FILE");
}

namespace {

void offer_words(Option& option) {
  if (option.name == "--device") option.such_as({"auto", "cpu", "cuda"});
  if (option.name == "--plan") option.only({"estimate", "measure"});
  if (option.name == "SUITE") {
    for (const std::string& word : CLI::detail::split(option.help, ',')) option.choices.push_back(CLI::detail::trim_copy(word));
  }
  if (option.placeholder == "FILE") option.file({option.name == "--cases" ? ".txt" : ".json"});
}

std::string in_plain_digits(const std::string& option, const std::string& text) {
  return text.starts_with('-') ? std::to_string(parse_integer<std::int64_t>(option, text))
                               : std::to_string(parse_integer<std::uint64_t>(option, text));
}

Command declare() {
  CLI::App app;
  add_bench(app);
  const CLI::App* bench = app.get_subcommands({}).front();
  Command c(bench->get_name(), bench->get_description());
  const auto words = std::make_shared<std::vector<std::string>>();
  for (const CLI::Option* from : bench->get_options()) {
    if (from == bench->get_help_ptr()) continue;
    const std::string name = from->get_name();
    const bool is_argument = from->get_positional(), is_flag = from->get_items_expected_max() == 0;
    const std::string placeholder = is_argument || is_flag ? "" : from->get_type_name();
    std::function<void(const std::string&)> give = [=](const std::string& text) {
      const std::string value = placeholder == "N" ? in_plain_digits(name, text) : text;
      words->push_back(is_argument ? value : is_flag ? name : name + "=" + value);
    };
    Option& option = c.option(name, placeholder, std::move(give), from->get_description());
    option.is_flag = is_flag;
    option.is_number = placeholder == "N";
    option.is_required = from->get_required();
    option.is_repeatable = from->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    option.usual = from->get_default_str();
    offer_words(option);
  }
  const std::string footer = bench->get_footer(), heading = "Examples:\n  ";
  const std::size_t examples = footer.find(heading);
  c.notes = footer.substr(0, examples);
  for (const std::string& line : CLI::detail::split(footer.substr(examples + heading.size()), '\n'))
    c.examples.push_back(CLI::detail::trim_copy(line));
  c.action = [words] {
    CLI::App line;
    const Action action = add_bench(line);
    std::vector<std::string> arguments(words->rbegin(), words->rend());
    arguments.push_back("bench");
    try {
      line.parse(std::move(arguments));
    } catch (const CLI::ParseError& e) { throw Error(ErrorCode::bad_notation, e.what()); }
    action();
  };
  return c;
}

const Registered registered(110, declare);

}  // namespace
}  // namespace crinkle::tool
