// SPDX-License-Identifier: Apache-2.0
#include "link/request_server.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "actor/turn.hpp"
#include "message/message_pack.hpp"
#include "message/pack_check.hpp"

namespace actord::link {

namespace {

constexpr std::size_t children_max = 1 << 20;

bool is_directive(std::int32_t directive) {
  return directive >= ACTORD_UNDECIDED && directive <= ACTORD_ESCALATE;
}

}  // namespace

std::string RequestServer::fault() const {
  return "its request " + std::to_string(static_cast<unsigned>(last_)) + " is wrong";
}

void RequestServer::begin_answer() {
  answer_.clear();
  answer_.put(Call::answer);
  has_answer_ = true;
}

RequestServer::Outcome RequestServer::serve(std::string_view requests, bool is_alive) {
  FrameReader all(requests);
  has_answer_ = false;
  while (!all.is_at_end()) {
    if (has_answer_ || has_returned_) return Outcome::wrong;  // it should have waited
    FrameReader frame(all.text());
    last_ = frame.take<Request>();
    if (all.has_failed() || frame.has_failed()) return Outcome::wrong;
    if (!serve_one(frame, last_) || frame.has_failed() || !frame.is_at_end()) return Outcome::wrong;
  }
  if (has_returned_) return Outcome::returned;
  if (has_answer_) return Outcome::answered;
  return is_alive ? Outcome::wrong : Outcome::open;
}

bool RequestServer::serve_one(FrameReader& frame, Request request) {
  if (request >= first_outside) {
    const bool is_right = serve_outside_request(plugin_, host(), context_.system, request, frame,
                                                answer_, has_answer_);
    return is_right;
  }
  if (request == Request::returned) return serve_return(frame);
  if (!has_turn_) return false;
  switch (request) {
    case Request::tell:
    case Request::tell_from:
    case Request::reply:
    case Request::publish:
    case Request::tell_selection:
    case Request::schedule_once: return serve_message(frame, request);
    case Request::ask:
    case Request::ask_selection:
    case Request::graceful_stop:
    case Request::await_end: return serve_ask(frame, request);
    case Request::reply_failure:
    case Request::fail_ask: return serve_failure(frame, request);
    case Request::spawn: return serve_spawn(frame);
    case Request::watch: return serve_watch(frame);
    case Request::start_timer: return serve_timer(frame);
    case Request::log: return serve_log(frame);
    case Request::subscribe:
    case Request::unsubscribe: return serve_topic(frame, request == Request::subscribe);
    case Request::spawn_configured:
    case Request::stop:
    case Request::stop_children:
    case Request::children:
    case Request::child:
    case Request::unwatch:
    case Request::forward:
    case Request::forward_from:
    case Request::forward_selection: return serve_tree(frame, request);
    case Request::become:
    case Request::unbecome:
    case Request::stash:
    case Request::unstash_all:
    case Request::unstash:
    case Request::cancel_timer:
    case Request::has_timer:
    case Request::receive_timeout: return serve_state(frame, request);
    case Request::route:
    case Request::add_routee:
    case Request::remove_routee:
    case Request::routees:
    case Request::tell_routees:
    case Request::spawn_like:
    case Request::hash_of_field:
    case Request::refuse:
    case Request::offer: return serve_routing(frame, request);
    case Request::breaker:
    case Request::admit_call:
    case Request::settle_call:
    case Request::breaker_state: return serve_breaker(frame, request);
    case Request::persistence_id:
    case Request::persist:
    case Request::save_snapshot:
    case Request::delete_events:
    case Request::persistence_state: return serve_persistence(frame, request);
    default: return serve_surroundings(frame, request);
  }
}

bool RequestServer::serve_return(FrameReader& frame) {
  returned_.status = frame.take<std::int32_t>();
  returned_.directive = frame.take<std::int32_t>();
  if (!is_directive(returned_.directive)) return false;
  returned_.has_taken_sender = frame.take<std::uint8_t>() != 0;
  has_returned_ = true;
  if (frame.take<std::uint8_t>() == 0) return true;
  TakenFailure failure;
  if (!take_failure(frame, plugin_.codec, failure)) return false;
  errors_.report(&errors_, failure.c());
  return true;
}

bool RequestServer::take_message(FrameReader& frame, TakenMessage& message) {
  return plugin_.codec.take(frame, message, errors_) == ACTORD_OK && !frame.has_failed() &&
         message.content() != nullptr;
}

bool RequestServer::serve_message(FrameReader& frame, Request request) {
  const auto to = frame.take<actord_ref>();
  const auto other = frame.take<std::uint64_t>();  // a sender, or a delay
  const actord_str paths = frame.str();
  TakenMessage message;
  if (!take_message(frame, message)) return false;
  void* const content = message.content();
  switch (request) {
    case Request::tell:
      asks_.forget(to);
      host().tell(&context_, to, message.id(), content);
      return true;
    case Request::tell_from:
      asks_.forget(to);
      host().tell_from(&context_, to, message.id(), content, other);
      return true;
    case Request::reply:
      asks_.forget(context_.sender);
      host().reply(&context_, message.id(), content);
      return true;
    case Request::publish: host().publish(&context_, message.id(), content); return true;
    case Request::tell_selection:
      begin_answer();
      answer_.put<std::uint64_t>(host().tell_selection(&context_, paths, message.id(), content));
      return true;
    default:
      begin_answer();
      answer_.put<std::uint64_t>(host().schedule_once(
          &context_, to, static_cast<std::int64_t>(other), message.id(), content));
      return true;
  }
}

bool RequestServer::serve_ask(FrameReader& frame, Request request) {
  const auto to = frame.take<actord_ref>();
  const auto timeout_ns = frame.take<std::int64_t>();
  const auto handler = reinterpret_cast<actord_reply_handler>(frame.take<std::uint64_t>());
  const actord_str paths = frame.str();
  TakenMessage message;
  const bool needs_message = request != Request::graceful_stop && request != Request::await_end;
  if (plugin_.codec.take(frame, message, errors_) != ACTORD_OK || frame.has_failed()) return false;
  if (handler == nullptr || (needs_message && message.content() == nullptr)) return false;
  if (request == Request::ask) {
    host().ask(&context_, to, message.id(), message.content(), timeout_ns, handler);
  } else if (request == Request::await_end) {
    host().await_end(&context_, to, handler);
  } else if (request == Request::graceful_stop) {
    const actord_type_id type = message.content() != nullptr ? message.id() : 0;
    host().graceful_stop(&context_, to, type, message.content(), timeout_ns, handler);
  } else {
    begin_answer();
    answer_.put<std::uint64_t>(host().ask_selection(&context_, paths, message.id(),
                                                    message.content(), timeout_ns, handler));
  }
  return true;
}

bool RequestServer::serve_failure(FrameReader& frame, Request request) {
  const auto to = frame.take<actord_ref>();
  TakenFailure failure;
  if (!take_failure(frame, plugin_.codec, failure)) return false;
  asks_.forget(request == Request::reply_failure ? context_.sender : to);
  if (request == Request::reply_failure) {
    host().reply_failure(&context_, failure.c());
    return true;
  }
  begin_answer();
  answer_.put<std::int32_t>(host().fail_ask(&context_, to, failure.c()));
  return true;
}

// The place of a behaviour of the plugin, by its full name; -1: it is of another plugin.
std::int64_t RequestServer::place_of(std::string_view full_name) const {
  const std::string plugin = std::string{message::view(plugin_.described.name)} + '/';
  if (!full_name.starts_with(plugin)) return -1;
  const auto found =
      std::ranges::find(plugin_.behaviours, full_name.substr(plugin.size()),
                        [](const actord_behaviour* each) { return message::view(each->name); });
  return found == plugin_.behaviours.end() ? -1 : found - plugin_.behaviours.begin();
}

bool RequestServer::serve_spawn(FrameReader& frame) {
  const actord_str name = frame.str();
  const auto creation = frame.take<Creation>();
  const auto place = frame.take<std::uint32_t>();
  const std::string_view description = frame.text();
  const actord_str other_name = frame.str();  // of a behaviour of any plugin
  const actord_str dispatcher = frame.str();
  const auto flags = frame.take<std::uint32_t>();
  auto origin = std::make_unique<RemoteOrigin>();
  origin->plugin = &plugin_;
  origin->group = origin_.group;
  origin->behaviour = place;
  origin->creation = creation;
  origin->host = host_;
  origin->table = frame.take<std::uint64_t>();
  origin->create = frame.take<std::uint64_t>();
  origin->args = frame.take<std::uint64_t>();
  origin->args_destroy = frame.take<std::uint64_t>();
  TakenStrategy strategy;
  if (!strategy.take(frame) || creation > Creation::by_address) return false;
  actord_props props{};
  props.struct_size = sizeof props;
  props.dispatcher = dispatcher;
  props.flags = flags;
  props.strategy = strategy.c();
  const std::int64_t own = place_of(message::view(other_name));
  if (other_name.size != 0 && own < 0) {
    props.behaviour_name = other_name;
  } else {
    if (own >= 0) {
      origin->behaviour = static_cast<std::uint32_t>(own);
      props.behaviour = plugin_.behaviours[static_cast<std::size_t>(own)];
    } else if (description.empty()) {
      props.behaviour = place < plugin_.behaviours.size() ? plugin_.behaviours[place] : nullptr;
    } else {
      props.behaviour = plugin_.twin_of(description);
    }
    if (props.behaviour == nullptr) return false;
    props.create = &remote_create;
    props.args = origin.release();
    props.args_destroy = &destroy_origin;
  }
  Reported reported(plugin_.codec);
  const actord_ref child = host().spawn(&context_, name, &props, &reported);
  begin_answer();
  answer_.put(child);
  reported.put(answer_);
  return true;
}

bool RequestServer::serve_watch(FrameReader& frame) {
  const auto who = frame.take<actord_ref>();
  TakenMessage message;
  if (plugin_.codec.take(frame, message, errors_) != ACTORD_OK || frame.has_failed()) return false;
  const actord_type_id type = message.content() != nullptr ? message.id() : 0;
  Reported reported(plugin_.codec);
  const actord_status status =
      host().watch_with(&context_, who, type, message.content(), &reported);
  begin_answer();
  answer_.put(status);
  reported.put(answer_);
  return true;
}

bool RequestServer::serve_tree(FrameReader& frame, Request request) {
  const auto ref = frame.take<actord_ref>();
  const auto other = frame.take<actord_ref>();
  const actord_str text = frame.str();
  if (frame.has_failed()) return false;
  const bool is_forward = request == Request::forward || request == Request::forward_from ||
                          request == Request::forward_selection;
  if (is_forward) asks_.forget(context_.sender);
  switch (request) {
    case Request::stop: host().stop(&context_, ref); return true;
    case Request::stop_children: host().stop_children(&context_); return true;
    case Request::unwatch: host().unwatch(&context_, ref); return true;
    case Request::forward: host().forward(&context_, ref); return true;
    case Request::forward_from: host().forward_from(&context_, ref, other); return true;
    case Request::forward_selection:
      begin_answer();
      answer_.put<std::uint64_t>(host().forward_selection(&context_, text));
      return true;
    case Request::spawn_configured: {
      Reported reported(plugin_.codec);
      const actord_ref child = host().spawn_configured(&context_, text, &reported);
      begin_answer();
      answer_.put(child);
      reported.put(answer_);
      return true;
    }
    case Request::child: {
      actord_child found{};
      const std::int32_t is_there = host().child(&context_, text, &found);
      begin_answer();
      answer_.put(is_there);
      answer_.put(found.ref);
      answer_.put(found.is_stopping);
      return true;
    }
    default: {  // children, those that are stopping as well
      std::vector<actord_child> all(
          std::min(host().all_children(&context_, nullptr, 0), children_max));
      const std::size_t n =
          std::min(host().all_children(&context_, all.data(), all.size()), all.size());
      begin_answer();
      answer_.put(static_cast<std::uint32_t>(n));
      for (std::size_t i = 0; i < n; ++i) {
        answer_.put(all[i].ref);
        answer_.put(all[i].is_stopping);
      }
      return true;
    }
  }
}

bool RequestServer::serve_state(FrameReader& frame, Request request) {
  const auto number = frame.take<std::int64_t>();
  const auto flag = frame.take<std::int32_t>();
  const actord_str key = frame.str();
  if (frame.has_failed()) return false;
  switch (request) {
    case Request::become: {
      const actord_behaviour& table = static_cast<const actor::Turn&>(context_).table();
      if (number < 0 || static_cast<std::uint64_t>(number) >= table.n_receives) return false;
      host().become(&context_, table.receives[number], flag);
      return true;
    }
    case Request::unbecome: host().unbecome(&context_); return true;
    case Request::unstash_all: host().unstash_all(&context_); return true;
    case Request::unstash:
      if (number < 0) return false;
      host().unstash(&context_, static_cast<std::size_t>(number));
      return true;
    case Request::cancel_timer: host().cancel_timer(&context_, key); return true;
    case Request::receive_timeout: host().receive_timeout(&context_, number); return true;
    case Request::has_timer:
      begin_answer();
      answer_.put<std::int32_t>(host().has_timer(&context_, key));
      return true;
    default: {  // stash
      Reported reported(plugin_.codec);
      const actord_status status = host().stash(&context_, &reported);
      begin_answer();
      answer_.put(status);
      reported.put(answer_);
      return true;
    }
  }
}

bool RequestServer::serve_timer(FrameReader& frame) {
  const actord_str key = frame.str();
  const auto delay_ns = frame.take<std::int64_t>();
  const auto period_ns = frame.take<std::int64_t>();
  const auto is_fixed_rate = frame.take<std::uint8_t>();
  TakenMessage message;
  if (!take_message(frame, message)) return false;
  const auto start = is_fixed_rate != 0 ? host().start_timer_at_fixed_rate : host().start_timer;
  start(&context_, key, delay_ns, period_ns, message.id(), message.content());
  return true;
}

bool RequestServer::serve_log(FrameReader& frame) {
  const auto level = frame.take<std::int32_t>();
  const actord_str event = frame.str(), text = frame.str();
  std::vector<actord_field> fields;
  if (!take_fields(frame, fields)) return false;
  if (level < ACTORD_ERROR || level > ACTORD_DEBUG) return false;
  host().log(&context_, level, event, text, fields.data(), fields.size());
  return true;
}

bool RequestServer::serve_topic(FrameReader& frame, bool subscribes) {
  const auto topic = frame.take<Topic>();
  const actord_str name = frame.str();
  if (frame.has_failed() || topic > Topic::family) return false;
  const std::array<void (*)(actord_context*, actord_str), 6> calls{
      host().unsubscribe,      host().subscribe,          host().unsubscribe_prefix,
      host().subscribe_prefix, host().unsubscribe_family, host().subscribe_family};
  calls[static_cast<std::size_t>(topic) * 2 + (subscribes ? 1 : 0)](&context_, name);
  return true;
}

bool RequestServer::serve_surroundings(FrameReader& frame, Request request) {
  switch (request) {
    case Request::now:
      begin_answer();
      answer_.put(host().now_ns(&context_));
      return true;
    case Request::random:
      begin_answer();
      answer_.put(host().random(&context_));
      return true;
    case Request::asker:
      begin_answer();
      answer_.put(host().asker(&context_));
      return true;
    case Request::budget: {
      std::int64_t max_restarts = 0, within_ns = 0;
      host().budget(&context_, &max_restarts, &within_ns);
      begin_answer();
      answer_.put(max_restarts);
      answer_.put(within_ns);
      return true;
    }
    case Request::traceparent: {
      char text[ACTORD_TRACEPARENT_SIZE];
      host().traceparent(&context_, text);
      begin_answer();
      answer_.text(std::string_view{text});
      return true;
    }
    case Request::add_shutdown_task: return serve_shutdown_task(frame);
    case Request::continue_trace: {
      const actord_str header = frame.str();
      if (frame.has_failed()) return false;
      begin_answer();
      answer_.put(host().continue_trace(&context_, header));
      return true;
    }
    case Request::log_supervision: {
      const auto event = frame.take<std::int32_t>();
      const auto child = frame.take<actord_ref>();
      const auto count = frame.take<std::int64_t>(), delay_ns = frame.take<std::int64_t>();
      const auto limit = frame.take<std::int64_t>();
      if (frame.has_failed() || count < 0 || delay_ns < 0 || limit < 0) return false;
      host().log_supervision(&context_, event, child, count, delay_ns, limit);
      return true;
    }
    case Request::reply_read: {
      const actord_str type = frame.str();
      const std::string_view fields = frame.text();
      if (!message::is_whole_pack(fields)) return false;
      const message::PackReader reader(fields);
      Reported reported(plugin_.codec);
      const actord_status status = host().reply_read(&context_, type, reader.root(), &reported);
      begin_answer();
      answer_.put(status);
      reported.put(answer_);
      return true;
    }
    default: return false;
  }
}

}  // namespace actord::link
