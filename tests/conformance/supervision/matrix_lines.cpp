// SPDX-License-Identifier: Apache-2.0
//
// A reporter for programs to read, `--reporters=console,case-lines,cell-lines`: prints on a line of
// its own how each part of a case ended, such as a cell of the matrix of companions (table.py).
#include <iostream>

#include "support/quiet_reporter.hpp"

namespace {

class CellLines : public actord::support::QuietReporter {
 public:
  using QuietReporter::QuietReporter;

  void subcase_start(const doctest::SubcaseSignature& signature) override {
    cell_ = signature.m_name;
    has_failed_ = false;
  }
  void subcase_end() override {
    std::cout << (has_failed_ ? "cell failed: " : "cell passed: ") << cell_ << std::endl;
  }
  void log_assert(const doctest::AssertData& assertion) override {
    has_failed_ |= assertion.m_failed;
  }
  void test_case_exception(const doctest::TestCaseException& /*exception*/) override {
    has_failed_ = true;
  }

 private:
  doctest::String cell_;
  bool has_failed_ = false;
};

DOCTEST_REGISTER_REPORTER("cell-lines", 3, CellLines);

}  // namespace
