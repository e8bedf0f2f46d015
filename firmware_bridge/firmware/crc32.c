#include "crc32.h"

#ifdef __AVR__
#include <avr/pgmspace.h>
#else
#define PROGMEM
#define pgm_read_dword(address) (*(address))
#endif

// Of half a byte: 64 bytes of flash, where a table of whole bytes takes a kilobyte, and fast
// enough for a byte every 87 us. Each entry is its index shifted through the polynomial 0xedb88320.
static const uint32_t OF_NIBBLE[16] PROGMEM = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

uint32_t crc32_add(uint32_t crc, uint8_t byte)
{
    crc ^= byte;
    crc = (crc >> 4) ^ pgm_read_dword(&OF_NIBBLE[crc & 15]);
    crc = (crc >> 4) ^ pgm_read_dword(&OF_NIBBLE[crc & 15]);
    return crc;
}
