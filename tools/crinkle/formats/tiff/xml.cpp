// SPDX-License-Identifier: BSD-3-Clause
#include "formats/tiff/xml.hpp"

#include <algorithm>
#include <charconv>

#include "crinkle/error.hpp"

namespace crinkle::tool::tiff {
namespace {

using std::string_view_literals::operator""sv;

[[noreturn]] void refuse_xml(const char* what) { throw Error(ErrorCode::bad_file, std::string("XML that ") + what); }

constexpr std::string_view spaces = " \t\r\n";

void put_character(std::string& out, std::uint32_t code) {
  if (code == 0 || code > 0x10FFFF) refuse_xml("names a character that there is not");
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6U);
    out += static_cast<char>(0x80 | (code & 63U));
  } else {
    if (code >= 0x10000) out += static_cast<char>(0xF0 | code >> 18U);
    out += static_cast<char>(code >= 0x10000 ? 0x80 | (code >> 12U & 63U) : 0xE0 | code >> 12U);
    out += static_cast<char>(0x80 | (code >> 6U & 63U));
    out += static_cast<char>(0x80 | (code & 63U));
  }
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '&') {
      out += text[i];
      continue;
    }
    const std::size_t end = text.find(';', i);
    if (end == std::string_view::npos) refuse_xml("has & without ;");
    const std::string_view word = text.substr(i + 1, end - i - 1);
    if (word == "amp") out += '&';
    else if (word == "lt") out += '<';
    else if (word == "gt") out += '>';
    else if (word == "quot") out += '"';
    else if (word == "apos") out += '\'';
    else if (word.starts_with("#")) {
      const bool is_hex = word.starts_with("#x");
      const std::string_view digits = word.substr(is_hex ? 2 : 1);
      std::uint32_t code = 0;
      const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
      if (error != std::errc() || rest != digits.data() + digits.size()) refuse_xml("names a character by no number");
      put_character(out, code);
    } else {
      refuse_xml("has entities of its own");
    }
    i = end;
  }
  return out;
}

std::string local(std::string_view name) {
  const std::size_t colon = name.find(':');
  return std::string(colon == std::string_view::npos ? name : name.substr(colon + 1));
}

}  // namespace

bool XmlReader::next(XmlElement& element) {
  for (;;) {
    at_ = text_.find('<', at_);
    if (at_ == std::string_view::npos) return false;
    const std::string_view rest = text_.substr(at_);
    const auto skip = [&](std::string_view end) {
      const std::size_t found = text_.find(end, at_);
      if (found == std::string_view::npos) refuse_xml("is cut off");
      at_ = found + end.size();
    };
    if (rest.starts_with("<!--"sv)) skip("-->");
    else if (rest.starts_with("<![CDATA["sv)) skip("]]>");
    else if (rest.starts_with("<?"sv)) skip("?>");
    else if (rest.starts_with("<!"sv)) refuse_xml("has a document type");
    else break;
  }
  element = {};
  ++at_;
  element.is_end = at_ < text_.size() && text_[at_] == '/';
  if (element.is_end) ++at_;
  const auto word = [&] {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n/>=", at_), text_.size());
    const std::string_view found = text_.substr(at_, end - at_);
    at_ = end;
    return found;
  };
  element.name = local(word());
  if (element.name.empty()) refuse_xml("has an element without a name");
  for (;;) {
    at_ = std::min(text_.find_first_not_of(spaces, at_), text_.size());
    if (at_ == text_.size()) refuse_xml("is cut off");
    if (text_[at_] == '>') {
      ++at_;
      return true;
    }
    if (text_[at_] == '/') {
      element.is_empty = true;
      ++at_;
      continue;
    }
    const std::string key = local(word());
    at_ = std::min(text_.find_first_not_of(spaces, at_), text_.size());
    if (key.empty() || at_ == text_.size() || text_[at_] != '=') refuse_xml("has an attribute without a value");
    at_ = std::min(text_.find_first_not_of(spaces, at_ + 1), text_.size());
    if (at_ == text_.size() || (text_[at_] != '"' && text_[at_] != '\'')) refuse_xml("has an attribute without a value");
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) refuse_xml("is cut off");
    element.attributes.emplace_back(key, unescaped(text_.substr(at_ + 1, end - at_ - 1)));
    at_ = end + 1;
  }
}

}  // namespace crinkle::tool::tiff
