// SPDX-License-Identifier: Apache-2.0
//
// This process: its ids, executable, environment, standard descriptors, and immediate exit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace actord::os {

int process_id() noexcept;
/// The kernel's id of the calling thread. Async-signal-safe.
int thread_id() noexcept;

/// The executable of this process, even after the file was replaced.
inline constexpr const char* own_executable = "/proc/self/exe";

/// The directory of the executable; empty if the system does not report it.
std::string executable_folder();

/// Bytes of memory that this process may use: those of the machine, or the control group's limit if
/// that is lower.
std::size_t available_memory();

/// Bytes of memory that this process takes up; 0 if the system does not report it.
std::size_t resident_memory();

/// A number that distinguishes this run of the daemon from all others; never 0.
std::uint64_t new_boot_id();

/// Whether one of the descriptors 0 to 2 is a terminal.
bool is_on_terminal() noexcept;

/// No thread may change the environment during this call or the next two; plugins must never do so.
std::optional<std::string> environment_variable(const char* name);

/// The positive number that a variable is; nullopt: it is not set, or something else.
std::optional<std::int64_t> number_of_variable(const char* name);

/// All variables as "NAME=value", followed by a null pointer.
const char* const* environment() noexcept;

/// Opens /dev/null for each of the descriptors 0, 1 and 2 that is closed. Otherwise a file opened
/// later would get such a number, and error messages would be written into it. Reading from 0 and
/// writing to 1 and 2 then fail with EBADF. Throws std::system_error.
void occupy_standard_descriptors();

/// Returns a new descriptor for standard output and redirects descriptor 1 to standard error, so
/// that other code in the process, such as plugins, cannot write into the program's output. Throws
/// std::system_error.
int take_standard_output();

/// Whether the kernel may write a core dump of this process. Without it no other user but root can
/// attach a debugger either.
void permit_core_dumps(bool is_permitted) noexcept;

/// A write to a pipe without a reader fails with EPIPE instead of ending the process.
void ignore_broken_pipes() noexcept;

/// Ends the process at once: no destructors run, no thread is waited for, and no ExitReporter is
/// called.
[[noreturn]] void exit_at_once(int status) noexcept;

}  // namespace actord::os
