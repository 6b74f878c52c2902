// SPDX-License-Identifier: Apache-2.0
//
// The flattening of each kind of throw.
#include <doctest/doctest.h>
#include <pthread.h>
#include <unwind.h>

#include <filesystem>
#include <ios>

#include "unit/sdk/fake_host.hpp"

namespace net {
struct Timeout : virtual std::exception {};
struct Refused : virtual std::exception {};
struct Both : Timeout, Refused {};
struct Left : std::exception {};
struct Right : std::exception {};
struct Ambiguous : Left, Right {};
struct Silent : std::exception {
  const char* what() const noexcept override { return nullptr; }
};
namespace {
struct Hidden : actord::Error {
  using Error::Error;
};
}  // namespace

struct Packet {
  int number = 0;
  std::string body;
};
ACTORD_MESSAGE(Packet, "net.Packet/1", number, body)

struct PacketLost : actord::ErrorWith<Packet> {
  using ErrorWith::ErrorWith;
};
}  // namespace net

namespace {
template <class Throw>
fake::Errors flattened(Throw thrower) {
  fake::Errors errors;
  CHECK(actord::detail::guarded(&errors, thrower) == ACTORD_FAILED);
  CHECK(errors.reports == 1);
  CHECK((errors.flags & ACTORD_STATIC_TYPES) != 0);
  return errors;
}
}  // namespace

TEST_SUITE_BEGIN("sdk/flattening");

TEST_CASE("a failure names its type and all its bases, most derived first") {
  CHECK(flattened([] { throw net::Both{}; }).chain ==
        "net::Both < net::Timeout < net::Refused < std::exception");
  CHECK(flattened([] { throw net::Hidden{"x"}; }).chain ==
        "net::(anonymous namespace)::Hidden < actord::Error < std::runtime_error < std::exception");
  // No catch (std::exception&) takes this one; the chain contains std::exception all the same.
  const fake::Errors ambiguous = flattened([] { throw net::Ambiguous{}; });
  CHECK(ambiguous.chain == "net::Ambiguous < net::Left < net::Right < std::exception");
  CHECK_FALSE(ambiguous.is_foreign());
  CHECK(flattened([] { throw net::Silent{}; }).what.empty());
}

TEST_CASE("an exception that is no std::exception is foreign, and has its text if it is one") {
  CHECK(flattened([] { throw 42; }).chain == "int < actord::ForeignException");
  CHECK(flattened([] { throw 42; }).what == "int");
  CHECK(flattened([] { throw "text"; }).chain == "char const* < actord::ForeignException");
  CHECK(flattened([] { throw "text"; }).what == "text");
  const fake::Errors string = flattened([] { throw std::string{"words"}; });
  CHECK(string.is_foreign());
  CHECK(string.what == "words");
}

TEST_CASE("the types of a failure stay where they are") {
  const fake::Errors first = flattened([] { throw net::Left{}; });
  const fake::Errors second = flattened([] { throw net::Left{}; });
  CHECK(first.types == second.types);
}

TEST_CASE("causes are reported, wrappers are not") {
  const fake::Errors errors = flattened([] {
    try {
      try {
        throw "innermost";
      } catch (...) {
        std::throw_with_nested(std::out_of_range("middle"));
      }
    } catch (...) {
      std::throw_with_nested(actord::Error("outer", {{"depth", 3}}));
    }
  });
  CHECK(errors.chain ==
        "actord::Error < std::runtime_error < std::exception | std::out_of_range < "
        "std::logic_error < "
        "std::exception | char const* < actord::ForeignException");
  CHECK(errors.what == "outer");
  CHECK(errors.details == " depth=3");
  CHECK(errors.innermost == "innermost");
}

TEST_CASE("an endless nesting is cut") {
  const fake::Errors errors = flattened([] {
    std::exception_ptr inner;
    for (int i = 0; i < 20; ++i) {
      try {
        if (inner) std::rethrow_exception(inner);
        throw std::runtime_error("first");
      } catch (...) {
        try {
          std::throw_with_nested(std::runtime_error(std::to_string(i)));
        } catch (...) {
          inner = std::current_exception();
        }
      }
    }
    std::rethrow_exception(inner);
  });
  CHECK(errors.what == "19");
  CHECK(errors.innermost == "11");
}

TEST_CASE("a system error reports its number and category") {
  const auto io = std::make_error_code(std::errc::io_error);
  CHECK(flattened([&] { throw std::system_error(io); }).details == " errno=5 category=generic");
  CHECK(flattened([&] { throw std::filesystem::filesystem_error("x", io); }).details ==
        " errno=5 category=generic");
  CHECK(flattened([] { throw std::system_error(2, std::system_category()); }).details ==
        " errno=2 category=system");
  CHECK(flattened([] {
          throw std::ios_base::failure("x");
        }).details.empty());  // of category iostream
}

