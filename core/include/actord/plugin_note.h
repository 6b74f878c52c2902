/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The note in a plugin's file: what the file is, read before any of its code runs. It is a part of
 * plugin.h, which includes it.
 */
#ifndef ACTORD_PLUGIN_NOTE_H
#define ACTORD_PLUGIN_NOTE_H

#define ACTORD_TEXT_OF_(x) #x
#define ACTORD_TEXT_OF(x) ACTORD_TEXT_OF_(x)
#if defined(__clang__)
#define ACTORD_CC "clang-" ACTORD_TEXT_OF(__clang_major__)
#else
#define ACTORD_CC "gcc-" ACTORD_TEXT_OF(__GNUC__)
#endif
#if defined(_LIBCPP_VERSION)
#define ACTORD_STDLIB "libc++-" ACTORD_TEXT_OF(_LIBCPP_VERSION)
#elif defined(_GLIBCXX_RELEASE)
#define ACTORD_STDLIB "libstdc++-" ACTORD_TEXT_OF(_GLIBCXX_RELEASE)
#else
#define ACTORD_STDLIB "none"
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ACTORD_SANITIZER "address"
#elif defined(__SANITIZE_THREAD__)
#define ACTORD_SANITIZER "thread"
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ACTORD_SANITIZER "address"
#elif __has_feature(thread_sanitizer)
#define ACTORD_SANITIZER "thread"
#endif
#endif
#ifndef ACTORD_SANITIZER
#define ACTORD_SANITIZER "none"
#endif

/* key=value pairs, joined by ';'. Name and version must not contain '=' or ';'. */
#define ACTORD_NOTE_TEXT(name, version)                                                         \
  "name=" name ";version=" version ";abi=" ACTORD_TEXT_OF(ACTORD_ABI_MAJOR) "." ACTORD_TEXT_OF( \
      ACTORD_ABI_MINOR) ";cc=" ACTORD_CC ";stdlib=" ACTORD_STDLIB ";san=" ACTORD_SANITIZER

/* An ELF note with owner "actord" and type 1, padded to 4 bytes. The name of the section makes it a
 * note; `used` keeps it in the file. */
#define ACTORD_NOTE(name, version)                                              \
  static const struct {                                                         \
    uint32_t owner_size, text_size, type;                                       \
    char owner[8], text[(sizeof(ACTORD_NOTE_TEXT(name, version)) + 3) / 4 * 4]; \
  } actord_note __attribute__((section(".note.actord"), used, aligned(4))) = {  \
      7, sizeof(ACTORD_NOTE_TEXT(name, version)), 1, "actord", ACTORD_NOTE_TEXT(name, version)};

#endif
