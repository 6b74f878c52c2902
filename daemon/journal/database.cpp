// SPDX-License-Identifier: Apache-2.0
#include "journal/database.hpp"

#include <cerrno>
#include <utility>

#include "os/system_error.hpp"

namespace actord::journal {

namespace {

using persist::Fault;

Fault fault_of(int code, int number) {
  switch (code & 0xff) {
    case SQLITE_FULL: return Fault::full;
    case SQLITE_READONLY: return Fault::read_only;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return Fault::damaged;
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR: break;
    default: return Fault::io;
  }
  // A failed fsync has lost what it was to write, whatever the reason.
  if (code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_DIR_FSYNC) return Fault::io;
  if (number == ENOSPC || number == EDQUOT) return Fault::full;
  return number == EROFS ? Fault::read_only : Fault::io;
}

const char* remedy_of(Fault fault, int code) {
  if ((code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED)
    return "; another process has it open: end that one, or give this daemon another path "
           "(actord.persistence.journal.path)";
  switch (fault) {
    case Fault::full: return "; make room on this file system, and the journal goes on by itself";
    case Fault::read_only: return "; make the file system and the file writable, and it goes on";
    case Fault::damaged: return "; restore the folder from a backup";
    case Fault::io: return "; look into the kernel's log (dmesg) for errors of the disk";
    case Fault::gap: break;
  }
  return "";
}

}  // namespace

Database::Database(const std::string& path, const std::string& vfs)
    : path_(path), handle_(nullptr, &sqlite3_close) {
  sqlite3* handle = nullptr;
  const int opened = sqlite3_open_v2(
      path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
      vfs.empty() ? nullptr : vfs.c_str());
  handle_.reset(handle);  // on failure the handle has the text of the error
  if (opened != SQLITE_OK) fail(opened, "open");
  sqlite3_extended_result_codes(handle, 1);
  // A connection that has failed must not write at its end: the next one first looks whether what
  // is there is whole (session.cpp).
  sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
}

Database::~Database() = default;

void Database::execute(const char* sql) {
  const int result = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) fail(result, "write");
}

std::string Database::ask(const char* sql) {
  Statement statement(*this, sql);
  Query query(statement);
  return query.next() ? std::string{query.bytes(0)} : std::string{};
}

std::int64_t Database::ask_number(const char* sql) {
  Statement statement(*this, sql);
  Query query(statement);
  return query.next() ? query.number(0) : 0;
}

void Database::fail(int code, const char* doing) const {
  const int extended =
      sqlite3_extended_errcode(handle()) & 0xff ? sqlite3_extended_errcode(handle()) : code;
  const int number = sqlite3_system_errno(handle());
  const Fault fault = fault_of(extended, number);
  std::string what =
      std::string{"cannot "} + doing + " the journal " + path_ + ": " + sqlite3_errmsg(handle());
  if ((code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN)
    if (number != 0) what = os::system_error(std::move(what), number).what;
  throw Failure{{fault, what + remedy_of(fault, code)}, false};
}

Statement::Statement(Database& database, const char* sql)
    : database_(database), handle_(nullptr, &sqlite3_finalize) {
  sqlite3_stmt* handle = nullptr;
  const int prepared =
      sqlite3_prepare_v3(database.handle(), sql, -1, SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  handle_.reset(handle);
  if (prepared != SQLITE_OK) database.fail(prepared, "read");
}

bool Query::next() {
  const int step = sqlite3_step(statement_.handle());
  if (step == SQLITE_ROW) return true;
  if (step == SQLITE_DONE) return false;
  statement_.database().fail(step,
                             sqlite3_stmt_readonly(statement_.handle()) != 0 ? "read" : "write");
}

std::string_view Query::bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_.handle(), column);
  return {static_cast<const char*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.handle(), column))};
}

void Query::bind(int at, std::string_view text) {
  const char* data = text.data() == nullptr ? "" : text.data();  // null would be NULL
  sqlite3_bind_text64(statement_.handle(), at, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void Query::bind(int at, Blob blob) {
  const char* data = blob.bytes.data() == nullptr ? "" : blob.bytes.data();
  sqlite3_bind_blob64(statement_.handle(), at, data, blob.bytes.size(), SQLITE_STATIC);
}

}  // namespace actord::journal
