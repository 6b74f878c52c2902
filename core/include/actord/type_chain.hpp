// SPDX-License-Identifier: Apache-2.0
//
// The printed names of a type and all its bases: what deciders match causes by, so that
// `"std::runtime_error" = restart` in a config file holds for a type the daemon has never seen.
//
// Read from the type descriptors of the Itanium C++ ABI, which g++ and clang share.
#pragma once

#include <cxxabi.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include <actord/words.hpp>

namespace actord::detail {

[[gnu::cold]] inline void replace_all(std::string& text, std::string_view from,
                                      std::string_view to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// As a config author writes it: without what the libraries hide in names.
[[gnu::cold]] inline std::string printed_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text{
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), std::free};
  std::string name = status == 0 ? text.get() : type.name();
  for (const std::string_view noise : {"__1::", "__cxx11::", "[abi:cxx11]"})
    replace_all(name, noise, "");
  replace_all(name, "actord::detail::FailureRoot", "actord::Failure");
  return name;
}

/// Never destroyed, like all that the host may keep.
template <class T>
std::string_view type_name() {
  static const std::string& name = *new std::string{printed_name(typeid(T))};
  return name;
}

/// A type and its bases, nearest first. Immutable and never destroyed: made at the first failure of
/// the type, because demangling four names costs more than the throw.
struct TypeChain {
  const std::type_info* type = nullptr;
  const TypeChain* next = nullptr;
  std::vector<std::string> names;
  std::vector<actord_str> views;
  bool is_foreign = false;
  bool is_error = false;  // this and the next two save a dynamic_cast each
  bool is_system_error = false;
  bool is_nested = false;

  /// Nothing but names and a text.
  bool is_plain() const noexcept { return !is_error && !is_system_error && !is_nested; }
};

// The two class descriptors that have bases (Itanium C++ ABI 2.9.5), as bytes: libc++ does not
// declare them, and a cast to a look-alike class is what UBSan's vptr check is there to find.
struct SingleBaseBytes {
  const void *vtable, *name;
  const std::type_info* base;
};
struct ManyBasesBytes {
  const void *vtable, *name;
  unsigned flags, count;
};
struct BaseBytes {
  const std::type_info* type;
  long offset_flags;
};

template <class Bytes>
Bytes bytes_at(const void* address) {
  Bytes bytes;
  std::memcpy(&bytes, address, sizeof bytes);
  return bytes;
}

inline std::vector<const std::type_info*> bases_of(const std::type_info& type) {
  const std::string_view descriptor = typeid(type).name();
  const void* const address = &type;
  if (descriptor == "N10__cxxabiv120__si_class_type_infoE") {
    return {bytes_at<SingleBaseBytes>(address).base};
  }
  if (descriptor != "N10__cxxabiv121__vmi_class_type_infoE") return {};
  std::vector<const std::type_info*> found(bytes_at<ManyBasesBytes>(address).count);
  const char* next = static_cast<const char*>(address) + sizeof(ManyBasesBytes);
  for (auto& base : found) {
    base = bytes_at<BaseBytes>(next).type;
    next += sizeof(BaseBytes);
  }
  return found;
}

/// What std::throw_with_nested wraps a type in, as each library calls it. The cause is told
/// separately.
inline bool is_nesting(std::string_view name) {
  return name.starts_with("std::_Nested_exception<") || name.starts_with("std::__nested<") ||
         name == "std::nested_exception";
}

[[gnu::cold]] inline TypeChain* make_chain(const std::type_info& thrown) {
  auto chain = std::make_unique<TypeChain>();
  chain->type = &thrown;
  const auto has = [&](std::string_view name) {
    for (const std::string& known : chain->names) {
      if (known == name) return true;
    }
    return false;
  };
  std::vector<const std::type_info*> found{&thrown};
  for (std::size_t i = 0; i < found.size();
       ++i) {  // breadth first: a base is never before its derived classes
    const std::type_info& type = *found[i];
    std::string name = printed_name(type);
    if (is_nesting(name)) chain->is_nested = true;
    else if (!has(name)) chain->names.push_back(std::move(name));
    for (const std::type_info* base : bases_of(type)) found.push_back(base);
  }
  chain->is_error = has("actord::Error");
  chain->is_system_error = has("std::system_error");
  chain->is_foreign = !has("std::exception");
  if (chain->is_foreign) chain->names.emplace_back("actord::ForeignException");
  for (const std::string& name : chain->names) chain->views.push_back(to_c(name));
  return chain.release();
}

inline constinit std::atomic<const TypeChain*> known_chains{nullptr};

/// The last one of each kind of address, so that a failure costs one look however many types have
/// been thrown before.
inline constinit std::array<std::atomic<const TypeChain*>, 32> recent_chains{};

[[gnu::noinline]] inline const TypeChain& known_chain_of(const std::type_info& thrown) {
  // acquire: pairs with the release below, so that the chains behind the pointer are seen whole
  const TypeChain* head = known_chains.load(std::memory_order_acquire);
  for (const TypeChain* chain = head; chain != nullptr; chain = chain->next) {
    if (chain->type == &thrown) return *chain;
  }
  TypeChain* const mine = make_chain(thrown);  // two threads may add one type twice; harmless
  // `known_chains`, release: pairs with the acquire above, by which other threads see `mine` whole.
  // acquire, after a failure: pairs with the release of the thread that was faster.
  do mine->next = head;
  while (!known_chains.compare_exchange_weak(head, mine, std::memory_order_release,
                                             std::memory_order_acquire));
  return *mine;
}

/// Any thread.
inline const TypeChain& chain_of(const std::type_info& thrown) {
  const auto address = reinterpret_cast<std::uintptr_t>(&thrown);
  auto& recent = recent_chains[(address >> 3 ^ address >> 8) % recent_chains.size()];
  // acquire: pairs with the release below, as for known_chains
  const TypeChain* const chain = recent.load(std::memory_order_acquire);
  if (chain != nullptr && chain->type == &thrown) [[likely]]
    return *chain;
  const TypeChain& known = known_chain_of(thrown);
  recent.store(&known, std::memory_order_release);  // pairs with the acquire above
  return known;
}

}  // namespace actord::detail
