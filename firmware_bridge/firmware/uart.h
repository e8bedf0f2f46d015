// The serial line: bytes come in by interrupt and wait here; going out, the caller waits.
#ifndef UART_H
#define UART_H

#include <stdint.h>

void uart_start(void);
uint8_t uart_has_byte(void);
uint8_t uart_take(void); // only when there is one
void uart_say(uint8_t byte);

#endif
