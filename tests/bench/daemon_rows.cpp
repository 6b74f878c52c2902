// SPDX-License-Identifier: Apache-2.0
//
// The daemon itself: how long it takes to start, and what it costs while it is idle.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "daemon_process.hpp"
#include "rows.hpp"

namespace actord::bench {

namespace {

constexpr const char* echo_config = "actord.user.echo.behaviour = \"echo/Echo\"\n";

// The number after "KEY:" in a file of /proc.
std::int64_t number_in(const std::filesystem::path& file, const std::string& key) {
  std::ifstream in(file);
  for (std::string word; in >> word;) {
    std::int64_t n = 0;
    if (word == key + ":" && in >> n) return n;
  }
  return 0;  // the thread has just ended
}

// How often the threads of the process have gone to sleep so far: each sleep ends with a wake-up.
std::int64_t sleeps_of(pid_t pid) {
  std::int64_t sum = 0;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task"))
    sum += number_in(task.path() / "status", "voluntary_ctxt_switches");
  return sum;
}

int free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  check(bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
            getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0,
        "no port is free");
  close(fd);
  return ntohs(address.sin_port);
}

// The web site of the example: Debian's, or one of a single page if that is not installed.
std::string site_root(const Folder& folder) {
  const char* const configured = std::getenv("ACTORD_SITE_ROOT");
  const std::string root = configured != nullptr ? configured : "/usr/share/doc/sqlite3";
  if (std::filesystem::exists(root + "/index.html")) return root;
  folder.write("index.html", "<html><title>empty</title></html>\n");
  return folder.path();
}

// A configuration with groups of a hundred actors, since a single object of 100 000 members would
// not be realistic.
std::string config_of(int actors) {
  std::string text = "actord.user {\n";
  for (int i = 0; i < actors; ++i) {
    if (i % 100 == 0) {
      text += "  group-" + std::to_string(i / 100) +
              " {\n    behaviour = \"echo/Echo\"\n    children {\n";
    }
    text += "      echo-" + std::to_string(i) + ".behaviour = \"echo/Echo\"\n";
    if (i % 100 == 99 || i + 1 == actors) text += "    }\n  }\n";
  }
  return text + "}\n";
}

}  // namespace

Figures run_idle_daemon(const Plan& plan) {
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const Folder folder;
    const DaemonProcess daemon(folder, folder.write("actord.conf", echo_config));
    sleep_ms(is_warm_up ? 1 : 1'000);
    const std::int64_t before = sleeps_of(daemon.pid());
    const Stopwatch watch;
    sleep_ms(is_warm_up ? 100 : 3'000);
    const std::int64_t wakeups = sleeps_of(daemon.pid()) - before;
    const auto status = std::filesystem::path("/proc") / std::to_string(daemon.pid()) / "status";
    return {{"idle_wakeups", static_cast<double>(wakeups) / watch.seconds(), "1/s"},
            {"idle_rss_mb", static_cast<double>(number_in(status, "VmRSS")) / 1024.0, "MB"}};
  });
}

Figures run_boot(const Plan& plan) {
  return warmed_up(plan, [&](bool) -> Figures {
    const Folder folder;
    const DaemonProcess daemon(folder, ACTORD_EXAMPLES "/crawler.conf",
                               {"actord.user.site.config.root=\"" + site_root(folder) + "\"",
                                "actord.user.site.config.port=" + std::to_string(free_port())});
    return {{"boot_ms", daemon.seconds_to_ready() * 1e3, "ms"}};
  });
}

Figures run_boot100k(const Plan& plan) {
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const Folder folder;
    const std::string config = folder.write("actord.conf", config_of(is_warm_up ? 1'000 : 100'000));
    const DaemonProcess daemon(folder, config);
    return {{"boot100k_s", daemon.seconds_to_ready(), "s"}};
  });
}

}  // namespace actord::bench
