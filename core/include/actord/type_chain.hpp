// SPDX-License-Identifier: Apache-2.0
//
// The printed names of a type and of all its bases. Deciders match causes by these names, so that
// `"std::runtime_error" = restart` in a config file holds for types that the daemon does not know.
//
// They are read from the type descriptors of the Itanium C++ ABI, which g++ and clang share.
#pragma once

#include <cxxabi.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
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
  char* const text = abi::__cxa_demangle(type.name(), nullptr, nullptr, nullptr);
  std::string name = text != nullptr ? text : type.name();
  std::free(text);
  for (const std::string_view noise : {"__1::", "__cxx11::", "[abi:cxx11]"})
    replace_all(name, noise, "");
  replace_all(name, "actord::detail::FailureRoot", "actord::Failure");
  return name;
}

/// A copy that is kept for ever, because the host may keep it.
[[gnu::cold]] inline std::string_view kept_name(std::string_view name) {
  char* const kept = new char[name.size() + 1];
  name.copy(kept, name.size());
  return {kept, name.size()};
}
/// The printed name of T.
template <class T>
std::string_view type_name() {
  static const std::string_view name = kept_name(printed_name(typeid(T)));
  return name;
}

/// A type and its bases, nearest first. Made at the first failure of the type and kept, because
/// demangling four names costs more than the throw. Immutable and never destroyed.
struct TypeChain {
  const std::type_info* type = nullptr;
  const TypeChain* next = nullptr;
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

/// Adds the bases of the type to `found`.
[[gnu::cold]] inline void add_bases(const std::type_info& type,
                                    std::vector<const std::type_info*>& found) {
  const std::string_view descriptor = typeid(type).name();
  const void* const address = &type;
  if (descriptor == "N10__cxxabiv120__si_class_type_infoE")
    return found.push_back(bytes_at<SingleBaseBytes>(address).base);
  if (descriptor != "N10__cxxabiv121__vmi_class_type_infoE") return;
  const char* next = static_cast<const char*>(address) + sizeof(ManyBasesBytes);
  for (unsigned n = bytes_at<ManyBasesBytes>(address).count; n != 0; --n) {
    found.push_back(bytes_at<BaseBytes>(next).type);
    next += sizeof(BaseBytes);
  }
}

/// Whether this is a class in which std::throw_with_nested wraps an exception; each library has its
/// own name for it. Such names are left out of the chain, as the cause has a chain of its own.
inline bool is_nesting(std::string_view name) {
  return name.starts_with("std::_Nested_exception<") || name.starts_with("std::__nested<") ||
         name == "std::nested_exception";
}

[[gnu::cold]] inline TypeChain* make_chain(const std::type_info& thrown) {
  auto* const chain = new TypeChain;  // for ever
  chain->type = &thrown;
  const auto has = [chain](std::string_view name) {
    for (const actord_str& known : chain->views) {
      if (view(known) == name) return true;
    }
    return false;
  };
  std::vector<const std::type_info*> found;
  found.push_back(&thrown);
  // Breadth first: a base never comes before its derived classes.
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::type_info& type = *found[i];
    const std::string name = printed_name(type);
    if (is_nesting(name)) chain->is_nested = true;
    else if (!has(name)) chain->views.push_back(to_c(kept_name(name)));
    add_bases(type, found);
  }
  chain->is_error = has("actord::Error");
  chain->is_system_error = has("std::system_error");
  chain->is_foreign = !has("std::exception");
  if (chain->is_foreign) chain->views.push_back(to_c("actord::ForeignException"));
  return chain;
}

// Both are read and written by atomic operations of the compiler: <atomic> would be a tenth of the
// time that this header takes to compile.
inline constinit const TypeChain* known_chains = nullptr;

/// A cache of known_chains, indexed by a hash of the type's address. With it a failure costs one
/// lookup, no matter how many types have been thrown before.
inline constinit const TypeChain* recent_chains[32] = {};

[[gnu::noinline]] inline const TypeChain& known_chain_of(const std::type_info& thrown) {
  // acquire: pairs with the release below, so that the chains behind the pointer are seen whole
  const TypeChain* head = __atomic_load_n(&known_chains, __ATOMIC_ACQUIRE);
  for (const TypeChain* chain = head; chain != nullptr; chain = chain->next) {
    if (chain->type == &thrown) return *chain;
  }
  TypeChain* const mine = make_chain(thrown);  // two threads may add one type twice; harmless
  // `known_chains`, release: pairs with the acquire above, so that other threads see `mine` whole.
  // acquire, after a failed exchange: pairs with the release of the thread that was faster.
  do mine->next = head;
  while (!__atomic_compare_exchange_n(&known_chains, &head, static_cast<const TypeChain*>(mine),
                                      true, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE));
  return *mine;
}

/// The chain of a type. Any thread.
inline const TypeChain& chain_of(const std::type_info& thrown) {
  const auto address = reinterpret_cast<std::uintptr_t>(&thrown);
  const TypeChain*& recent = recent_chains[(address >> 3 ^ address >> 8) % 32];
  // acquire: pairs with the release below, as for known_chains
  const TypeChain* const chain = __atomic_load_n(&recent, __ATOMIC_ACQUIRE);
  if (chain != nullptr && chain->type == &thrown) [[likely]]
    return *chain;
  const TypeChain& known = known_chain_of(thrown);
  __atomic_store_n(&recent, &known, __ATOMIC_RELEASE);  // pairs with the acquire above
  return known;
}

}  // namespace actord::detail
