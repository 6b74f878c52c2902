// SPDX-License-Identifier: Apache-2.0
//
// The requests that any thread of a host may make.
#include <algorithm>
#include <string>

#include "link/request_server.hpp"
#include "message/report.hpp"

namespace actord::link {

namespace {

class Outside {
 public:
  Outside(IsolatedPluginState& plugin, const actord_host& host, actord_system* system,
          FrameReader& frame, FrameWriter& answer, bool& has_answer)
      : plugin_(plugin),
        host_(host),
        system_(system),
        frame_(frame),
        answer_(answer),
        has_answer_(has_answer) {}

  bool serve(Request request) {
    switch (request) {
      case Request::system_tell:
      case Request::system_try_tell:
      case Request::schedule: return serve_message(request);
      case Request::system_log: return serve_log();
      case Request::cancel_scheduled: {
        const auto id = frame_.take<std::uint64_t>();
        if (!frame_.has_failed()) answer(host_.cancel_scheduled(system_, id));
        return true;
      }
      case Request::find: answer(host_.find(system_, frame_.str())); return true;
      case Request::path: {
        const auto ref = frame_.take<actord_ref>();
        std::string text(1024, '\0');
        const std::size_t size = host_.path(system_, ref, text.data(), text.size());
        text.resize(std::min(size, text.size() - 1));
        begin();
        answer_.text(text);
        return true;
      }
      case Request::type_name: {
        begin();
        answer_.text(host_.type_name(system_, frame_.take<actord_type_id>()));
        return true;
      }
      default: return false;
    }
  }

 private:
  void begin() {
    answer_.clear();
    answer_.put(Call::answer);
    has_answer_ = true;
  }
  template <class T>
  void answer(T number) {
    begin();
    answer_.put(number);
  }
  bool serve_message(Request request) {
    const auto to = frame_.take<actord_ref>();
    const auto delay_ns = frame_.take<std::int64_t>(), period_ns = frame_.take<std::int64_t>();
    const auto is_fixed_rate = frame_.take<std::int32_t>();
    TakenMessage message;
    const bool is_there =
        plugin_.codec.take(frame_, message, message::ignored_errors()) == ACTORD_OK &&
        !frame_.has_failed() && message.content() != nullptr;
    if (!is_there) return false;
    if (request == Request::system_tell)
      host_.system_tell(system_, to, message.id(), message.content());
    else if (request == Request::system_try_tell)
      answer(host_.system_try_tell(system_, to, message.id(), message.content()));
    else
      answer(host_.schedule(system_, to, delay_ns, period_ns, is_fixed_rate, message.id(),
                            message.content()));
    return true;
  }
  bool serve_log() {
    const auto level = frame_.take<std::int32_t>();
    const actord_str event = frame_.str(), text = frame_.str();
    std::vector<actord_field> fields;
    if (!take_fields(frame_, fields)) return false;
    if (level < ACTORD_ERROR || level > ACTORD_DEBUG) return false;
    host_.system_log(system_, level, event, text, fields.data(), fields.size());
    return true;
  }

  IsolatedPluginState& plugin_;
  const actord_host& host_;
  actord_system* const system_;
  FrameReader& frame_;
  FrameWriter& answer_;
  bool& has_answer_;
};

}  // namespace

bool serve_outside_request(IsolatedPluginState& plugin, const actord_host& host,
                           actord_system* system, Request request, FrameReader& frame,
                           FrameWriter& answer, bool& has_answer) {
  return Outside(plugin, host, system, frame, answer, has_answer).serve(request) &&
         !frame.has_failed();
}

}  // namespace actord::link
