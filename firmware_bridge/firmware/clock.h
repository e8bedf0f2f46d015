// Seconds, roughly: only to notice silence.
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

void clock_start(void);
uint8_t clock_s(void); // wraps round

#endif
