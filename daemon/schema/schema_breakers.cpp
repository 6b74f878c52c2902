// SPDX-License-Identifier: Apache-2.0
#include "schema/schema_sections.hpp"

namespace actord::schema {

constexpr SettingKey breaker_rows[] = {
    {.path = "actord.circuit-breaker",
     .type = Type::names,
     .name = "default",
     .reload = Reload::live,
     .doc = "Circuit breakers that actors share by their names (actord::SharedCircuitBreaker). A "
            "breaker of any name has the keys of its section; for those that it does not set, and "
            "for a breaker without a section, the keys of the section `default` apply. A name has "
            "letters, digits, `-`, `_` and `.`, at most 100 of them. A breaker keeps its state "
            "through a reload and through restarts of its actors."},
    {.path = "actord.circuit-breaker.*", .reload = Reload::live},
    {.path = "actord.circuit-breaker.*.max-failures",
     .type = Type::integer,
     .min = 1,
     .max = 1'000'000'000,
     .default_value = "5",
     .reload = Reload::live,
     .doc =
         "Failures in a row that open the breaker. A reload applies it from the next failure on."},
    {.path = "actord.circuit-breaker.*.call-timeout",
     .type = Type::duration,
     .min = 1,
     .default_value = "10 s",
     .reload = Reload::live,
     .doc =
         "A call that takes longer has failed. A reload applies it to calls that begin after it."},
    {.path = "actord.circuit-breaker.*.reset-timeout",
     .type = Type::duration,
     .min = 1,
     .default_value = "30 s",
     .reload = Reload::live,
     .doc = "How long the breaker lets no call through when it opens; then one call is tried. A "
            "reload that changes any key of a breaker lets its next opening take this long, and "
            "leaves the present one as it is."},
    {.path = "actord.circuit-breaker.*.max-reset-timeout",
     .type = Type::duration,
     .min = 1,
     .default_value = "1 h",
     .reload = Reload::live,
     .doc = "The reset timeout grows as long as it is shorter than this, which is at least "
            "reset-timeout."},
    {.path = "actord.circuit-breaker.*.exponential-backoff",
     .type = Type::number,
     .min = 1,
     .max = 1000,
     .default_value = "1",
     .reload = Reload::live,
     .doc = "Factor by which the reset timeout grows each time that the breaker opens, until it "
            "has closed."},
    {.path = "actord.circuit-breaker.*.random-factor",
     .type = Type::number,
     .min = 0,
     .max = 1,
     .default_value = "0",
     .reload = Reload::live,
     .doc = "Largest random part of that growth, as a share of it."},
};

SettingKeys breaker_keys() { return breaker_rows; }

}  // namespace actord::schema
