// SPDX-License-Identifier: Apache-2.0
//
// The C functions through which the host calls the author's handlers and hooks. Each consists of a
// try block, a Context on the stack and a call.
#pragma once

#include <actord/actor.hpp>
#include <actord/config_findings.hpp>

namespace actord::detail {

/// As guarded(), with a Context for the call. Inlined, or each message would be a call more.
template <class Call>
[[gnu::always_inline]] inline actord_status run(actord_context* c, actord_errors* errors,
                                                Call&& call) {
  Context ctx{*c, errors};
  try {
    call(ctx);
  } catch (const std::exception& e) {
    return ctx.has_failed() ? ACTORD_FAILED : report_exception(errors, e);
  } catch (...) {
    return report_unknown(errors, ctx.has_failed());
  }
  return ctx.has_failed() ? ACTORD_FAILED : ACTORD_OK;
}

template <class Owner>
Owner& as(void* self) noexcept {
  return static_cast<Owner&>(*static_cast<Actor*>(self));
}

template <auto H, class Form>
decltype(auto) call_handler(void* self, Context& ctx, const void* message) {
  auto& actor = as<typename Form::Owner>(self);
  if constexpr (std::is_void_v<typename Form::Message>) {
    return (actor.*H)(ctx);
  } else {
    const auto& m = *static_cast<const typename Form::Message*>(message);
    if constexpr (Form::takes_context) return (actor.*H)(ctx, m);
    else return (actor.*H)(m);
  }
}

template <auto H>
actord_status handle(void* self, actord_context* c, const void* message, actord_errors* errors) {
  using Form = FormOf<H>;
  if constexpr (std::is_same_v<typename Form::Owner, NoOwner>) return ACTORD_FAILED;
  else
    return run(c, errors, [&](Context& ctx) {
      if constexpr (std::is_void_v<typename Form::Result>) {
        call_handler<H, Form>(self, ctx, message);
      } else {
        auto answer = call_handler<H, Form>(self, ctx, message);
        if (!ctx.has_failed()) c->host->reply(c, listed_type_id<decltype(answer)>(), &answer);
      }
    });
}

/// Calls `use` with the answer as a Reply: an UnexpectedReply if it has another type.
template <class Answer, class Use>
void with_reply(actord_context* c, const void* message, const actord_failure* failure, Use use) {
  actord_failure unexpected;
  if (message != nullptr && c->message_type != type_id<Answer>) [[unlikely]] {
    unexpected = plain_failure(chain_of(typeid(UnexpectedReply)),
                               "the answer is of another type than the one asked for");
    message = nullptr;
    failure = &unexpected;
  }
  use(Reply<Answer>{static_cast<const Answer*>(message), failure});
}

template <auto OnReply>
actord_status handle_reply(void* self, actord_context* c, const void* message,
                           const actord_failure* failure, actord_errors* errors) {
  using Form = ReplyFormOf<OnReply>;
  using Answer = typename Form::Message;
  if constexpr (std::is_void_v<Answer>) return ACTORD_FAILED;
  else
    return run(c, errors, [&](Context& ctx) {
      with_reply<Answer>(c, message, failure, [&](const Reply<Answer>& reply) {
        auto& actor = as<typename Form::Owner>(self);
        if constexpr (Form::takes_context) (actor.*OnReply)(ctx, reply);
        else (actor.*OnReply)(reply);
      });
    });
}

/// The same for an ActorIdentity, which is empty if the actor has stopped meanwhile.
template <auto OnReply>
actord_status handle_identity(void* self, actord_context* c, const void* message,
                              const actord_failure* failure, actord_errors* errors) {
  const bool is_identity = message != nullptr && c->message_type == type_id<ActorIdentity>;
  if (!is_identity || static_cast<const ActorIdentity*>(message)->who)
    return handle_reply<OnReply>(self, c, message, failure, errors);
  const actord_failure none = plain_failure(chain_of(typeid(NoRecipient)), "the actor has stopped");
  return handle_reply<OnReply>(self, c, nullptr, &none, errors);
}

// ---- creation -----------------------------------------------------------------------------------

template <class A, class... Args>
void construct(void* self, Context& ctx, const Args&... args) {
  A* actor = nullptr;
  if constexpr (std::is_constructible_v<A, Context&, const Args&...>)
    actor = ::new (self) A(ctx, args...);
  else actor = ::new (self) A(args...);

  const bool is_first_base = static_cast<void*>(static_cast<Actor*>(actor)) == self;
  // The host destroys only an instance whose creation has succeeded.
  if (ctx.has_failed() || !is_first_base) actor->~A();
  if (!is_first_base)
    throw Error("actord::Actor must be the first base of " + std::string{type_name<A>()});
}

template <class Config>
actord_status read_config(actord_value in, Config& out, actord_errors* errors) {
  if (in.node != nullptr) return read_data(in, data_type<Config>, &out, errors);
  constexpr std::string_view needed = first_required<Config>();
  if constexpr (!needed.empty())
    throw Error("config needs " + std::string{needed} + ", and there is none");
  return ACTORD_OK;
}

/// Whether a config can construct an A. Its Config is looked at where it is read.
template <class A>
constexpr bool is_configurable = requires {
  typename A::Config;
} || std::is_constructible_v<A, Context&> || std::is_default_constructible_v<A>;

template <class A>
actord_status create_configured(void* self, actord_context* c, actord_value config,
                                const void* /*args*/, actord_errors* errors) {
  actord_status read_status = ACTORD_OK;
  const actord_status status = run(c, errors, [&](Context& ctx) {
    if constexpr (requires { typename A::Config; }) {
      using Config = typename A::Config;
      static_assert(Described<Config>, "Config has no ACTORD_FIELDS");
      static_assert(std::is_constructible_v<A, Context&, const Config&> ||
                        std::is_constructible_v<A, const Config&>,
                    "no constructor takes (Context&, const Config&) or (const Config&)");
      Config settings{};
      read_status = read_config(config, settings, errors);
      if (read_status != ACTORD_OK) return;
      if (is_valid<A>(settings, config, {.errors = errors, .takes_all = false}))
        construct<A>(self, ctx, settings);
      else read_status = ACTORD_FAILED;
    } else if constexpr (is_configurable<A>) {
      construct<A>(self, ctx);
    } else {
      throw Error("can only be spawned from code: its constructor takes arguments");
    }
  });
  return read_status == ACTORD_OK ? status : read_status;
}

/// The function of the table: reads the config, then calls A::validate().
template <class A>
actord_status validate_configured(actord_value config, actord_errors* errors) {
  actord_status result = ACTORD_OK;
  const actord_status status = guarded(errors, [&] {
    typename A::Config settings{};
    result = read_config(config, settings, errors);
    if (result == ACTORD_OK && !is_valid<A>(settings, config, {.errors = errors}))
      result = ACTORD_FAILED;
  });
  return status == ACTORD_OK ? result : status;
}

template <class A, class... Args>
actord_status create_from(void* self, actord_context* c, actord_value /*config*/, const void* args,
                          actord_errors* errors) {
  static_assert(std::is_constructible_v<A, Context&, const Args&...> ||
                    std::is_constructible_v<A, const Args&...>,
                "no constructor takes these arguments");
  return run(c, errors, [&](Context& ctx) {
    std::apply([&](const Args&... each) { construct<A>(self, ctx, each...); },
               *static_cast<const std::tuple<Args...>*>(args));
  });
}

// ---- hooks: they are virtual, so that one function serves all classes ---------------------------

inline actord_status call_pre_start(void* self, actord_context* c, actord_errors* errors) {
  return run(c, errors, [&](Context& ctx) { as<Actor>(self).pre_start(ctx); });
}
inline actord_status call_post_stop(void* self, actord_context* c, actord_errors* errors) {
  return run(c, errors, [&](Context& ctx) { as<Actor>(self).post_stop(ctx); });
}
inline actord_status call_pre_restart(void* self, actord_context* c, const actord_failure* reason,
                                      actord_errors* errors) {
  return run(c, errors, [&](Context& ctx) { as<Actor>(self).pre_restart(ctx, Failure{*reason}); });
}
inline actord_status call_post_restart(void* self, actord_context* c, const actord_failure* reason,
                                       actord_errors* errors) {
  return run(c, errors, [&](Context& ctx) { as<Actor>(self).post_restart(ctx, Failure{*reason}); });
}
inline actord_status call_decide(void* self, actord_context* c, const actord_failure* failure,
                                 actord_directive* out, actord_errors* errors) {
  return run(c, errors, [&](Context& ctx) {
    *out = static_cast<actord_directive>(as<Actor>(self).decide(ctx, Failure{*failure}));
  });
}
inline actord_status call_review(void* self, actord_context* c, const actord_failure* failure,
                                 actord_directive* verdict, actord_errors* errors) {
  return run(c, errors, [&](Context& ctx) {
    *verdict = static_cast<actord_directive>(
        as<Actor>(self).review(ctx, Failure{*failure}, static_cast<Directive>(*verdict)));
  });
}
inline actord_status call_log_failure(void* self, actord_context* c, const actord_failure* failure,
                                      actord_directive directive, actord_errors* errors) {
  return run(c, errors, [&](Context& ctx) {
    as<Actor>(self).log_failure(ctx, Failure{*failure}, static_cast<Directive>(directive));
  });
}
inline actord_status call_child_terminated(void* self, actord_context* c, actord_ref child,
                                           actord_errors* errors) {
  return run(c, errors, [&](Context& ctx) { as<Actor>(self).child_terminated(ctx, Ref{child}); });
}

}  // namespace actord::detail
