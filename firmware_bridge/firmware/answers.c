#include "answers.h"

#include <string.h>

#include "crc32.h"
#include "messages.h"
#include "settings.h"
#include "uart.h"

#define MOST_SAID (2 + 4 + sizeof FIRMWARE_NAME)

// Frames that are said are shorter than 254 bytes: no run is so long that it stands without a zero.
static void say(const uint8_t *body, uint8_t length)
{
    uint8_t framed[MOST_SAID + 4];
    uint32_t crc = CRC32_START;
    for (uint8_t i = 0; i < length; i++) {
        framed[i] = body[i];
        crc = crc32_add(crc, body[i]);
    }
    crc = ~crc;
    for (uint8_t i = 0; i < 4; i++, crc >>= 8)
        framed[length + i] = (uint8_t)crc;
    length += 4;

    uart_say(0);
    for (uint8_t from = 0, to = 0;; from = ++to) {
        while (to < length && framed[to] != 0)
            to++;
        uart_say(to - from + 1);
        while (from < to)
            uart_say(framed[from++]);
        if (to == length)
            break;
    }
    uart_say(0);
}

void say_ready(uint8_t number)
{
    const uint8_t body[] = {READY, number};
    say(body, sizeof body);
}

void say_capabilities(uint8_t number)
{
    uint8_t body[MOST_SAID] = {CAPABILITIES, number, PROTOCOL_VERSION, LEDS & 0xff, LEDS >> 8,
                               MODULES};
    memcpy(body + 6, FIRMWARE_NAME, sizeof FIRMWARE_NAME - 1);
    say(body, 6 + sizeof FIRMWARE_NAME - 1);
}
