// Railspotter's display: takes messages from the serial line, shows them, and says ready.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <string.h>

#include "answers.h"
#include "clock.h"
#include "frame_decoder.h"
#include "max7219.h"
#include "messages.h"
#include "settings.h"
#include "uart.h"
#include "ws2812.h"

static struct frame_decoder decoder;

// The strip keeps its colours itself, so the frame that came in is all the memory they need.
static void show_lights(uint8_t *rgb, uint16_t told)
{
    if (told > 3 * LEDS)
        told = 3 * LEDS;
    memset(rgb + told, 0, 3 * LEDS - told);
    ws2812_show(rgb, LEDS);
}

static void show_digits(const uint8_t *said, uint16_t length)
{
    if (length == 0)
        return;
    uint16_t modules = (length - 1) / 8;
    max7219_show(said[0], said + 1, modules < MODULES ? modules : MODULES);
}

static void show_nothing(void)
{
    show_lights(decoder.body, 0);
    max7219_show(0, 0, 0);
}

static void carry_out(uint16_t length)
{
    uint8_t kind = decoder.body[0], number = decoder.body[1];
    uint8_t *said = decoder.body + HEAD_BYTES;
    length -= HEAD_BYTES;
    switch (kind) {
    case HELLO:
        say_capabilities(number);
        return;
    case LIGHTS:
        show_lights(said, length);
        break;
    case DIGITS:
        show_digits(said, length);
        break;
    }
    say_ready(number); // to unknown kinds too: a newer host waits for it
}

static void sleep_until_interrupt(void)
{
    cli();
    if (!uart_has_byte()) {
        sleep_enable();
        sei(); // takes effect after the next instruction: no interrupt comes between
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

int main(void)
{
    frame_decoder_reset(&decoder);
    uart_start();
    ws2812_start();
    max7219_start();
    clock_start();
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
    show_nothing();
    say_capabilities(0);

    uint8_t heard_half_s = clock_half_s();
    uint8_t is_dark = 1;
    for (;;) {
        while (uart_has_byte()) {
            uint16_t length = frame_decoder_take(&decoder, uart_take());
            if (length == 0)
                continue;
            carry_out(length);
            heard_half_s = clock_half_s();
            is_dark = 0;
        }
        if (!is_dark && (uint8_t)(clock_half_s() - heard_half_s) >= 2 * SILENCE_S) {
            frame_decoder_reset(&decoder); // its memory is used
            show_nothing();
            is_dark = 1;
        }
        sleep_until_interrupt();
    }
}
