// What the device says: capabilities and ready.
#ifndef ANSWERS_H
#define ANSWERS_H

#include <stdint.h>

void say_capabilities(uint8_t number);
void say_ready(uint8_t number);

#endif
