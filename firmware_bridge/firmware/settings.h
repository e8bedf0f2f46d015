// What is soldered to the board. Change it here or on make's command line: make LEDS=60 MODULES=2
#ifndef SETTINGS_H
#define SETTINGS_H

#ifndef LEDS
#define LEDS 100 // of the WS2812 strip; up to 400 fit into an ATmega328P
#endif
#ifndef MODULES
#define MODULES 5 // MAX7219 modules of eight digits, one behind the other; 0 to 16
#endif

#if LEDS < 0 || LEDS > 400
#error "LEDS goes from 0 to 400: the ATmega328P has no room for more"
#endif
#if MODULES < 0 || MODULES > 16
#error "MODULES goes from 0 to 16"
#endif

#define BAUD 115200UL
#define PROTOCOL_VERSION 1
#define FIRMWARE_NAME "railspotter 1"
#define SILENCE_S 10 // so long without a whole frame, and the display goes dark

#endif
