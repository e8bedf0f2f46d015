// Finds the whole, undamaged frames in a stream of bytes: docs/display-protocol.md.
// It knows nothing of the chip, so that the tests run it natively too.
#ifndef FRAME_DECODER_H
#define FRAME_DECODER_H

#include <stdint.h>

#include "settings.h"

#define CRC_BYTES 4
#define HEAD_BYTES 2 // kind, number
#define LIGHTS_BODY (HEAD_BYTES + 3 * LEDS)
#define DIGITS_BODY (HEAD_BYTES + 1 + 8 * MODULES)
// Bytes behind those that are known are passed over; there is room for some.
#define MOST_BODY ((LIGHTS_BODY > DIGITS_BODY ? LIGHTS_BODY : DIGITS_BODY) + 16)

struct frame_decoder {
    uint8_t body[MOST_BODY + CRC_BYTES];
    uint16_t length;   // bytes in it
    uint32_t crc;      // over them
    uint8_t run_left;  // bytes until the next length byte
    uint8_t zero_owed; // the run stands for a zero too, unless it is the last
    uint8_t is_bad;    // too long, or something that no frame has: wait for a zero
};

void frame_decoder_reset(struct frame_decoder *decoder);

// Takes a byte. Returns the length of the body when it was the last one of a good frame, else 0.
// The body stays in the decoder until the next byte is taken.
uint16_t frame_decoder_take(struct frame_decoder *decoder, uint8_t byte);

#endif
