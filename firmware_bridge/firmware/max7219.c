#include "max7219.h"

#include <avr/io.h>

#include "settings.h"

#define LOAD _BV(PB2)
#define DATA _BV(PB3)
#define CLOCK _BV(PB5)

enum { // registers; 1 to 8 are the digits, 8 being the leftmost on the usual modules
    DECODE = 0x9,
    BRIGHTNESS = 0xa,
    SCAN_LIMIT = 0xb,
    POWER = 0xc,
    TEST = 0xf,
};

static void word(uint8_t address, uint8_t value)
{
    SPDR = address;
    while (!(SPSR & _BV(SPIF)))
        ;
    SPDR = value;
    while (!(SPSR & _BV(SPIF)))
        ;
}

static void all(uint8_t address, uint8_t value)
{
    PORTB &= ~LOAD;
    for (uint8_t module = 0; module < MODULES; module++)
        word(address, value);
    PORTB |= LOAD; // each module takes the word that is in it now
}

void max7219_start(void)
{
    PORTB |= LOAD; // also keeps the SPI from becoming a slave
    DDRB |= LOAD | DATA | CLOCK;
    SPCR = _BV(SPE) | _BV(MSTR); // 4 MHz: the chip takes 10, long wires do not
    max7219_show(0, 0, 0);
}

// Everything is said each time: modules lose their settings when their supply flickers.
void max7219_show(uint8_t brightness, const uint8_t *segments, uint8_t modules)
{
    all(TEST, 0);
    all(DECODE, 0);
    all(SCAN_LIMIT, 7);
    all(BRIGHTNESS, brightness & 0x0f);
    for (uint8_t digit = 0; digit < 8; digit++) {
        PORTB &= ~LOAD;
        // What is sent first ends up in the last module.
        for (uint8_t module = MODULES; module-- > 0;)
            word(8 - digit, module < modules ? segments[8 * module + digit] : 0);
        PORTB |= LOAD;
    }
    all(POWER, 1);
}
