// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <actord/actord.hpp>
#include <actord/backoff_supervisor.hpp>
#include <actord/circuit_breaker.hpp>
#include <actord/closure_actor.hpp>
#include <actord/coordinated_shutdown.hpp>
#include <actord/rate_limiter.hpp>
#include <actord/retry.hpp>
#include <actord/router.hpp>
#include <actord/shared_circuit_breaker.hpp>
#include <actord/state_machine.hpp>

#include <fstream>
#include <map>
#include <sstream>

#include "shop_prices.hpp"

namespace shop {

using namespace std::chrono_literals;

// ---- messages

struct Order {
  std::string sku;
  int count = 1;
};
ACTORD_MESSAGE(Order, "shop.Order/1", sku, count)

struct Done {
  int sold = 0;
  actord::Ref by;
};
ACTORD_MESSAGE(Done, "shop.Done/1", sold, by)

struct Price {
  int cents = 0;
};
ACTORD_MESSAGE(Price, "shop.Price/1", cents)

struct GetPrice {
  std::string sku;
};
ACTORD_MESSAGE(GetPrice, "shop.GetPrice/1", sku)

struct Closed {
  std::string until;
};
ACTORD_MESSAGE(Closed, "shop.Closed/1", until)

// ---- failing

struct SoldOut : actord::Error {
  using Error::Error;
};

// ---- config

enum class Mode { careful, fast };
ACTORD_ENUM(Mode, careful, fast)

struct Config {
  actord::Required<std::string> stock;
  std::uint32_t max_orders = 8;
  Mode mode = Mode::careful;
  std::chrono::milliseconds patience = 500ms;
  std::optional<std::string> pin;

  static std::vector<actord::About> about() {
    return {actord::about(&Config::stock).file().readable().doc("A file with the price."),
            actord::about(&Config::max_orders).between(1, 64).doc("Orders at once."),
            actord::about(&Config::pin).secret()};
  }
};
ACTORD_FIELDS(Config, stock, max_orders, mode, patience, pin)

// ---- actors

class Clerk : public actord::Actor {
 public:
  Done sell(actord::Context& ctx, const Order& order) {
    if (order.count > 5) throw SoldOut("too many", {{"sku", order.sku}, {"count", order.count}});
    sold_ += order.count;
    return {sold_, ctx.self()};  // the message that a handler returns is the reply
  }
  Price price(const GetPrice&) { return {250}; }
  using Receive = actord::Handlers<&Clerk::sell, &Clerk::price>;

 private:
  int sold_ = 0;
};

class Shop : public actord::Actor {
 public:
  using Config = shop::Config;

  static void validate(const Config& config, actord::Findings& findings) {
    if (config.max_orders > 32 && config.mode == Mode::careful)
      findings.reject(&Config::max_orders, "must be at most 32 with mode = careful");
  }

  static actord::Strategy supervision() {  // the strategy applied to its children
    return actord::one_for_one({.max_restarts = 10, .within = 1min})
        .on<SoldOut>(actord::Directive::resume)
        .otherwise(actord::Directive::restart);
  }

  Shop(actord::Context& ctx, const Config&) : clerk_(ctx.spawn<Clerk>("clerk")) {}

  void order(actord::Context& ctx, const Order&) { ctx.forward(clerk_); }
  void price(actord::Context& ctx, const GetPrice&) { ctx.forward(clerk_); }
  using Receive = actord::Handlers<&Shop::order, &Shop::price>;

 private:
  actord::Ref clerk_;
};

/// Asks for the price, then orders.
class Customer : public actord::Actor {
 public:
  explicit Customer(actord::Context& ctx) : shop_(ctx.find("/user/shop")) {}

  void start(actord::Context& ctx, const Order& order) {
    if (wanted_) return ctx.stash();  // one after the other
    wanted_ = order;
    ctx.ask<&Customer::on_price>(shop_, GetPrice{order.sku}, 2s);
  }
  void on_price(actord::Context& ctx, const actord::Reply<Price>& price) {
    const Order wanted = *std::exchange(wanted_, std::nullopt);
    if (!price)  // no answer in time, no such actor, or a failure that the shop answers with
      ctx.event(actord::Level::warning, "shop.unpriced", "no price",
                {{"why", price.failure().what()}});
    else if (price->cents < 300) ctx.tell(shop_, Order{wanted});
    ctx.unstash_all();
  }
  void done(const Done& done) { bought_ = done.sold; }
  Done bought(const Closed&) { return {bought_, {}}; }
  using Receive = actord::Handlers<&Customer::start, &Customer::done, &Customer::bought>;

