// SPDX-License-Identifier: Apache-2.0
#include "conformance/config/config_support.hpp"

#include "pattern/configured_backoff.hpp"
#include "sdk/config_value.hpp"
#include "settings/binding.hpp"

namespace actord::conformance {

namespace {

/// An actor that a configuration can name. Its name selects its script.
template <class Base>
class Configured : public Base {
 public:
  static constexpr std::string_view name =
      std::is_same_v<Base, ScriptedActor> ? "ScriptedActor" : "Judge";

  explicit Configured(Context& ctx) : Base(ctx, test, script_for(ctx, scripts)) {}

  static inline SeededTest* test = nullptr;
  static inline Scripts scripts;
};

const actord_plugin& stage() {
  return *plugin_table<Behaviours<Configured<ScriptedActor>, Configured<Judge>>,
                       Messages<Act, Note, Question, Answer, BackgroundMessage, Signal>,
                       Configurators<Strict>>("stage", "1");
}

/// What a world needs of the configuration as long as it lives.
struct Written {
  explicit Written(const std::string& text)
      : settings(settings::read(text)), reader(settings.tree) {}
  settings::Settings settings;
  sdk::ConfigReader reader;
};

}  // namespace

void under_config(const std::string& text, const std::function<void(SeededTest&)>& scene,
                  const std::function<Scripts()>& scripts) {
  const Written written(text);
  SeededTest::Setup setup;
  setup.options.boots_degraded = true;
  setup.before_start = [&](SeededTest& test) {
    Configured<ScriptedActor>::test = Configured<Judge>::test = &test;
    Configured<ScriptedActor>::scripts = Configured<Judge>::scripts =
        scripts ? scripts() : Scripts{};
    test.world.use(stage());
    auto bound = settings::bind(written.settings, test.world.system().behaviours(), written.reader);
    INFO(settings::errors_of(bound));
    REQUIRE(bound.ok());
    test.world.system().stash_capacity = written.settings.stash_capacity;
    test.user = std::move(bound->user);
    test.deployments = std::move(bound->deployments);
  };
  under_seeds(scene, setup);
}

bool reload(SeededTest& test, const std::string& text, Force force) {
  const auto written = std::make_shared<const Written>(text);
  system::ActorSystem& system = test.world.system();
  auto bound = settings::bind(written->settings, system.behaviours(), written->reader);
  INFO(settings::errors_of(bound));
  REQUIRE(bound.ok());
  auto built =
      system.build_snapshot({std::move(bound->user), std::move(bound->deployments), written});
  REQUIRE(built.ok());
  bool is_done = false;
  const auto reconfiguration =
      system.reconfigure(std::move(*built), force == Force::yes, [&is_done] { is_done = true; });
  test.world.run();
  CHECK(reconfiguration->awaited().empty());
  return is_done;
}

std::string faults_of(const std::string& text) {
  const Written written(text);
  message::TypeRegistry types;
  system::BehaviourRegistry registry(types);
  REQUIRE(registry.add(pattern::plugin()).ok());
  REQUIRE(registry.add(stage()).ok());
  return settings::errors_of(settings::bind(written.settings, registry, written.reader));
}

}  // namespace actord::conformance
