// SPDX-License-Identifier: Apache-2.0
//
// main() of every program of doctest cases. A run without a single case fails, because otherwise a
// filter that matches nothing any more would always pass.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <iostream>

#include "support/quiet_reporter.hpp"

namespace {

unsigned cases_run = 0;

class CaseCounter : public actord::support::QuietReporter {
 public:
  using QuietReporter::QuietReporter;

  void test_run_end(const doctest::TestRunStats& stats) override {
    cases_run = stats.numTestCasesPassingFilters;
  }
};

DOCTEST_REGISTER_LISTENER("cases", 1, CaseCounter);

}  // namespace

int main(int argc, char** argv) {
  doctest::Context context(argc, argv);
  const int status = context.run();
  if (context.shouldExit()) return status;  // a query such as --list-test-cases
  if (status == 0 && cases_run == 0) {
    std::cerr << "no test case matches\n";
    return 1;
  }
  return status;
}
