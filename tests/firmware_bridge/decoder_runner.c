// The firmware's frame decoder on this computer: reads a stream, writes each body in hexadecimal.
#include <stdio.h>

#include "frame_decoder.h"

int main(void)
{
    static struct frame_decoder decoder;
    frame_decoder_reset(&decoder);
    for (int byte; (byte = getchar()) != EOF;) {
        uint16_t length = frame_decoder_take(&decoder, byte);
        for (uint16_t i = 0; i < length; i++)
            printf("%02x", decoder.body[i]);
        if (length)
            printf("\n");
    }
    return 0;
}