 private:
  actord::Ref shop_;
  std::optional<Order> wanted_;
  int bought_ = 0;
};

/// Keeps those who ask waiting until something has arrived.
class Counter : public actord::Actor {
 public:
  void order(actord::Context& ctx, const Order&) {
    waiting_.push_back(ctx.sender());  // takes one answer, until the timeout of the ask
  }
  void arrived(actord::Context& ctx, const Price& price) {
    for (const actord::Ref asked : std::exchange(waiting_, {})) {
      if (price.cents > 0) ctx.tell(asked, Done{1, ctx.self()});
      else ctx.reply_failure<SoldOut>(asked, "nothing has arrived");
    }
  }
  using Receive = actord::Handlers<&Counter::order, &Counter::arrived>;

 private:
  std::vector<actord::Ref> waiting_;
};

/// Has a clerk behind a back-off supervisor, which starts a new clerk after a delay.
class Street : public actord::Actor {
 public:
  explicit Street(actord::Context& ctx)
      : clerk_(ctx.spawn<actord::BackoffSupervisor<Clerk>>(
            "clerk-supervisor",
            actord::BackoffOptions::on_stop(3s, 30s, 0.2)
                .stopping()
                .reply_while_down(Closed{"in a moment"}),
            "clerk")) {}

  void order(actord::Context& ctx, const Order&) { ctx.forward(clerk_); }
  using Receive = actord::Handlers<&Street::order>;

 private:
  actord::Ref clerk_;
};

// ---- blocking work

struct Content {
  std::string text;
};
ACTORD_MESSAGE(Content, "shop.Content/1", text)

inline Content read(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return {text.str()};
}

class PriceList : public actord::Actor {
 public:
  using Config = shop::Config;
  explicit PriceList(const Config& config) : path_(config.stock) {}

  void price(actord::Context& ctx, const GetPrice&) {
    if (asker_) return ctx.stash();  // one after the other
    asker_ = ctx.sender();
    ctx.pipe<&PriceList::on_read>([path = path_] { return read(path); }, 5s);  // on another thread
  }
  void on_read(actord::Context& ctx, const actord::Reply<Content>& content) {
    const actord::Ref asker = std::exchange(asker_, {});
    if (content) ctx.tell(asker, Price{std::stoi(content->text)});
    else ctx.reply_failure<SoldOut>(asker, content.failure().what());
    ctx.unstash_all();
  }
  using Receive = actord::Handlers<&PriceList::price>;

 private:
  std::string path_;
  actord::Ref asker_;
};

// ---- timers

struct Tick {};
ACTORD_MESSAGE(Tick, "shop.Tick/1")

class Till : public actord::Actor {
 public:
  explicit Till(actord::Context& ctx) {
    ctx.start_timer("count", 10s, Tick{}, 10s);  // after 10 s, then every 10 s
    ctx.receive_timeout(1min);                   // after a minute without a message
  }

  void sold(const Done& done) { sold_ += done.sold; }
  void count(actord::Context& ctx, const Tick&) {
    ctx.event(actord::Level::info, "shop.counted", "counted the till", {{"sold", sold_}});
  }
  void idle(actord::Context& ctx, const actord::ReceiveTimeout&) {
    ctx.cancel_timer("count");
    ctx.stop_self();
  }
  using Receive = actord::Handlers<&Till::sold, &Till::count, &Till::idle>;

 private:
  int sold_ = 0;
};

// ---- state machines

struct Key {
  std::string digit;
};
ACTORD_MESSAGE(Key, "shop.Key/1", digit)

struct Opened {};
ACTORD_MESSAGE(Opened, "shop.Opened/1")

struct Alarm {
  static constexpr std::uint32_t message_flags = ACTORD_CONTROL;  // taken before all others
};
ACTORD_MESSAGE(Alarm, "shop.Alarm/1")

enum class DoorState { locked, open };
ACTORD_ENUM(DoorState, locked, open)

class Door : public actord::StateMachine<Door, DoorState, std::string> {
 public:
  Door() : StateMachine(DoorState::locked) { state_timeout(DoorState::open, 5s); }

  Next press(const Key& key) {
    const std::string entered = data() + key.digit;
    if (entered == "3322") return go_to<DoorState::open>().using_data({}).replying(Opened{});
    return stay().using_data(entered.size() < 4 ? entered : std::string{});
  }
  Next relock(const actord::StateTimeout&) { return go_to<DoorState::locked>(); }
  Next fire(const Alarm&) { return go_to<DoorState::open>().using_data({}).for_max(forever); }

