// What the tests of pictures read from an SVG, and a picture's golden file, tests/golden/*.svg (golden.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <regex>
#include <string>
#include <vector>

#include "crinkle/error.hpp"
#include "support/golden.hpp"

namespace crinkle::testing {

using Labels = std::vector<std::string>;

// The labels of every group of cells whose name begins so, in the order of the file.
inline Labels labels_of(const std::string& svg, const std::string& side) {
  Labels labels;
  for (std::size_t at = 0; (at = svg.find("<g id=\"" + side, at)) != std::string::npos;) {
    const std::size_t end = svg.find("</g>", at);
    while ((at = svg.find("<text", at)) < end) {
      const std::size_t begin = svg.find('>', at) + 1;
      at = svg.find("</text>", begin);
      labels.push_back(svg.substr(begin, at - begin));
    }
    at = end;
  }
  return labels;
}

inline std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++n;
  return n;
}

// Whether every tag is closed by its own name, in order, and every attribute is quoted and every entity known.
inline bool is_well_formed(const std::string& xml) {
  static const std::regex tag(R"(<(/?)([a-z]+)((?: [A-Za-z-]+=("[^"<&]*"|"[^"<]*"))*)(/?)>|<\?xml [^>]*\?>)");
  static const std::regex text(R"((?:[^<>&]|&(?:amp|lt|gt|quot|#39);)*)");
  std::vector<std::string> open;
  std::size_t n_roots = 0;
  auto last = xml.cbegin();
  for (auto it = std::sregex_iterator(xml.begin(), xml.end(), tag); it != std::sregex_iterator(); ++it) {
    const std::smatch& m = *it;
    if (!std::regex_match(last, m[0].first, text)) return false;
    last = m[0].second;
    if (!m[2].matched) continue;
    if (m[1].length() > 0) {
      if (open.empty() || open.back() != m[2].str()) return false;
      open.pop_back();
    } else {
      if (open.empty()) ++n_roots;
      if (m[5].length() == 0) open.push_back(m[2].str());
    }
  }
  return open.empty() && n_roots == 1 && std::regex_match(last, xml.cend(), text);
}

inline std::string error_of(const std::function<void()>& action, ErrorCode code) {
  try {
    action();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), code);
    return e.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

inline void expect_golden(const std::string& name, const std::string& svg) { expect_golden_file(name + ".svg", svg); }

}  // namespace crinkle::testing
