// SPDX-License-Identifier: Apache-2.0
//
// A tree to read from and a text to write into, as the host would provide them.
#pragma once

#include <actord/actord.hpp>

#include <string>
#include <utility>
#include <vector>

#include "message/data_values.hpp"

namespace fake {

/// A value of any kind; `reject` records the complaint and makes no failure of it.
struct Node {
  int kind = ACTORD_NULL;
  std::int64_t integer = 0;
  std::string text;
  double real = 0;
  std::vector<std::string> keys;  // of a map
  std::vector<Node> children;

  static Node of(const char* t) { return {ACTORD_TEXT, 0, t, 0, {}, {}}; }
  static Node of(bool b) { return {ACTORD_BOOL, b, {}, 0, {}, {}}; }
  static Node of(int i) { return {ACTORD_INT, i, {}, i * 1.0, {}, {}}; }
  static Node of(double d) { return {ACTORD_DOUBLE, 0, {}, d, {}, {}}; }
  static Node ns(std::int64_t ns) { return {ACTORD_DURATION, ns, {}, 0, {}, {}}; }
  static Node list(std::vector<Node> elements) {
    return {ACTORD_LIST, 0, {}, 0, std::vector<std::string>(elements.size()), std::move(elements)};
  }
  static Node map(const std::vector<std::pair<std::string, Node>>& members);

  actord_value value() const { return {&reader(), this}; }
  static const Node& at(actord_value v) { return *static_cast<const Node*>(v.node); }
  static const actord_reader& reader();
};

inline Node Node::map(const std::vector<std::pair<std::string, Node>>& members) {
  Node node{ACTORD_MAP, 0, {}, 0, {}, {}};
  for (const auto& [key, child] : members) {
    node.keys.push_back(key);
    node.children.push_back(child);
  }
  return node;
}

inline std::string& complaint() {
  static std::string text;
  return text;
}

inline actord_reader make_reader() {
  actord_reader r{};
  r.struct_size = sizeof r;
  r.kind = [](actord_value v) { return Node::at(v).kind; };
  r.size = [](actord_value v) { return Node::at(v).children.size(); };
  r.at = [](actord_value v, std::size_t i, actord_str* key) -> actord_value {
    const std::string& name = Node::at(v).keys[i];
    if (key != nullptr) *key = {name.data(), name.size()};
    return Node::at(v).children[i].value();
  };
  r.member = [](actord_value v, actord_str name) -> actord_value {
    const Node& node = Node::at(v);
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      if (node.keys[i] == std::string_view{name.data, name.size}) return node.children[i].value();
    }
    return {&Node::reader(), nullptr};
  };
  const auto number = [](actord_value v, std::int64_t* out) {
    *out = Node::at(v).integer;
    return std::int32_t{Node::at(v).kind == ACTORD_INT};
  };
  r.integer = number;
  r.bytes = number;
  r.natural = [](actord_value v, std::uint64_t* out) {
    *out = static_cast<std::uint64_t>(Node::at(v).integer);
    return std::int32_t{Node::at(v).kind == ACTORD_INT && Node::at(v).integer >= 0};
  };
  r.boolean = [](actord_value v, std::int32_t* out) {
    *out = static_cast<std::int32_t>(Node::at(v).integer);
    return std::int32_t{Node::at(v).kind == ACTORD_BOOL};
  };
  r.real = [](actord_value v, double* out) {
    *out = Node::at(v).real;
    return std::int32_t{Node::at(v).kind == ACTORD_DOUBLE || Node::at(v).kind == ACTORD_INT};
  };
  r.text = [](actord_value v, actord_str* out) {
    *out = {Node::at(v).text.data(), Node::at(v).text.size()};
    return std::int32_t{Node::at(v).kind == ACTORD_TEXT};
  };
  r.ref = [](actord_value v, actord_ref* out) {
    *out = 42;
    return std::int32_t{Node::at(v).text == "/user/x"};
  };
  r.duration = [](actord_value v, std::int64_t* out) {
    *out = Node::at(v).integer;
    return std::int32_t{Node::at(v).kind == ACTORD_DURATION};
  };
  r.reject = [](actord_value, actord_str reason, actord_errors*) -> actord_status {
    complaint() = {reason.data, reason.size};
    return ACTORD_FAILED;
  };
  r.data = &actord::message::read_data;
  return r;
}

inline const actord_reader& Node::reader() {
  static const actord_reader r = make_reader();
  return r;
}

/// Writes something like JSON.
struct Writer : actord_writer {
  Writer() : actord_writer{} {
    struct_size = sizeof(actord_writer);
    actord_writer::null = [](actord_writer* w) { put(w, "null"); };
    boolean = [](actord_writer* w, std::int32_t b) { put(w, b != 0 ? "true" : "false"); };
    integer = [](actord_writer* w, std::int64_t i) { put(w, std::to_string(i)); };
    natural = [](actord_writer* w, std::uint64_t u) { put(w, std::to_string(u) + "u"); };
    real = [](actord_writer* w, double d) { put(w, std::to_string(d).substr(0, 4)); };
    text = [](actord_writer* w, actord_str s) { put(w, '"' + std::string{s.data, s.size} + '"'); };
    ref = [](actord_writer* w, actord_ref r) { put(w, "#" + std::to_string(r)); };
    duration = [](actord_writer* w, std::int64_t ns) { put(w, std::to_string(ns) + "ns"); };
    begin_list = [](actord_writer* w, std::size_t) { put(w, "("); };
    begin_map = [](actord_writer* w, std::size_t) { put(w, "{"); };
    key = [](actord_writer* w, actord_str s) { put(w, std::string{s.data, s.size} + ":"); };
    end = [](actord_writer* w) { put(w, ";"); };
    data = &actord::message::write_data;
  }
  static void put(actord_writer* w, const std::string& piece) {
    std::string& out = static_cast<Writer*>(w)->out;
    if (!out.empty()) out += ' ';
    out += piece;
  }

  std::string out;
};

}  // namespace fake
