// SPDX-License-Identifier: Apache-2.0
#include "ctl/text_template.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using actord::ctl::filled;
using actord::ctl::TemplateScope;

namespace {

TemplateScope named(const std::string& name) { return {{{"name", name}}, {}}; }

}  // namespace

TEST_SUITE_BEGIN("ctl/text_template");

TEST_CASE("a value is written in the place of its name, as often as it is named") {
  CHECK(filled("a %{name}, %{name}\n", named("x")) == "a x, x\n");
  CHECK(filled("100 % {name} %{\n", named("x")) == "100 % {name} %{\n");
  CHECK(filled("%{name}", {{{"name", "%{name}"}}, {}}) == "%{name}\n");
}

TEST_CASE("lines are repeated for each element, which goes before what is around it") {
  TemplateScope scope = named("outer");
  scope.values["kind"] = "k";
  scope.lists["each"] = {named("a"), named("b")};
  scope.lists["none"];
  CHECK(filled("%for each\n%{kind} %{name}\n%end\n%{name}\n", scope) == "k a\nk b\nouter\n");
  CHECK(filled("%for none\n%{name}\n%end\n", scope).empty());
}

TEST_CASE("blocks stand in blocks") {
  TemplateScope inner = named("a");
  inner.lists["field"] = {{{{"field", "x"}}, {}}, {{{"field", "y"}}, {}}};
  inner.lists["empty"];
  TemplateScope scope;
  scope.lists["message"] = {inner};
  CHECK(
      filled("%for message\n%for field\n%{name}.%{field}\n%end\n%if empty\nnone\n%end\n%if field\n"
             "some\n%end\nlast\n%end\n",
             scope) == "a.x\na.y\nsome\nlast\n");
}

TEST_CASE("a name without a value and a block without an end are faults of the program") {
  CHECK_THROWS_AS(filled("%{other}\n", named("x")), std::logic_error);
  CHECK_THROWS_AS(filled("%for other\n%end\n", named("x")), std::logic_error);
  CHECK_THROWS_AS(filled("%if other\n", named("x")), std::logic_error);
}
