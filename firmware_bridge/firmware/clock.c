#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#define TICKS (F_CPU / 1024 / 2) // half a second

static volatile uint8_t half_seconds;

void clock_start(void)
{
    TCCR1B = _BV(WGM12) | _BV(CS12) | _BV(CS10); // counts to OCR1A, every 1024 cycles
    OCR1A = TICKS - 1;
    TIMSK1 = _BV(OCIE1A);
}

ISR(TIMER1_COMPA_vect)
{
    half_seconds++;
}

uint8_t clock_half_s(void)
{
    return half_seconds;
}
