// SPDX-License-Identifier: Apache-2.0
//
// The printed names of a type and of all its bases. Deciders match causes by these names, so that
// `"std::runtime_error" = restart` in a config file holds for types that the daemon does not know.
//
// They are read from the type descriptors of the Itanium C++ ABI, which g++ and clang share.
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

/// The name as an operator writes it, without the inline namespaces of the standard libraries.
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

/// The printed name of T. It is never destroyed, because the host may keep it.
template <class T>
std::string_view type_name() {
  static const std::string& name = *new std::string{printed_name(typeid(T))};
  return name;
}

/// A type and its bases, nearest first. Made at the first failure of the type and kept, because
/// demangling four names costs more than the throw. Immutable and never destroyed.
struct TypeChain {
  const std::type_info* type = nullptr;
  const TypeChain* next = nullptr;
  std::vector<std::string> names;
  std::vector<actord_str> views;
  bool is_foreign = false;
  bool is_error = false;  // each of these three flags saves a dynamic_cast
  bool is_system_error = false;
  bool is_nested = false;

  /// Whether a failure of this type has only names and a text.
  bool is_plain() const noexcept { return !is_error && !is_system_error && !is_nested; }
};

// The two descriptors of classes that have bases (Itanium C++ ABI 2.9.5). They are read as bytes:
// libc++ does not declare them, and UBSan's vptr check reports a cast to a class that looks the
// same.
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

/// Whether this is a class in which std::throw_with_nested wraps an exception; each library has its
/// own name for it. Such names are left out of the chain, as the cause has a chain of its own.
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
  // Breadth first: a base never comes before its derived classes.
  for (std::size_t i = 0; i < found.size(); ++i) {
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

/// A cache of known_chains, indexed by a hash of the type's address. With it a failure costs one
/// lookup, no matter how many types have been thrown before.
inline constinit std::array<std::atomic<const TypeChain*>, 32> recent_chains{};

[[gnu::noinline]] inline const TypeChain& known_chain_of(const std::type_info& thrown) {
  // acquire: pairs with the release below, so that the chains behind the pointer are seen whole
  const TypeChain* head = known_chains.load(std::memory_order_acquire);
  for (const TypeChain* chain = head; chain != nullptr; chain = chain->next) {
    if (chain->type == &thrown) return *chain;
  }
  TypeChain* const mine = make_chain(thrown);  // two threads may add one type twice; harmless
  // `known_chains`, release: pairs with the acquire above, so that other threads see `mine` whole.
  // acquire, after a failed exchange: pairs with the release of the thread that was faster.
  do mine->next = head;
  while (!known_chains.compare_exchange_weak(head, mine, std::memory_order_release,
                                             std::memory_order_acquire));
  return *mine;
}

/// The chain of a type. Any thread.
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
