// A strip of WS2812 LEDs at Arduino pin 6 (PD6).
#ifndef WS2812_H
#define WS2812_H

#include <stdint.h>

void ws2812_start(void);

// Shows colours: red, green, blue of each LED. Swaps them in place to the order of the strip.
// Interrupts are off meanwhile: 30 us an LED.
void ws2812_show(uint8_t *rgb, uint16_t leds);

#endif
