// MAX7219 modules of eight digits, one behind the other, at Arduino pins 11 (data), 13 (clock) and
// 10 (load). The first one in the chain is the first player's.
#ifndef MAX7219_H
#define MAX7219_H

#include <stdint.h>

void max7219_start(void);

// Shows lit segments, eight bytes a module, leftmost digit first; brightness 0 to 15.
void max7219_show(uint8_t brightness, const uint8_t *segments, uint8_t modules);

#endif
