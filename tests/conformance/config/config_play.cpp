// SPDX-License-Identifier: Apache-2.0
#include "conformance/config/config_play.hpp"

#include "pattern/configured_backoff.hpp"
#include "sdk/config_value.hpp"
#include "settings/binding.hpp"

namespace actord::conformance {

namespace {

/// A puppet that configuration can name. What it plays is told by its name.
template <class Base>
class OnStage : public Base {
 public:
  static constexpr std::string_view name = std::is_same_v<Base, Puppet> ? "Puppet" : "Judge";

  explicit OnStage(Context& ctx) : Base(ctx, play, part_for(ctx)) {}

  static inline Play* play = nullptr;
  static inline Parts parts;

 private:
  static Part part_for(Context& ctx) {
    const std::string path = ctx.path(ctx.self());
    const auto found = parts.find(path.substr(path.rfind('/') + 1));
    return found != parts.end() ? found->second : Part{};
  }
};

const actord_plugin& stage() {
  return *plugin_table<Behaviours<OnStage<Puppet>, OnStage<Judge>>,
                       Messages<Act, Note, Question, Answer, Murmur>, Configurators<Strict>>(
      "stage", "1");
}

/// What a world of the text needs for as long as it lives.
struct Written {
  explicit Written(const std::string& text)
      : settings(settings::read(text)), reader(settings.tree) {}
  settings::Settings settings;
  sdk::ConfigReader reader;
};

}  // namespace

void under_config(const std::string& text, const std::function<void(Play&)>& scene,
                  const std::function<Parts()>& parts) {
  const Written written(text);
  Play::Setup setup;
  setup.options.boots_degraded = true;
  setup.before_start = [&](Play& play) {
    OnStage<Puppet>::play = OnStage<Judge>::play = &play;
    OnStage<Puppet>::parts = OnStage<Judge>::parts = parts ? parts() : Parts{};
    play.world.use(stage());
    auto bound = settings::bind(written.settings, play.world.system().behaviours(), written.reader);
    INFO(settings::told(bound));
    REQUIRE(bound.ok());
    play.world.system().stash_capacity = written.settings.stash_capacity;
    play.user = std::move(bound->user);
    play.rules = std::move(bound->rules);
  };
  under_seeds(scene, setup);
}

bool reload(Play& play, const std::string& text) {
  const auto written = std::make_shared<const Written>(text);
  system::ActorSystem& system = play.world.system();
  auto bound = settings::bind(written->settings, system.behaviours(), written->reader);
  INFO(settings::told(bound));
  REQUIRE(bound.ok());
  auto drawn = system.draw({std::move(bound->user), std::move(bound->rules), written});
  REQUIRE(drawn.ok());
  bool is_done = false;
  const auto wish = system.reconfigure(std::move(*drawn), [&is_done] { is_done = true; });
  play.world.run();
  CHECK(wish->awaited().empty());
  return is_done;
}

std::string faults_of(const std::string& text) {
  const Written written(text);
  message::TypeRegistry types;
  system::BehaviourRegistry registry(types);
  REQUIRE(registry.add(pattern::plugin()).ok());
  REQUIRE(registry.add(stage()).ok());
  return settings::told(settings::bind(written.settings, registry, written.reader));
}

}  // namespace actord::conformance
