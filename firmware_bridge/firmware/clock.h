// Half seconds, roughly: only to notice silence.
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

void clock_start(void);
uint8_t clock_half_s(void); // 0 to 255, then 0 again: differences are right up to two minutes

#endif
