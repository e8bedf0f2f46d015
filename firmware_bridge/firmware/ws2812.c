#include "ws2812.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/delay.h>

#define PIN _BV(PD6)
#define RESET_US 300 // the newer chips need 280 us of silence to show what they were told, older 50

#if F_CPU != 16000000UL
#error "the pulses are counted in cycles of 16 MHz"
#endif

void ws2812_start(void)
{
    PORTD &= ~PIN;
    DDRD |= PIN;
}

// A bit is 20 cycles of 62.5 ns: the pin is high for 6 (0.375 us, a nought) or 12 (0.75 us, a one).
// The next byte is fetched in the last bit's time, so that all bits are alike.
static void send(const uint8_t *bytes, uint16_t count)
{
    uint8_t high = PORTD | PIN;
    uint8_t low = PORTD & ~PIN;
    uint8_t middle, byte, bits = 8;
    __asm__ volatile(
        "    ld   %[byte], %a[next]+      \n"
        "1:  out  %[port], %[high]        \n" // 0: up
        "    mov  %[middle], %[low]       \n"
        "    sbrc %[byte], 7              \n"
        "    mov  %[middle], %[high]      \n" // two cycles with the line before, either way
        "    lsl  %[byte]                 \n"
        "    dec  %[bits]                 \n"
        "    out  %[port], %[middle]      \n" // 6: down for a nought
        "    brne 2f                      \n"
        "    ld   %[byte], %a[next]+      \n" // behind the last byte once, which hurts nobody
        "    ldi  %[bits], 8              \n"
        "    nop                          \n"
        "    out  %[port], %[low]         \n" // 12: down for a one
        "    sbiw %[count], 1             \n"
        "    nop                          \n"
        "    rjmp .+0                     \n"
        "    brne 1b                      \n"
        "    rjmp 3f                      \n"
        "2:  nop                          \n"
        "    rjmp .+0                     \n"
        "    out  %[port], %[low]         \n" // 12
        "    nop                          \n"
        "    rjmp .+0                     \n"
        "    rjmp .+0                     \n"
        "    rjmp 1b                      \n"
        "3:                               \n"
        : [byte] "=&d"(byte), [middle] "=&r"(middle), [bits] "+d"(bits), [next] "+e"(bytes),
          [count] "+w"(count)
        : [port] "I"(_SFR_IO_ADDR(PORTD)), [high] "r"(high), [low] "r"(low)
        : "memory");
}

void ws2812_show(uint8_t *rgb, uint16_t leds)
{
    if (leds == 0)
        return;
    for (uint8_t *led = rgb; led < rgb + 3 * leds; led += 3) {
        uint8_t red = led[0];
        led[0] = led[1];
        led[1] = red;
    }
    cli();
    send(rgb, 3 * leds);
    sei();
    _delay_us(RESET_US);
}
