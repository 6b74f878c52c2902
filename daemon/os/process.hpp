// SPDX-License-Identifier: Apache-2.0
//
// This process: its number, its place, its environment, and the short way out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace actord::os {

int process_id() noexcept;
/// Of the calling thread, as the kernel numbers it. Async-signal-safe.
int thread_id() noexcept;

/// The file that this process runs, also when another has taken its place.
inline constexpr const char* own_executable = "/proc/self/exe";

/// The folder of the executable; empty when the system does not tell.
std::string executable_folder();

/// Bytes of memory that this process may use: what the machine has, or less where a control group
/// limits it.
std::size_t available_memory();

/// A number that tells this run of the daemon from all others; never 0.
std::uint64_t new_boot_id();

/// Whether a person sees or types what this process writes or reads: a descriptor from 0 to 2 is a
/// terminal.
bool is_on_terminal() noexcept;

/// Nobody may change the environment at the same time, here and below: plugins must not.
std::optional<std::string> environment_variable(const char* name);

/// All variables, "NAME=value" each, the last one followed by a null pointer.
const char* const* environment() noexcept;

/// Occupies those of the descriptors 0, 1 and 2 that are closed, before anything else is opened and
/// gets their numbers: what is written there later would be written into it. Each keeps its
/// meaning: reading the one and writing the others is an error, EBADF. Throws std::system_error.
void occupy_standard_descriptors();

/// Keeps standard output for whoever gets the answer, its new descriptor: what anybody else in the
/// process writes there from now on, plugins first of all, goes to standard error. Throws
/// std::system_error.
int take_standard_output();

/// A write to a reader that is gone is an error of that write, and does not end the process.
void ignore_broken_pipes() noexcept;

/// Ends the process at once: no destructors, no waiting for threads, and no reporter of exits hears
/// of it.
[[noreturn]] void exit_at_once(int status) noexcept;

}  // namespace actord::os
