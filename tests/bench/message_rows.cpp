// SPDX-License-Identifier: Apache-2.0
//
// Rows that only send: ping-pong, 20 to 1, 1 to 60. Each checks how much arrived.
#include <atomic>

#include "rig.hpp"

namespace actord::bench {

namespace {

// Hands a counter back and forth; the peer's address comes with the first message of each.
class Player : public Actor {
 public:
  explicit Player(Finish* finish) : finish_(finish) {}

  void on(Context& ctx, const Number& n) {
    if (n.value <= 0) return finish_->signal();
    ctx.tell(ctx.sender(), Number{n.value - 1});
  }
  using Receive = Handlers<&Player::on>;

 private:
  Finish* finish_;
};

class Server : public Actor {
 public:
  Server(Finish* finish, Ref peer) : peer_(peer), finish_(finish) {}

  void on(Context& ctx, const Number& n) {
    if (n.value <= 0) return finish_->signal();
    ctx.tell(peer_, Number{n.value - 1});
  }
  using Receive = Handlers<&Server::on>;

 private:
  Ref peer_;
  Finish* finish_;
};

class Sink : public Actor {
 public:
  Sink(std::int64_t wanted, std::atomic<int>* left, Finish* finish)
      : wanted_(wanted), left_(left), finish_(finish) {}

  void on(const Number&) {
    if (++count_ == wanted_ && left_->fetch_sub(1) == 1) finish_->signal();
  }
  using Receive = Handlers<&Sink::on>;

 private:
  std::int64_t wanted_, count_ = 0;
  std::atomic<int>* left_;
  Finish* finish_;
};

// Sends its number of messages to each target in turn, in one handler.
class Source : public Actor {
 public:
  explicit Source(std::vector<Ref> targets) : targets_(std::move(targets)) {}

  void on(Context& ctx, const Number& n) {
    for (std::int64_t i = 0; i < n.value; ++i) {
      for (const Ref target : targets_) ctx.tell(target, Number{i});
    }
  }
  using Receive = Handlers<&Source::on>;

 private:
  std::vector<Ref> targets_;
};

Figure rate(std::string row, std::int64_t messages, double seconds) {
  return {std::move(row), static_cast<double>(messages) / seconds, "msg/s"};
}

}  // namespace

Figures run_pingpong(unsigned workers, bool is_warm_up) {
  const std::int64_t messages = is_warm_up ? 400'000 : 4'000'000;
  Rig rig(workers);
  Finish finish;
  const actor::Ref pong = rig.spawn<Player>("pong", &finish);
  const actor::Ref ping = rig.spawn<Server>("ping", &finish, Ref{pong});
  const Stopwatch watch;
  rig.tell(ping, messages);
  finish.wait();
  return {rate("pingpong", messages, watch.seconds())};
}

Figures run_many2one(unsigned workers, bool is_warm_up) {
  constexpr int senders = 20;
  const std::int64_t each = is_warm_up ? 20'000 : 500'000;
  Rig rig(workers);
  Finish finish;
  std::atomic<int> left{1};
  const actor::Ref sink = rig.spawn<Sink>("sink", senders * each, &left, &finish);
  std::vector<actor::Ref> sources;
  for (int i = 0; i < senders; ++i) {
    sources.push_back(rig.spawn<Source>("source-" + std::to_string(i), std::vector<Ref>{{sink}}));
  }
  const Stopwatch watch;
  for (const actor::Ref source : sources) rig.tell(source, each);
  finish.wait();
  return {rate("many2one", senders * each, watch.seconds()),
          {"many2one_peak_mb", peak_resident_mb(), "MB"}};
}

Figures run_forkjoin(unsigned workers, bool is_warm_up) {
  constexpr int sinks = 60;
  const std::int64_t each = is_warm_up ? 5'000 : 100'000;
  Rig rig(workers);
  Finish finish;
  std::atomic<int> left{sinks};
  std::vector<Ref> targets;
  for (int i = 0; i < sinks; ++i) {
    targets.push_back({rig.spawn<Sink>("sink-" + std::to_string(i), each, &left, &finish)});
  }
  const actor::Ref source = rig.spawn<Source>("source", targets);
  const Stopwatch watch;
  rig.tell(source, each);
  finish.wait();
  return {rate("forkjoin", sinks * each, watch.seconds())};
}

}  // namespace actord::bench
