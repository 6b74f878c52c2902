// SPDX-License-Identifier: Apache-2.0
#include "os/call_stack.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <gnu/libc-version.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include "os/elf_symbols.hpp"
#include "os/loaded_copies.hpp"
#include "os/process.hpp"

namespace actord::os {

namespace {

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()) : symbol;
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

std::string hexadecimal(std::uintptr_t number) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  do text.insert(text.begin(), digits[number & 15]);
  while ((number >>= 4) != 0);
  return "0x" + text;
}

// The library or the executable that has the code at an address; null: neither. dladdr() would do,
// but it waits for a lock that a thread holds while it runs the static initialisers of a library.
const link_map* library_of(const void* address) {
  dl_find_object found = {};
  return ::_dl_find_object(const_cast<void*>(address), &found) == 0 ? found.dlfo_link_map : nullptr;
}

// The name of the library for people; empty: it is the executable, for which the dynamic linker has
// no name. Async-signal-safe.
const char* name_of(const link_map& library) noexcept {
  const char* const original = original_of(library.l_name);
  return original != nullptr ? original : library.l_name;
}

std::string file_of(const link_map& library) {
  std::error_code unknown;
  const std::string name = name_of(library);
  return !name.empty() ? name : std::filesystem::read_symlink(own_executable, unknown).string();
}

std::string described(std::string_view path, std::uintptr_t offset, const std::string& symbol) {
  const std::string file{file_name(path)};
  return symbol.empty() ? file + '+' + hexadecimal(offset) : demangled(symbol) + " (" + file + ')';
}

std::string described(const void* address) {
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  const link_map* const library = library_of(address);
  if (library == nullptr) return hexadecimal(number);
  const std::uintptr_t offset = number - library->l_addr;  // as addr2line expects it
  return described(file_of(*library), offset, elf_symbol(address, offset));
}

// A return address is that of the next instruction, which may belong to the next function.
const void* call_before(const void* return_address) {
  return static_cast<const char*>(return_address) - 1;
}

}  // namespace

void CallStack::prepare() {
  void* frame = nullptr;
  ::backtrace(&frame, 1);  // loads libgcc
}

void CallStack::capture(const void* program_counter) noexcept {
  const int taken = ::backtrace(frames_.data(), static_cast<int>(frames_.size()));
  end_ = static_cast<std::size_t>(std::max(taken, 0));
  const auto end = frames_.begin() + static_cast<std::ptrdiff_t>(end_);
  const auto interrupted = std::find(frames_.begin(), end, program_counter);
  begin_ = interrupted == end ? 0 : static_cast<std::size_t>(interrupted - frames_.begin());
  end_ = std::min(end_, begin_ + frames_max);
}

CallStack CallStack::at(const void* program_counter) noexcept {
  CallStack stack;
  stack.frames_[0] = const_cast<void*>(program_counter);
  stack.end_ = 1;
  return stack;
}

CallStack CallStack::of(std::span<void* const> return_addresses) noexcept {
  CallStack stack;
  stack.end_ = std::min(return_addresses.size(), frames_max);
  std::copy_n(return_addresses.begin(), stack.end_, stack.frames_.begin());
  stack.is_first_interrupted_ = false;
  return stack;
}

std::vector<std::string> CallStack::described() const {
  std::vector<std::string> texts;
  for (std::size_t i = begin_; i < end_; ++i) texts.push_back(os::described(code_of(i)));
  return texts;
}

const void* CallStack::code_of(std::size_t frame) const noexcept {
  const bool is_interrupted = frame == begin_ && is_first_interrupted_;
  return is_interrupted ? frames_[frame] : call_before(frames_[frame]);
}

std::optional<CallStack::Place> CallStack::place(std::size_t number) const noexcept {
  if (number >= size()) return std::nullopt;
  const void* const code = code_of(begin_ + number);
  const link_map* const library = library_of(code);
  if (library == nullptr) return std::nullopt;
  return Place{name_of(*library), reinterpret_cast<std::uintptr_t>(code) - library->l_addr,
               build_id_at(code)};
}

std::string CallStack::described(const std::string& file, std::uintptr_t offset,
                                 std::string_view build_id, const std::string& copy) {
  return os::described(file, offset, elf_symbol_in(copy.empty() ? file : copy, offset, build_id));
}

// From the outside: the executable has called exit(), which is in the C library and calls the
// destructors.
std::string CallStack::file_called_by_exit() const {
  const auto* const in_c_library = reinterpret_cast<const void*>(&::gnu_get_libc_version);
  const link_map* const c_library = library_of(in_c_library);
  const auto is_executable = [](const link_map* library) { return library->l_name[0] == '\0'; };
  bool is_in_executable = false, is_in_exit = false;
  for (std::size_t i = end_; i-- > begin_;) {
    const link_map* const library = library_of(call_before(frames_[i]));
    if (library == nullptr) continue;
    if (is_executable(library)) is_in_executable = true, is_in_exit = false;
    else if (library == c_library) is_in_exit = is_in_executable;
    else if (is_in_exit) return file_of(*library);
  }
  return {};
}

}  // namespace actord::os
