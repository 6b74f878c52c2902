// SPDX-License-Identifier: Apache-2.0
//
// One right request of each kind that a host may say during a call, and of those that any of its
// threads may make. Without their sizes.
#pragma once

#include "link/failure_codec.hpp"
#include "link/twin_tables.hpp"
#include "puppet_host.hpp"

namespace actord::support {

/// Writes requests for a world.
class Requests {
 public:
  explicit Requests(PuppetWorld& world)
      : poke_(world.type(0)), letter_(world.type(1)), self_(world.puppet) {}

  std::vector<std::string> of_actor() const {
    using enum link::Request;
    std::vector<std::string> all;
    for (const auto request : {tell, tell_from, reply, publish, tell_selection, schedule_once}) {
      for (const bool is_letter : {false, true})
        all.push_back(with(request, [&](link::FrameWriter& f) {
          f.put(self_);
          f.put(std::uint64_t{1'000'000});
          f.text(std::string_view{"/user/*"});
          put_message(f, is_letter);
        }));
    }
    for (const auto request : {ask, ask_selection, graceful_stop})
      all.push_back(with(request, [&](link::FrameWriter& f) {
        f.put(self_);
        f.put(std::int64_t{1'000'000});
        f.put(std::uint64_t{4096});  // the handler
        f.text(std::string_view{"/user/*"});
        put_message(f, false);
      }));
    for (const auto request : {reply_failure, fail_ask})
      all.push_back(with(request, [&](link::FrameWriter& f) {
        f.put(self_);
        put_failure(f);
      }));
    for (std::string& each : of_tree()) all.push_back(std::move(each));
    for (std::string& each : of_surroundings()) all.push_back(std::move(each));
    return all;
  }

  std::vector<std::string> of_any_thread() const {
    using enum link::Request;
    std::vector<std::string> all;
    for (const auto request : {system_tell, system_try_tell, schedule})
      all.push_back(with(request, [&](link::FrameWriter& f) {
        f.put(self_);
        f.put(std::int64_t{1'000'000});
        f.put(std::int64_t{0});
        f.put(std::int32_t{0});
        put_message(f, true);
      }));
    all.push_back(with(system_log, put_line));
    all.push_back(with(cancel_scheduled, [](link::FrameWriter& f) { f.put(std::uint64_t{1}); }));
    all.push_back(with(path, [&](link::FrameWriter& f) { f.put(self_); }));
    all.push_back(
        with(find, [](link::FrameWriter& f) { f.text(std::string_view{"/user/puppet"}); }));
    all.push_back(with(type_name, [&](link::FrameWriter& f) { f.put(poke_); }));
    return all;
  }

