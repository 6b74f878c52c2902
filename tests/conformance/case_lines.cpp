// SPDX-License-Identifier: Apache-2.0
//
// A reporter for programs to read, `--reporters=console,case-lines`: when each case begins and how
// it ended, each on a line of its own. What stands between the two belongs to the case, so that one
// that takes the whole program down is known by name (table.py).
#include <doctest/doctest.h>

#include <iostream>

namespace {

class CaseLines : public doctest::IReporter {
 public:
  explicit CaseLines(const doctest::ContextOptions& /*options*/) {}

  void test_case_start(const doctest::TestCaseData& data) override {
    std::cout << "case begins: " << data.m_name << std::endl;  // flushed: the next line may be none
  }
  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    std::cout << (stats.testCaseSuccess ? "case passed" : "case failed") << std::endl;
  }

  void test_run_end(const doctest::TestRunStats& /*stats*/) override {}
  void report_query(const doctest::QueryData& /*query*/) override {}
  void test_run_start() override {}
  void test_case_reenter(const doctest::TestCaseData& /*data*/) override {}
  void test_case_exception(const doctest::TestCaseException& /*exception*/) override {}
  void subcase_start(const doctest::SubcaseSignature& /*signature*/) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& /*data*/) override {}
  void log_message(const doctest::MessageData& /*data*/) override {}
  void test_case_skipped(const doctest::TestCaseData& /*data*/) override {}
};

DOCTEST_REGISTER_REPORTER("case-lines", 2, CaseLines);

}  // namespace
