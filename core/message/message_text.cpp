// SPDX-License-Identifier: Apache-2.0
#include "message/message_text.hpp"

#include <charconv>
#include <string_view>

#include "message/data_values.hpp"
#include "message/masking_writer.hpp"
#include "message/message_type.hpp"
#include "message/report.hpp"

namespace actord::message {

namespace {

class TextWriter : public actord_writer {
 public:
  explicit TextWriter(const std::function<std::string(actord_ref)>& path)
      : actord_writer{}, path_(path) {
    struct_size = sizeof(actord_writer);
    null = [](actord_writer* w) { of(w).put("null"); };
    boolean = [](actord_writer* w, int32_t v) { of(w).put(v != 0 ? "true" : "false"); };
    integer = [](actord_writer* w, int64_t v) { of(w).put(std::to_string(v)); };
    natural = [](actord_writer* w, uint64_t v) { of(w).put(std::to_string(v)); };
    real = [](actord_writer* w, double v) { of(w).put_real(v); };
    text = [](actord_writer* w, actord_str v) { of(w).put('"' + std::string{view(v)} + '"'); };
    ref = [](actord_writer* w, actord_ref v) { of(w).put(of(w).path_(v)); };
    duration = [](actord_writer* w, int64_t ns) { of(w).put(std::to_string(ns) + "ns"); };
    begin_list = [](actord_writer* w, size_t) { of(w).open('[', ']'); };
    begin_map = [](actord_writer* w, size_t) { of(w).open('{', '}'); };
    key = [](actord_writer* w, actord_str k) {
      of(w).put(std::string{view(k)} + ": ");
      of(w).is_first_ = true;  // the value follows without a comma
    };
    end = [](actord_writer* w) { of(w).close(); };
    data = &write_data;
  }

  std::string take() { return std::move(out_); }

 private:
  static TextWriter& of(actord_writer* writer) { return static_cast<TextWriter&>(*writer); }

  void put(std::string_view piece) {
    if (!is_first_) out_ += ", ";
    out_ += piece;
    is_first_ = false;
  }
  void put_real(double value) {
    char digits[32];
    put({digits, static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, value).ptr -
                                          digits)});
  }
  void open(char bracket, char closing) {
    put({&bracket, 1});
    closings_ += closing;
    is_first_ = true;
  }
  void close() {
    out_ += closings_.back();
    closings_.pop_back();
    is_first_ = false;
  }

  const std::function<std::string(actord_ref)>& path_;
  std::string out_, closings_;
  bool is_first_ = true;
};

}  // namespace

std::string text_of_message(const actord_message_type& type, const void* message,
                            const std::function<std::string(actord_ref)>& path) {
  TextWriter writer(path);
  write_masked(type, message, writer, ignored_errors());
  return std::string{view(type.name)} + ' ' + writer.take();
}

}  // namespace actord::message
