// SPDX-License-Identifier: Apache-2.0
//
// A reporter for programs to read, `--reporters=console,case-lines`: when each case begins and how
// it ended, each on a line of its own. What stands between the two belongs to the case, so that one
// that takes the whole program down is known by name (table.py).
#include <iostream>

#include "support/quiet_reporter.hpp"

namespace {

class CaseLines : public actord::support::QuietReporter {
 public:
  using QuietReporter::QuietReporter;

  void test_case_start(const doctest::TestCaseData& data) override {
    std::cout << "case begins: " << data.m_name << std::endl;  // flushed: the next line may be none
  }
  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    std::cout << (stats.testCaseSuccess ? "case passed" : "case failed") << std::endl;
  }
};

DOCTEST_REGISTER_REPORTER("case-lines", 2, CaseLines);

}  // namespace
