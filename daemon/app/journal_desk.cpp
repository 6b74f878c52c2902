// SPDX-License-Identifier: Apache-2.0
#include "app/journal_desk.hpp"

#include <algorithm>

#include "app/message_json.hpp"
#include "app/reply_size.hpp"
#include "base/suggestion.hpp"
#include "journal/journal_folder.hpp"
#include "message/message_pack.hpp"
#include "message/pack_check.hpp"
#include "message/report.hpp"
#include "os/files.hpp"
#include "sinks/wall_time.hpp"
#include "wire/frame.hpp"

namespace actord::app {

using Outcome = ActorQuestions::Outcome;
using persist::Fault;
using wire::Json;

namespace {

constexpr std::size_t journal_reply_bytes = wire::text_size_max / 2;

Outcome failed(const persist::StoreError& error) {
  using config::ExitCode;
  ExitCode code = ExitCode::operating_system;
  if (error.fault == Fault::damaged) code = ExitCode::plugin_refused;  // EX_DATAERR
  if (error.fault == Fault::full) code = ExitCode::boot_failed;        // it may work later
  return {static_cast<int>(code), error.what};
}

Outcome unknown(const std::string& id, const std::string& nearest) {
  std::string help = "actorctl journal list has the ids";
  if (!nearest.empty()) help = base::did_you_mean(nearest) + ' ' + help;
  return ActorQuestions::refused("the journal has nothing of \"" + id + '"', help);
}

Json json_of_check(const JournalWork::Checked& checked) {
  return {{"events", checked.events},
          {"snapshots", checked.snapshots},
          {"progress", checked.progress},
          {"damage_count", checked.damage_count}};
}

Json json_of_compacting(const JournalWork::Compacted& done) {
  const auto sizes = [](const persist::StoreStatus& of) {
    return Json{{"bytes", of.bytes}, {"log_bytes", of.log_bytes}};
  };
  return {
      {"before", sizes(done.before)}, {"now", sizes(done.now)}, {"pages_left", done.pages_left}};
}

}  // namespace

std::string_view state_of(const system::JournalReport& report) {
  if (report.fault && report.fault->fault == Fault::full) return "full";
  if (report.fault) return "failed";
  return report.is_open ? "ok" : "unused";
}

bool JournalDesk::is_there(const Done& done) const {
  if (folder_.empty()) {
    done(ActorQuestions::refused(
        "there is no place for a journal",
        "set actord.state-dir or actord.persistence.journal.path, and restart actord"));
    return false;
  }
  const std::string database = journal::JournalFolder{folder_}.database();
  if (actors_.event_journal()->report().is_open || os::exists(database)) return true;
  done(ActorQuestions::refused("no persistent actor has used a journal yet: there is no " +
                               database));
  return false;
}

// ---- what is stored -----------------------------------------------------------------------------

Json JournalDesk::json_of(const JournalWork::Listed& of) const {
  const persist::IdFacts& facts = of.facts;
  Json json = {{"id", facts.id},
               {"first", facts.first_sequence},
               {"last", facts.last_sequence},
               {"bytes", facts.bytes},
               {"snapshots", facts.snapshots}};
  if (facts.snapshots != 0) json["snapshot"] = facts.covered;
  if (facts.written_ns != 0) json["ts"] = sinks::utc_text(facts.written_ns);
  if (of.writer != actor::nobody) json["actor"] = actors_.path(of.writer);
  return json;
}

void JournalDesk::list(const std::string& after, const std::string& prefix, std::size_t most,
                       const Done& done) {
  if (!is_there(done)) return;
  work_.list(after, prefix, std::min(most, ids_max),
             [this, done](const JournalWork::Error& error, const JournalWork::Page& page) {
               if (error) return done(failed(*error));
               Json ids = Json::array();
               std::size_t bytes = 0;
               bool has_more = page.has_more;
               for (const JournalWork::Listed& each : page.ids) {
                 if (has_more = has_more || bytes > journal_reply_bytes;
                     bytes > journal_reply_bytes)
                   break;
                 Json json = json_of(each);
                 bytes += size_of(json);
                 ids.push_back(std::move(json));
               }
               Json result = {{"ids", std::move(ids)}};
               if (has_more && !page.ids.empty()) result["next"] = result["ids"].back()["id"];
               done({0, {}, std::move(result)});
             });
}

void JournalDesk::add_content(const persist::StoredEntry& entry, Json& json) const {
  const message::TypeId id = actors_.types.find(entry.type);
  if (id == 0) {
    json["why"] = "no plugin that is loaded has this type";
    return;
  }
  if (!message::is_whole_pack(entry.content)) {
    json["why"] = "the content is no MessagePack";
    return;
  }
  const message::MessageType& type = actors_.types.at(id);
  message::OwnedMessage content(id, type);
  const message::PackReader reader(entry.content);
  message::FirstText wrong;
  if (content.read(reader.root(), wrong) != ACTORD_OK) {
    json["why"] = "the type cannot read it: " + wrong.text;
    return;
  }
  auto members =
      app::json_of(type, content.content(), [this](actord_ref ref) { return actors_.path(ref); });
  if (!members) json["why"] = members.error().what;
  else if (size_of(*members) > journal_reply_bytes) json["why"] = "it does not fit into an answer";
  else json["message"] = *std::move(members);
}

Json JournalDesk::json_of(const persist::StoredEntry& entry) const {
  Json json = {{"sequence", entry.sequence},
               {"ts", sinks::utc_text(entry.written_ns)},
               {"type", entry.type},
               {"bytes", entry.content.size()}};
  add_content(entry, json);
  return json;
}

Json JournalDesk::json_of(const JournalWork::History& history) const {
  Json result = json_of(*history.of);
  if (!history.no_beginning.empty()) result["why"] = history.no_beginning;
  if (!history.beginning.passed_over.empty()) result["passed_over"] = history.beginning.passed_over;
  std::size_t bytes = 0;
  if (history.beginning.snapshot) {
    result["newest"] = json_of(*history.beginning.snapshot);
    bytes = size_of(result["newest"]);
  }
  Json& events = result["events"] = Json::array();
  std::uint64_t next = history.next;
  auto unreadable = history.unreadable.begin();
  const auto add_unreadable = [&](std::uint64_t before) {
    for (; unreadable != history.unreadable.end() && unreadable->sequence < before; ++unreadable)
      events.push_back({{"sequence", unreadable->sequence}, {"why", unreadable->why}});
  };
  for (const persist::StoredEntry& each : history.events) {
    add_unreadable(each.sequence);
    Json json = json_of(each);
    bytes += size_of(json);
    if (bytes > journal_reply_bytes && !events.empty()) {
      result["next"] = each.sequence;
      return result;
    }
    events.push_back(std::move(json));
  }
  add_unreadable(UINT64_MAX);
  if (next != 0) result["next"] = next;
  return result;
}

void JournalDesk::show(const std::string& id, std::uint64_t from, std::size_t most,
                       const Done& done) {
  if (!is_there(done)) return;
  work_.read(id, from, std::min(most, events_max),
             [this, id, done](const JournalWork::Error& error, const JournalWork::History& found) {
               if (error) return done(failed(*error));
               if (!found.of) return done(unknown(id, found.nearest));
               done({0, {}, json_of(found)});
             });
}

// ---- its care -----------------------------------------------------------------------------------

void JournalDesk::verify(IsWanted is_wanted, OnProgress on_progress, const Done& done) {
  if (!is_there(done)) return;
  work_.verify(
      std::move(is_wanted),
      [on_progress = std::move(on_progress)](const JournalWork::Checked& now) {
        on_progress(json_of_check(now));
      },
      [done](const JournalWork::Error& error, const JournalWork::Checked& checked) {
        if (error) return done(failed(*error));
        Json result = json_of_check(checked);
        result["is_complete"] = checked.is_complete;
        result["damages"] = checked.damages;
        cut_list(result, "damages");
        done({0, {}, std::move(result)});
      });
}

void JournalDesk::compact(IsWanted is_wanted, OnProgress on_progress, const Done& done) {
  if (!is_there(done)) return;
  work_.compact(
      std::move(is_wanted),
      [on_progress = std::move(on_progress)](const JournalWork::Compacted& now) {
        on_progress(json_of_compacting(now));
      },
      [done](const JournalWork::Error& error, const JournalWork::Compacted& compacted) {
        if (error) return done(failed(*error));
        done({0, {}, json_of_compacting(compacted)});
      });
}

void JournalDesk::drop(const std::string& id, const Done& done) {
  if (!is_there(done)) return;
  work_.drop(id, [this, id, done](const JournalWork::Error& error,
                                  const JournalWork::Dropped& dropped) {
    if (error) return done(failed(*error));
    if (dropped.writer != actor::nobody) {
      const std::string path = actors_.path(dropped.writer);
      return done(ActorQuestions::refused(
          "\"" + id + "\" is that of the running actor " + path +
              (dropped.was_there ? ", which was started while its events were being deleted" : ""),
          "stop it, and what creates it again, first: actorctl stop " + path));
    }
    if (!dropped.was_there) return done(unknown(id, dropped.nearest));
    done({0, {}, {{"id", id}, {"outcome", "dropped"}}});
  });
}

void JournalDesk::tell_status(const Done& done) const {
  const system::JournalReport report = actors_.event_journal()->report();
  Json json = {{"state", state_of(report)}, {"folder", folder_}};
  if (report.fault) {
    json["fault"] = persist::name_of(report.fault->fault);
    json["why"] = report.fault->what;
  }
  json["bytes"] = report.store.bytes;
  json["log_bytes"] = report.store.log_bytes;
  json["reserve_bytes"] = report.store.reserve_bytes;
  json["rows"] = static_cast<std::uint64_t>(std::max<std::int64_t>(report.store.last_row, 0));
  json["events"] = report.events;
  json["snapshots"] = report.snapshots;
  json["groups"] = report.groups;
  json["largest_group"] = report.largest_group;
  json["failed_groups"] = report.failed_groups;
  json["writing_us"] = static_cast<std::uint64_t>(report.writing_ns / 1000);
  json["replayed"] = report.replayed;
  json["writers"] = report.writers;
  json["recovering"] = report.recovering;
  json["to_recover"] = report.to_recover;
  done({0, {}, std::move(json)});
}

}  // namespace actord::app