  void on_transition(actord::Context& ctx, DoorState from, DoorState to) override {
    ctx.event(actord::Level::info, "shop.door", "the door moved",
              {{"was_open", from == DoorState::open}, {"is_open", to == DoorState::open}});
  }

  using Receive = When<DoorState::locked, &Door::press>;
  using States = actord::States<When<DoorState::open, &Door::relock>>;
  using WhenUnhandled = actord::Handlers<&Door::fire>;  // in both states
};

inline actord::Closures busy(actord::Ref customer);
inline actord::Closures idle() {
  return actord::Closures{}.on<Order>(
      [](actord::Context& ctx, const Order&) { return busy(ctx.sender()); });
}
inline actord::Closures busy(actord::Ref customer) {
  return actord::Closures{}
      .on<Order>([](const Order&) { return Closed{"in a moment"}; })
      .on<Done>([customer](actord::Context& ctx, const Done& done) {
        ctx.tell(customer, Done{done});
        return idle();
      });
}

/// Has one desk, at which one customer at a time waits.
class Hall : public actord::Actor {
 public:
  explicit Hall(actord::Context& ctx) { desk_ = ctx.spawn<actord::ClosureActor>("desk", idle()); }

  void order(actord::Context& ctx, const Order&) { ctx.forward(desk_); }
  void done(actord::Context& ctx, const Done&) { ctx.forward(desk_); }
  using Receive = actord::Handlers<&Hall::order, &Hall::done>;

 private:
  actord::Ref desk_;
};

// ---- routers

/// Says how many orders it has got.
class Desk : public actord::Actor {
 public:
  Done order(actord::Context& ctx, const Order&) { return {++n_orders_, ctx.self()}; }
  void begin(const Tick&) { n_orders_ = 0; }
  using Receive = actord::Handlers<&Desk::order, &Desk::begin>;

 private:
  int n_orders_ = 0;
};

/// Shares its orders out among four desks.
class Office : public actord::Actor {
 public:
  void pre_start(actord::Context& ctx) override {
    desks_ = ctx.spawn_router<Desk>("desks", actord::pool(4).round_robin());
  }
  void order(actord::Context& ctx, const Order&) { ctx.forward(desks_); }
  void begin(actord::Context& ctx, const Closed&) { ctx.tell(desks_, actord::Broadcast{Tick{}}); }
  using Receive = actord::Handlers<&Office::order, &Office::begin>;

 private:
  actord::Ref desks_;
};

// ---- services that fail

struct BuyerConfig {
  actord::CircuitBreakerOptions breaker{.max_failures = 3, .call_timeout = 2s};
  actord::RateLimiterOptions limit{.tokens = 100, .per = 1s, .burst = 20};
};
ACTORD_FIELDS(BuyerConfig, breaker, limit)

/// Orders from a shop that may be down.
class Buyer : public actord::Actor {
 public:
  using Config = BuyerConfig;
  Buyer(actord::Context& ctx, const Config& config)
      : shop_(ctx.find("/user/shop")), breaker_("shop", config.breaker), limiter_(config.limit) {
    breaker_.tolerate<SoldOut>();  // the shop has answered
    breaker_.on_close([this](actord::Context&) { n_refused_ = 0; });
  }
  static void validate(const Config& config, actord::Findings& findings) {
    config.breaker.check(findings.at(&Config::breaker));
  }

  void buy(actord::Context& ctx, const Order& order) {
    actord::ask_through<&Buyer::breaker_, &Buyer::on_done>(*this, ctx, shop_, order, 5s);
  }
  void on_done(actord::Context&, const actord::Reply<Done>& done) {
    if (done) bought_ = done->sold;
    else if (done.failure().is<actord::CircuitBreakerOpen>()) ++n_refused_;
  }

  void price(actord::Context& ctx, const GetPrice& what) {
    if (asker_) return ctx.stash();
    asker_ = ctx.sender();
    actord::retry_ask<&Buyer::on_price>(ctx, shop_, what, 1s, {.attempts = 4, .delay = 200ms});
  }
  void on_price(actord::Context& ctx, const actord::Reply<Price>& price) {
    const actord::Ref asker = std::exchange(asker_, {});
    if (price) ctx.tell(asker, Price{*price});
    else ctx.reply_failure<SoldOut>(asker, "the shop is closed");  // all four have failed
    ctx.unstash_all();
  }

  void limited(actord::Context& ctx, const Order& order) {
    if (limiter_.try_take(ctx)) return buy(ctx, order);
    ctx.stash();
    if (!ctx.has_timer("token")) ctx.start_timer("token", limiter_.wait(ctx), Tick{});
  }
  void token(actord::Context& ctx, const Tick&) { ctx.unstash_all(); }

