// SPDX-License-Identifier: Apache-2.0
//
// A reporter for programs to read, `--reporters=console,case-lines`: prints on a line of its own
// when each case begins and how it ended. All lines between the two belong to the case, so that a
// case that takes the whole program down is known by name (table.py).
#include <iostream>

#include "support/quiet_reporter.hpp"

namespace {

class CaseLines : public actord::support::QuietReporter {
 public:
  using QuietReporter::QuietReporter;

  void test_case_start(const doctest::TestCaseData& data) override {
    // flushed: the case may end the process
    std::cout << "case begins: " << data.m_name << std::endl;
  }
  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    std::cout << (stats.testCaseSuccess ? "case passed" : "case failed") << std::endl;
  }
};

DOCTEST_REGISTER_REPORTER("case-lines", 2, CaseLines);

}  // namespace
