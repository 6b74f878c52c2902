/* SPDX-License-Identifier: Apache-2.0 */
/*
 * since 1.11: what the functions of actord_host say of circuit breakers that actors share. It is a
 * part of plugin.h, which includes it.
 */
#ifndef ACTORD_PLUGIN_BREAKER_H
#define ACTORD_PLUGIN_BREAKER_H

/* What becomes of a call. */
typedef enum actord_admission {
  ACTORD_CALL = 0,        /* it goes through a closed breaker */
  ACTORD_TRIAL_CALL = 1,  /* it is the one that a half-open breaker tries */
  ACTORD_REFUSED_CALL = 2 /* it fails at once */
} actord_admission;

typedef enum actord_breaker_state {
  ACTORD_BREAKER_CLOSED = 0,
  ACTORD_BREAKER_OPEN = 1,
  ACTORD_BREAKER_HALF_OPEN = 2
} actord_breaker_state;

typedef struct actord_breaker {
  int32_t state;
  uint32_t failures;    /* in a row; those that opened it, if it is not closed */
  int64_t remaining_ns; /* how long it lets no call through at least; 0 if it is not open */
} actord_breaker;

#endif
