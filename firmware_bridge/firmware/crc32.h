// The CRC-32 of IEEE 802.3, a byte at a time.
#ifndef CRC32_H
#define CRC32_H

#include <stdint.h>

#define CRC32_START 0xffffffffUL
// What is left when a message and its CRC, inverted and lowest byte first, went through.
#define CRC32_RESIDUE 0xdebb20e3UL

uint32_t crc32_add(uint32_t crc, uint8_t byte);

#endif
