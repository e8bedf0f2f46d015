#include "frame_decoder.h"

#include "crc32.h"

void frame_decoder_reset(struct frame_decoder *decoder)
{
    decoder->length = 0;
    decoder->crc = CRC32_START;
    decoder->run_left = 0;
    decoder->zero_owed = 0;
    decoder->is_bad = 0;
}

static void keep(struct frame_decoder *decoder, uint8_t byte)
{
    if (decoder->length == sizeof decoder->body) {
        decoder->is_bad = 1;
        return;
    }
    decoder->body[decoder->length++] = byte;
    decoder->crc = crc32_add(decoder->crc, byte);
}

// What stood between two zeros is a frame when its last run is complete and its CRC, which is at
// its end, leaves the residue that every right CRC leaves.
static uint16_t finish(struct frame_decoder *decoder)
{
    uint16_t length = 0;
    if (!decoder->is_bad && decoder->run_left == 0 && decoder->crc == CRC32_RESIDUE &&
        decoder->length >= HEAD_BYTES + CRC_BYTES)
        length = decoder->length - CRC_BYTES;
    frame_decoder_reset(decoder);
    return length;
}

uint16_t frame_decoder_take(struct frame_decoder *decoder, uint8_t byte)
{
    if (byte == 0)
        return finish(decoder);
    if (decoder->is_bad)
        return 0;
    if (decoder->run_left == 0) { // a length byte
        if (decoder->zero_owed)
            keep(decoder, 0);
        decoder->run_left = byte - 1;
        decoder->zero_owed = byte != 0xff;
        return 0;
    }
    decoder->run_left--;
    keep(decoder, byte);
    return 0;
}
