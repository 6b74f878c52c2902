// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ostream>

#include "base/counted.hpp"
#include "ctl/journal_query.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/progress_line.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"
#include "os/descriptor.hpp"
#include "os/system_error.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr std::size_t buffer_max = std::size_t{64} << 10;

/// Where the lines go: standard output, or a file that has its name once it is whole.
class ExportTarget {
 public:
  ExportTarget(std::ostream& out, std::string file) : out_(out), file_(std::move(file)) {
    if (file_.empty()) return;
    descriptor_ = os::Descriptor(
        ::open(partial().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (descriptor_.get() < 0) fail("create");
  }
  ~ExportTarget() {
    if (!is_whole_ && descriptor_.get() >= 0) ::unlink(partial().c_str());
  }
  ExportTarget(const ExportTarget&) = delete;
  ExportTarget& operator=(const ExportTarget&) = delete;

  /// Why it cannot be written; empty: it can.
  const std::string& fault() const noexcept { return fault_; }
  bool add(std::string line) {
    line += '\n';
    if (file_.empty()) return static_cast<bool>(out_ << line);
    buffer_ += line;
    return buffer_.size() < buffer_max || flush();
  }
  /// The file is whole.
  bool finish() {
    if (file_.empty()) return true;
    if (!flush()) return false;
    if (::fsync(descriptor_.get()) != 0) return fail("write");
    if (::rename(partial().c_str(), file_.c_str()) != 0) return fail("rename");
    return is_whole_ = true;
  }

 private:
  std::string partial() const { return file_ + ".partial"; }
  bool fail(const char* doing) {
    fault_ = os::system_error(std::string{"cannot "} + doing + ' ' + partial(), errno).what;
    return false;
  }
  bool flush() {
    for (std::string_view rest = buffer_; !rest.empty();) {
      const ssize_t written = ::write(descriptor_.get(), rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return fail("write");
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
    buffer_.clear();
    return true;
  }

  std::ostream& out_;
  const std::string file_;
  os::Descriptor descriptor_;
  std::string buffer_, fault_;
  bool is_whole_ = false;
};

/// Writes what there is of one id after the other.
class Export {
 public:
  Export(const Call& call, ExportTarget& target) : call_(call), target_(target) {}

  /// False: the target cannot be written, or a failure was reported.
  bool add(const std::string& id, Exit& exit) {
    ++ids_;
    const auto on_id = [&](const Json& about) {
      if (about.contains("why")) {
        ++damaged_;
        call_.err << text_at(about, "why") << '\n';
      }
      if (about.contains("newest")) put(id, "snapshot", about.at("newest"));
    };
    const auto on_event = [&](const Json& event) {
      if (!event.contains("type")) {
        ++damaged_;
        call_.err << text_at(event, "why") << '\n';
      }
      ++events_;
      return put(id, "event", event);
    };
    return for_each_event(call_, id, 0, on_id, on_event, exit) && exit == Exit::ok &&
           target_.fault().empty();
  }

  std::size_t ids() const noexcept { return ids_; }
  std::string in_words() const {
    return base::counted(events_, "event") + " of " + base::counted(ids_, "id");
  }
  std::size_t damaged() const noexcept { return damaged_; }
  std::size_t without_content() const noexcept { return without_content_; }

 private:
  bool put(const std::string& id, const char* kind, const Json& entry) {
    Json line = {{"id", id}, {"kind", kind}};
    line.update(entry);
    without_content_ += entry.contains("type") && entry.contains("why");
    if (events_ % 100 == 0) progress_.show("exported " + in_words());
    return target_.add(json_text(line));
  }

  const Call& call_;
  ExportTarget& target_;
  ProgressLine progress_;
  std::size_t ids_ = 0, events_ = 0, damaged_ = 0, without_content_ = 0;
};

Exit export_journal(const Call& call) {
  const std::string output = call.value("output", "-");
  ExportTarget target(call.out, output == "-" ? std::string{} : output);
  const auto unwritable = [&] {
    return report_failure(call, {Exit::operating_system, target.fault()});
  };
  if (!target.fault().empty()) return unwritable();
  Exit exit = Exit::ok;
  Export all(call, target);
  if (!call.operands.empty()) {
    if (!all.add(call.operands.front(), exit) && exit != Exit::ok) return exit;
  } else {
    const auto add = [&](const Json& id) { return all.add(text_at(id, "id"), exit); };
    if (!for_each_id(call, {}, add, exit) || exit != Exit::ok) return exit;
  }
  if (!target.fault().empty() || !target.finish()) return unwritable();
  if (output != "-") call.err << all.in_words() << " are in " << output << '\n';
  if (const std::size_t count = all.without_content(); count != 0)
    call.err << "the content of " << count
             << " is left out: no loaded plugin has the type, or it does not fit\n";
  if (all.damaged() == 0) return exit;
  call.err << all.damaged()
           << " could not be read and are left out: actorctl journal verify tells more\n";
  return Exit::differs;
}

}  // namespace

Verb journal_export_verb() {
  Verb verb{
      .group = "journal",
      .name = "export",
      .summary = "write what is stored as lines of JSON",
      .description =
          "Writes the newest snapshot and all events of an id, or of all ids, each as one line of\n"
          "JSON: id, kind, sequence, ts, type, bytes, and message, the content. Members that the\n"
          "type calls secret are masked. Where no loaded plugin has the type, or an event is\n"
          "damaged, there is why instead of message; the exit status is 1 if one is damaged.\n"
          "What is written while the export goes on may be in it or not. A file has the name\n"
          "FILE.partial until it is whole.\n"
          "\n"
          "  actorctl journal export -o journal.jsonl\n"
          "  actorctl journal export bank/account-1 | jq .message",
      .operands = {{.name = "ID", .takes = Takes::stored, .is_needed = false}},
      .options = {},
      .run = &export_journal};
  verb = with_daemon_options(std::move(verb));
  for (Option& option : verb.options)
    if (option.name == "output")
      option = {.name = "output",
                .letter = 'o',
                .takes = Takes::file,
                .argument = "FILE",
                .help = "write to FILE; default: -, standard output"};
  return verb;
}

}  // namespace actord::ctl