 private:
  std::vector<std::string> of_tree() const {
    using enum link::Request;
    std::vector<std::string> all;
    for (const auto request : {stop_children, children, child, unwatch, forward, forward_from,
                               forward_selection, spawn_configured, stop})
      all.push_back(with(request, [&](link::FrameWriter& f) {
        f.put(self_);
        f.put(self_);
        f.text(std::string_view{"name"});
      }));
    for (const auto request :
         {become, unbecome, stash, unstash_all, unstash, cancel_timer, has_timer, receive_timeout})
      all.push_back(with(request, [](link::FrameWriter& f) {
        f.put(std::int64_t{1});
        f.put(std::int32_t{1});
        f.text(std::string_view{"key"});
      }));
    all.push_back(with(watch, [&](link::FrameWriter& f) {
      f.put(self_);
      put_message(f, true);
    }));
    all.push_back(with(start_timer, [&](link::FrameWriter& f) {
      f.text(std::string_view{"key"});
      f.put(std::int64_t{1'000'000});
      f.put(std::int64_t{0});
      f.put(std::uint8_t{0});
      put_message(f, false);
    }));
    for (const bool is_listed : {true, false}) all.push_back(spawn_of(is_listed));
    for (const auto request :
         {route, add_routee, remove_routee, routees, spawn_like, hash_of_field, tell_routees})
      all.push_back(with(request, [&](link::FrameWriter& f) {
        f.put(self_);
        f.put(std::int32_t{ACTORD_BY_ROUTER});
        f.text(std::string_view{"text"});
        if (request == tell_routees) put_message(f, true);
      }));
    for (const auto request : {breaker, admit_call, settle_call, breaker_state})
      all.push_back(with(request, [](link::FrameWriter& f) {
        f.put(std::uint64_t{1});
        f.put(std::int32_t{ACTORD_CALL});
        f.put(std::int32_t{1});
        f.text(std::string_view{"store"});
      }));
    for (const auto request :
         {persistence_id, persist, save_snapshot, delete_events, persistence_state})
      all.push_back(with(request, [&](link::FrameWriter& f) {
        f.put(std::uint64_t{1});
        f.text(std::string_view{"puppet"});
        if (request == persist || request == save_snapshot) put_message(f, true);
      }));
    return all;
  }
  std::vector<std::string> of_surroundings() const {
    using enum link::Request;
    std::vector<std::string> all;
    all.push_back(with(log, put_line));
    for (const auto request : {subscribe, unsubscribe})
      all.push_back(with(request, [](link::FrameWriter& f) {
        f.put(link::Topic::prefix);
        f.text(std::string_view{"puppet."});
      }));
    for (const auto request : {now, random, asker, budget, traceparent})
      all.push_back(with(request, [](link::FrameWriter&) {}));
    all.push_back(with(continue_trace, [](link::FrameWriter& f) {
      f.text(std::string_view{"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"});
    }));
    all.push_back(with(log_supervision, [&](link::FrameWriter& f) {
      f.put(std::int32_t{0});
      f.put(self_);
      for (const std::int64_t number : {1, 2, 3}) f.put(number);
    }));
    all.push_back(with(reply_read, [](link::FrameWriter& f) {
      f.text(std::string_view{"puppet.Letter/1"});
      f.text(std::string_view{"\x81\xa4text\xa1x"});
    }));
    return all;
  }
  template <class Put>
  static std::string with(link::Request request, Put&& put) {
    link::FrameWriter frame;
    frame.put(request);
    put(frame);
    return std::string{frame.bytes()};
  }
  void put_message(link::FrameWriter& frame, bool is_letter) const {
    frame.put(is_letter ? letter_ : poke_);
    frame.put(is_letter ? link::Form::packed : link::Form::bytes);
    const Poke poke{.n = 7, .is_hard = true};
    if (is_letter) frame.text(std::string_view{"\x81\xa4text\xa1x"});
    else frame.raw(&poke, sizeof poke);
  }
  static void put_line(link::FrameWriter& frame) {
    frame.put(std::int32_t{ACTORD_INFO});
    frame.text(std::string_view{"puppet.said"});
    frame.text(std::string_view{"a text"});
    const actord_field field{{"key", 3}, ACTORD_INT, {.i = 5}};
    link::put_fields(frame, &field, 1);
  }
  static void put_failure(link::FrameWriter& frame) {
    const actord_str types[] = {{"puppet::Broken", 14}, {"actord::Error", 13}};
    actord_failure failure{};
    failure.struct_size = sizeof failure;
    failure.types = types;
    failure.n_types = 2;
    failure.what = {"broken", 6};
    actord_failure outer = failure;
    outer.cause = &failure;
    link::put_failure(frame, link::MessageCodec{}, outer);
  }
  static std::string spawn_of(bool is_listed) {
    return with(link::Request::spawn, [&](link::FrameWriter& f) {
      const actord_behaviour& behaviour = *puppet_plugin().behaviours[0];
      link::FrameWriter description;
      if (!is_listed) link::put_behaviour(description, behaviour);
      f.text(std::string_view{"puppet-child"});
      f.put(is_listed ? link::Creation::configured : link::Creation::by_address);
      f.put(std::uint32_t{0});
      f.text(description.bytes());
      f.text(std::string_view{});
      f.text(std::string_view{});
      f.put(std::uint32_t{0});
      for (const std::uint64_t address : {4096, 8192, 12288, 0}) f.put(address);
      link::put_strategy(f, behaviour.strategy);
    });
  }

  const actord_type_id poke_, letter_;
  const actor::Ref self_;
};

}  // namespace actord::support
