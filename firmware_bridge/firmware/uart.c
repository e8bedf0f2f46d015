#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "settings.h"

// 11 ms of bytes. The host waits for an answer before it sends on, so this is for noise.
#define WAITING 128

static volatile uint8_t waiting[WAITING];
static volatile uint8_t newest, oldest;

void uart_start(void)
{
    // Double speed: 115200 baud is 2.1 % off, as on every Arduino with 16 MHz; without it 3.5 %.
    UBRR0 = (F_CPU + BAUD * 4) / (BAUD * 8) - 1;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

ISR(USART_RX_vect)
{
    uint8_t byte = UDR0;
    uint8_t next = (newest + 1) % WAITING;
    if (next == oldest)
        return; // full: the byte is lost, and the CRC will tell
    waiting[newest] = byte;
    newest = next;
}

uint8_t uart_has_byte(void)
{
    return newest != oldest;
}

uint8_t uart_take(void)
{
    uint8_t byte = waiting[oldest];
    oldest = (oldest + 1) % WAITING;
    return byte;
}

void uart_say(uint8_t byte)
{
    while (!(UCSR0A & _BV(UDRE0)))
        ;
    UDR0 = byte;
}
