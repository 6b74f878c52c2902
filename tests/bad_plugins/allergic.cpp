// SPDX-License-Identifier: Apache-2.0
//
// An actor that fails on some messages, each time: it does not bear nuts. There are two builds of
// it, and the one that is CURED bears them.
#include <actord/actord.hpp>

#include <csignal>
#include <string>

namespace allergic {

struct Allergy : actord::Error {
  using Error::Error;
};

struct Meal {
  std::string of;
};
ACTORD_MESSAGE(Meal, "allergic.Meal/1", of)

struct Prescription {
  std::string of;
  std::string pin;

  static std::vector<actord::About> about() { return {actord::about(&Prescription::pin).secret()}; }
};
ACTORD_MESSAGE(Prescription, "allergic.Prescription/1", of, pin)

class Guest : public actord::Actor {
 public:
  void eat(actord::Context& ctx, const Meal& meal) {
    if (meal.of == "poison") std::raise(SIGSEGV);
    bear(meal.of);
    ctx.event(actord::Level::info, "allergic.ate", "eaten", {{"of", meal.of}});
  }
  void take(actord::Context& ctx, const Prescription& prescription) {
    bear(prescription.of);
    ctx.event(actord::Level::info, "allergic.took", "taken",
              {{"length", static_cast<std::int64_t>(prescription.pin.size())}});
  }
  using Receive = actord::Handlers<&Guest::eat, &Guest::take>;

 private:
  static void bear([[maybe_unused]] const std::string& of) {
#ifndef CURED
    if (of == "nuts") throw Allergy("cannot bear " + of, {{"of", of}});
#endif
  }
};

}  // namespace allergic

ACTORD_PLUGIN("allergic", "1.0.0", actord::Behaviours<allergic::Guest>,
              actord::Messages<allergic::Meal, allergic::Prescription>,
              actord::Failures<allergic::Allergy>)
