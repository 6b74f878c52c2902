/* SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded, it moves the clock of the day by as many seconds as the file $MOVED_CLOCK holds, a
 * number of 8 bytes. The other clocks, and what the kernel itself waits for, are not moved. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t* seconds;

__attribute__((constructor)) static void open_file(void) {
  const char* const path = getenv("MOVED_CLOCK");
  if (path == NULL) return;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  void* const at = mmap(NULL, sizeof *seconds, PROT_READ, MAP_SHARED, file, 0);
  if (at == MAP_FAILED) abort();
  seconds = at;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec* out) {
  const int status = (int)syscall(SYS_clock_gettime, clock, out);
  if (status == 0 && clock == CLOCK_REALTIME && seconds != NULL) out->tv_sec += *seconds;
  return status;
}
