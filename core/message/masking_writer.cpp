// SPDX-License-Identifier: Apache-2.0
#include "message/masking_writer.hpp"

#include <algorithm>

#include "message/data_values.hpp"
#include "message/message_type.hpp"
#include "message/message_values.hpp"

namespace actord::message {

namespace {

constexpr std::string_view mask = "\u2026";

}  // namespace

std::span<const actord_str> secrets_of(const actord_message_type& type) noexcept {
  if (!ACTORD_HAS(actord_message_type, &type, n_secrets)) return {};
  return {type.secrets, type.n_secrets};
}

bool is_secret_path(std::string_view secret, std::span<const std::string> path) noexcept {
  for (const std::string& element : path) {
    const std::string_view wanted = secret.substr(0, secret.find('.'));
    if (secret.empty() || (wanted != "*" && wanted != element)) return false;
    secret.remove_prefix(std::min(secret.size(), wanted.size() + 1));
  }
  return secret.empty() && !path.empty();
}

MaskingWriter::MaskingWriter(actord_writer& to, std::span<const actord_str> secrets)
    : actord_writer{}, to_(to), secrets_(secrets) {
  struct_size = sizeof(actord_writer);
  null = [](actord_writer* w) {
    if (of(w).passes()) of(w).to_.null(&of(w).to_);
  };
  boolean = [](actord_writer* w, std::int32_t v) {
    if (of(w).passes()) of(w).to_.boolean(&of(w).to_, v);
  };
  integer = [](actord_writer* w, std::int64_t v) {
    if (of(w).passes()) of(w).to_.integer(&of(w).to_, v);
  };
  natural = [](actord_writer* w, std::uint64_t v) {
    if (of(w).passes()) of(w).to_.natural(&of(w).to_, v);
  };
  real = [](actord_writer* w, double v) {
    if (of(w).passes()) of(w).to_.real(&of(w).to_, v);
  };
  text = [](actord_writer* w, actord_str v) {
    if (of(w).passes()) of(w).to_.text(&of(w).to_, v);
  };
  ref = [](actord_writer* w, actord_ref v) {
    if (of(w).passes()) of(w).to_.ref(&of(w).to_, v);
  };
  duration = [](actord_writer* w, std::int64_t ns) {
    if (of(w).passes()) of(w).to_.duration(&of(w).to_, ns);
  };
  begin_list = [](actord_writer* w, std::size_t n) { of(w).begin(of(w).to_.begin_list, n); };
  begin_map = [](actord_writer* w, std::size_t n) { of(w).begin(of(w).to_.begin_map, n); };
  key = [](actord_writer* w, actord_str k) {
    if (of(w).hidden_ != 0) return;
    of(w).path_.back() = view(k);
    of(w).to_.key(&of(w).to_, k);
  };
  end = [](actord_writer* w) {
    MaskingWriter& it = of(w);
    if (it.hidden_ != 0) return void(--it.hidden_);
    it.path_.pop_back();
    it.to_.end(&it.to_);
  };
  data = &write_data;
}

bool MaskingWriter::passes() {
  if (hidden_ != 0) return false;
  const bool is_secret = std::ranges::any_of(
      secrets_, [&](const actord_str& each) { return is_secret_path(view(each), path_); });
  if (is_secret) to_.text(&to_, to_c(mask));
  return !is_secret;
}

void MaskingWriter::begin(void (*begin_it)(actord_writer*, std::size_t), std::size_t n) {
  if (!passes()) return void(++hidden_);
  path_.emplace_back("*");
  begin_it(&to_, n);
}

actord_status write_masked(const actord_message_type& type, const void* message, actord_writer& to,
                           actord_errors& errors) {
  MaskingWriter writer(to, secrets_of(type));
  return write_message(type, message, writer, errors);
}

}  // namespace actord::message