TEST_CASE("details keep their kind and their own copies of texts") {
  const fake::Errors errors = flattened([] {
    std::string url = "http://a.example/";
    net::Hidden error("no answer", {{"url", url},
                                    {"attempt", 3},
                                    {"size_bytes", std::size_t{9}},
                                    {"is_last", true},
                                    {"peer", actord::Ref{7}},
                                    {"waited", std::chrono::milliseconds{2}}});
    url.assign(url.size(), '?');
    throw error;
  });
  CHECK(errors.details ==
        " url=http://a.example/ attempt=3 size_bytes=9u is_last=true peer=#7 waited=2000000ns");
}

TEST_CASE("a message travels with an ErrorWith") {
  actord::detail::type_id<net::Packet> = 1000;
  static net::Packet received;
  fake::Errors errors;
  errors.on_payload = [](void* payload) {
    received = std::move(*static_cast<net::Packet*>(payload));
  };
  const actord_status status = actord::detail::guarded(&errors, [] {
    throw net::PacketLost("gone", net::Packet{4, "a body that is longer than fifteen"},
                          {{"hop", 2}});
  });
  CHECK(status == ACTORD_FAILED);
  CHECK(errors.payload_type == 1000);
  CHECK(received == net::Packet{4, "a body that is longer than fifteen"});
  CHECK(errors.details == " hop=2");
  CHECK(errors.chain ==
        "net::PacketLost < actord::ErrorWith<net::Packet> < actord::Error < std::runtime_error < "
        "std::exception");
}

TEST_CASE("a message that is not listed is left behind") {
  actord::detail::type_id<net::Packet> = 0;
  CHECK(flattened([] { throw net::PacketLost("gone", net::Packet{}); }).payload_type == 0);
}

TEST_CASE("built-in causes print as the system names them") {
  CHECK(flattened([] { throw actord::PostRestartFailure("x"); }).chain ==
        "actord::PostRestartFailure < actord::InitializationFailure < actord::Failure < "
        "actord::Error < "
        "std::runtime_error < std::exception");
  CHECK(actord::detail::type_name<actord::Failure>() == "actord::Failure");
  CHECK(actord::detail::type_name<actord::Killed>() == "actord::Killed");
  CHECK(actord::detail::type_name<actord::ForeignException>() == "actord::ForeignException");
}

TEST_CASE("a failure is read through its view") {
  actord::detail::type_id<net::Packet> = 1001;
  struct Look : actord_errors {
    Look()
        : actord_errors{[](actord_errors*, const actord_failure* f) {
            const actord::Failure failure{*f};
            CHECK(failure.is<net::PacketLost>());
            CHECK(failure.is<std::exception>());
            CHECK(failure.is("std::runtime_error"));
            CHECK_FALSE(failure.is<net::Timeout>());
            CHECK(failure.type() == "net::PacketLost");
            CHECK(failure.what() == "gone");
            CHECK(failure.detail("url") == "u");
            CHECK(failure.detail("attempt").empty());
            CHECK(failure.detail_as<int>("attempt") == 3);
            CHECK(failure.detail_as<unsigned char>("attempt") == 3);
            CHECK_FALSE(failure.detail_as<bool>("attempt"));
            CHECK(failure.detail_as<double>("share") == 0.5);
            CHECK(failure.detail_as<std::chrono::nanoseconds>("took") ==
                  std::chrono::nanoseconds{1000});
            CHECK_FALSE(failure.detail_as<int>("nothing"));
            CHECK(failure.payload_as<net::Packet>()->number == 8);
            CHECK(failure.payload_as<actord::Kill>() == nullptr);
            CHECK_FALSE(failure.is_foreign());
            CHECK_FALSE(failure.cause());
            CHECK(failure.root_cause().what() == "gone");
          }} {}
  } look;
  CHECK(
      actord::detail::guarded(&look, [] {
        throw net::PacketLost(
            "gone", net::Packet{8, {}},
            {{"url", "u"}, {"attempt", 3}, {"share", 0.5}, {"took", std::chrono::microseconds{1}}});
      }) == ACTORD_FAILED);
}

TEST_CASE("an exception of another language goes on to the host") {
  fake::Errors errors;
  bool has_passed = false;
  try {
    actord::detail::guarded(&errors, [] {
      static _Unwind_Exception foreign{};
      foreign.exception_class = 0x4d4f5a0052555354;  // "MOZ\0RUST"
      foreign.exception_cleanup = [](_Unwind_Reason_Code, _Unwind_Exception*) {};
      _Unwind_RaiseException(&foreign);
    });
  } catch (...) {
    has_passed = true;
  }
  CHECK(has_passed);
  CHECK(errors.reports == 0);
}

TEST_CASE("a forced unwind goes through") {
  static bool has_returned = false;
  static int reports = 0;
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        struct Count : actord_errors {
          Count() : actord_errors{[](actord_errors*, const actord_failure*) { ++reports; }} {}
        } count;
        actord::detail::guarded(&count, [] { pthread_exit(&reports); });
        has_returned = true;
        return nullptr;
      },
      nullptr);
  void* result = nullptr;
  pthread_join(thread, &result);
  CHECK(result == &reports);
  CHECK_FALSE(has_returned);
  CHECK(reports == 0);
}

TEST_SUITE_END();
