// The kinds of messages: docs/display-protocol.md.
#ifndef MESSAGES_H
#define MESSAGES_H

enum kind {
    HELLO = 0x01,
    LIGHTS = 0x02,
    DIGITS = 0x03,
    PING = 0x04,
    CAPABILITIES = 0x81,
    READY = 0x82,
};

#endif
