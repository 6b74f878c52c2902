// SPDX-License-Identifier: Apache-2.0
#include "loader/config_validator.hpp"

#include <utility>

#include "actor/ref.hpp"
#include "message/message_type.hpp"

namespace actord::loader {

using message::view;

namespace {

/// Takes the failure that validate() reports itself.
class Errors : public actord_errors {
 public:
  explicit Errors(std::vector<Rejection>& rejected)
      : actord_errors{&Errors::on_failure}, rejected_(rejected) {}

 private:
  static void on_failure(actord_errors* self, const actord_failure* failure) {
    std::string reason = "its config cannot be validated: " + std::string{view(failure->what)};
    if (failure->n_types != 0) reason += " (" + std::string{view(failure->types[0])} + ')';
    static_cast<Errors*>(self)->rejected_.push_back({{}, std::move(reason)});
  }

  std::vector<Rejection>& rejected_;
};

}  // namespace

ConfigValidator::ConfigValidator(hocon::Tree tree)
    : reader_(
          std::move(tree), [](std::string_view) { return actor::dead_letters; },
          [this](const hocon::Value& value, std::string_view reason) {
            rejected_.push_back({value, std::string{reason}});
          }) {}

std::vector<Rejection> ConfigValidator::validate(const actord_behaviour& behaviour,
                                                 const hocon::Value& config) {
  if (behaviour.validate == nullptr) return {};
  rejected_.clear();
  Errors errors(rejected_);
  if (behaviour.validate(reader_.value(config), &errors) != ACTORD_OK && rejected_.empty())
    rejected_.push_back({{}, "its config is rejected, without a reason"});
  return std::exchange(rejected_, {});
}

}  // namespace actord::loader