  Done bought(const Closed&) { return {bought_ - n_refused_, {}}; }
  using Receive = actord::Handlers<&Buyer::limited, &Buyer::token, &Buyer::price, &Buyer::bought>;

 private:
  actord::Ref shop_, asker_;
  actord::CircuitBreaker breaker_;
  actord::RateLimiter limiter_;
  int bought_ = 0, n_refused_ = 0;
};

/// Passes orders on to a wholesaler, whom all couriers leave in peace while he is down.
class Courier : public actord::Actor {
 public:
  void order(actord::Context& ctx, const Order& order) {
    if (asker_) return ctx.stash();
    asker_ = ctx.sender();
    const actord::Ref wholesaler = ctx.find("/user/wholesaler");
    actord::ask_through<&Courier::breaker_, &Courier::on_done>(*this, ctx, wholesaler, order, 5s);
  }
  void on_done(actord::Context& ctx, const actord::Reply<Done>& done) {
    const actord::Ref asker = std::exchange(asker_, {});
    if (done) ctx.tell(asker, Done{*done});
    else if (!done.failure().is<actord::CircuitBreakerOpen>())
      ctx.reply_failure<SoldOut>(asker, "the wholesaler does not answer");
    else ctx.reply_failure<actord::CircuitBreakerOpen>(asker, done.failure().what());
    ctx.unstash_all();
  }
  using Receive = actord::Handlers<&Courier::order>;

 private:
  actord::Ref asker_;
  actord::SharedCircuitBreaker breaker_{"wholesaler"};
};

// ---- shutting down

/// Takes orders until the shutdown begins, and finishes those that it has.
class Port : public actord::Actor {
 public:
  void pre_start(actord::Context& ctx) override {
    actord::on_shutdown(ctx, actord::phases::service_unbind, "take no more orders");
    actord::on_shutdown(ctx, actord::phases::service_requests_done, "finish the open ones");
  }
  void shut(actord::Context& ctx, const actord::ShutdownTask& task) {
    is_closed_ = true;
    const bool is_done = task.phase == actord::phases::service_unbind || open_ == 0;
    if (is_done) ctx.reply(actord::ShutdownTaskDone{});
    else waits_ = ctx.sender();  // is answered when the last order is done
  }
  void order(actord::Context& ctx, const Order& order) {
    if (is_closed_) return ctx.reply_failure<SoldOut>("the shop closes: no " + order.sku);
    ++open_;
  }
  void done(actord::Context& ctx, const Done&) {
    if (--open_ == 0 && waits_) ctx.tell(waits_, actord::ShutdownTaskDone{});
  }
  using Receive = actord::Handlers<&Port::shut, &Port::order, &Port::done>;

 private:
  bool is_closed_ = false;
  int open_ = 0;
  actord::Ref waits_;
};

/// Writes what it was told when all actors below /user have stopped.
class Exporter : public actord::Actor {
 public:
  explicit Exporter(actord::Context& ctx) {
    ctx.tell(ctx.parent(), actord::RegisterTerminationHook{});
  }
  void take(const Done& done) { sold_ += done.sold; }
  void last(actord::Context& ctx, const actord::TerminationHook&) {
    ctx.event(actord::Level::info, "shop.exported", "wrote the last figures", {{"sold", sold_}});
    ctx.reply(actord::TerminationHookDone{});
  }
  using Receive = actord::Handlers<&Exporter::take, &Exporter::last>;

 private:
  int sold_ = 0;
};

// ---- extensions

inline constexpr shop_prices prices{
    sizeof(shop_prices), [](const char* sku) { return std::int32_t{*sku == 't' ? 250 : 100}; }};

struct Metrics {
  static void attach(actord::System system) {
    system.spawn_system<Exporter>("exporter");
    system.publish("shop.prices/1", prices);
  }
};

// ---- traces

struct Request {
  std::string query, traceparent;
};
ACTORD_MESSAGE(Request, "shop.Request/1", query, traceparent)

class Gateway : public actord::Actor {
 public:
  void arrived(actord::Context& ctx, const Request& request) {
    ctx.continue_trace(request.traceparent);  // false if that is no such header: nothing is traced
    ctx.tell(ctx.find("/user/shop"), GetPrice{request.query}, ctx.sender());
    last_ = ctx.traceparent();  // the header for a request elsewhere; empty outside of a trace
  }
  Content last(const GetPrice&) { return {last_}; }
  using Receive = actord::Handlers<&Gateway::arrived, &Gateway::last>;

 private:
  std::string last_;
};

}  // namespace shop
