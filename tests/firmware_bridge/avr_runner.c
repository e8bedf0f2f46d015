// Runs the display's firmware on simavr's ATmega328P and tells what its pins do.
//
//   avr_runner FIRMWARE.elf [--paced | --hurried]
//
// The serial line is a pseudo terminal; bytes come in at 115200 baud, and one that the firmware does
// not fetch in time is lost, as in the chip (simavr alone would keep 64 of them). On its output:
//
//   port NAME            the pseudo terminal
//   strip MS RGB...      what a WS2812 strip at pin D6 shows now, in hexadecimal
//   times T0H T1H T0L T1L  cycles of that strip's pulses, each LEAST-MOST; - where there were none
//   word MS HEX          what was shifted through the MAX7219 modules when their load pin rose
//   lost N               bytes that the firmware lost so far
//   stack BYTES          the deepest stack, at the end
//
// MS is the simulated time. It runs on while bytes are in flight as fast as the computer can, and as
// fast as the real one otherwise; with --paced never faster than that, with --hurried up to 20 times
// as fast when nothing happens. The end of input ends it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <simavr/sim_avr.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_spi.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_elf.h>

#define HZ 16000000
#define BYTE_CYCLES 1389 // ten bits at 115200 baud
#define IDLE_CYCLES (HZ / 1000)
#define RESET_CYCLES (HZ / 1000000 * 280) // of the chips that need longest
#define CHIP_HOLDS 2 // bytes that have come in and were not fetched

// Of the ATmega328P.
enum { UCSR0A = 0xc0, U2X0 = 0x02, UBRR0L = 0xc4, UBRR0H = 0xc5 };

static avr_t *avr;
static int pty;
static int is_paced;
static unsigned idle_cycles = IDLE_CYCLES;
static int is_over;

// --- the serial line

static uint8_t inbound[4096];
static size_t inbound_at, inbound_end;
static unsigned long lost;
static avr_uart_t *uart;

static void find_uart(void)
{
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (strcmp(io->kind, "uart") == 0)
            uart = (avr_uart_t *)io;
}

static void look_outside(void)
{
    struct pollfd fds[] = {{.fd = pty, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
    char ignored[64];
    poll(fds, 2, 0);
    if (fds[1].revents && read(0, ignored, sizeof ignored) <= 0)
        is_over = 1;
    if (fds[0].revents & POLLIN) {
        ssize_t got = read(pty, inbound, sizeof inbound);
        inbound_at = 0;
        inbound_end = got > 0 ? (size_t)got : 0;
    }
}

// simavr counts a byte longer than its ten bits, and looks at the speed's doubling too early.
static unsigned cycles_per_byte(void)
{
    unsigned divisor = (avr->data[UBRR0H] << 8 | avr->data[UBRR0L]) + 1;
    return 10 * divisor * (avr->data[UCSR0A] & U2X0 ? 8 : 16);
}

// A byte that has come is there: simavr would raise the interrupt a byte's time later, and forget it
// now and then when the next byte comes just before the firmware fetches this one.
static void bring(uint8_t byte)
{
    uart->cycles_per_byte = 16;
    avr_raise_irq(uart->io.irq + UART_IRQ_INPUT, byte);
    uart->cycles_per_byte = cycles_per_byte();
}

static avr_cycle_count_t line_tick(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)a, (void)param;
    if (inbound_at == inbound_end)
        look_outside();
    if (inbound_at == inbound_end)
        return when + idle_cycles;
    uint8_t byte = inbound[inbound_at++];
    uint8_t held = (uart->input.write - uart->input.read) % uart_fifo_fifo_size;
    if (held >= CHIP_HOLDS)
        printf("lost %lu\n", ++lost);
    else
        bring(byte);
    return when + BYTE_CYCLES;
}

static void said(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    uint8_t byte = value;
    if (write(pty, &byte, 1) < 0)
        return; // nobody reads: so it is on a wire
}

static int open_pty(void)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (master < 0 || grantpt(master) || unlockpt(master))
        return -1;
    // Kept open, so that the line stays there when whoever listened goes away.
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    struct termios raw;
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    return master;
}

// --- the strip

struct range {
    unsigned least, most;
};

static struct range t0h, t1h, t0l, t1l;
static uint8_t strip[3 * 1024];
static size_t bits;
static avr_cycle_count_t rose_at, fell_at;
static int is_high, last_bit;

static void widen(struct range *range, unsigned cycles)
{
    if (range->most == 0 || cycles < range->least)
        range->least = cycles;
    if (cycles > range->most)
        range->most = cycles;
}

static void print_range(struct range *range)
{
    if (range->most)
        printf(" %u-%u", range->least, range->most);
    else
        printf(" -");
    range->least = range->most = 0;
}

static double now_ms(void)
{
    return avr->cycle * 1000.0 / HZ;
}

static void strip_pin(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    if ((int)value == is_high)
        return;
    is_high = value;
    if (is_high) {
        rose_at = avr->cycle;
        if (bits)
            widen(last_bit ? &t1l : &t0l, rose_at - fell_at);
        return;
    }
    fell_at = avr->cycle;
    unsigned high = fell_at - rose_at;
    last_bit = high > 8; // half a microsecond
    widen(last_bit ? &t1h : &t0h, high);
    if (bits < 8 * sizeof strip) {
        strip[bits / 8] = strip[bits / 8] << 1 | last_bit;
        bits++;
    }
}

static void latch_strip(void)
{
    if (bits == 0 || is_high || avr->cycle - fell_at < RESET_CYCLES)
        return;
    printf("strip %.3f ", now_ms());
    for (size_t led = 0; led < bits / 24; led++) // the strip is told green first
        printf("%02x%02x%02x", strip[3 * led + 1], strip[3 * led], strip[3 * led + 2]);
    if (bits % 24)
        printf("+%zu", bits % 24);
    printf("\ntimes");
    print_range(&t0h);
    print_range(&t1h);
    print_range(&t0l);
    print_range(&t1l);
    printf("\n");
    fflush(stdout);
    bits = 0;
}

// --- the modules

static uint8_t shifted[256];
static size_t shifted_count;

static void spi_byte(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    if (shifted_count < sizeof shifted)
        shifted[shifted_count++] = value;
}

static void load_pin(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    if (value && shifted_count) {
        printf("word %.3f ", now_ms());
        for (size_t i = 0; i < shifted_count; i++)
            printf("%02x", shifted[i]);
        printf("\n");
        fflush(stdout);
    }
    shifted_count = 0;
}

// --- time

static void doze(avr_t *a, avr_cycle_count_t cycles)
{
    (void)a;
    static struct timespec began;
    if (inbound_at < inbound_end && !is_paced)
        return;
    int ms = cycles / idle_cycles;
    if (!is_paced) {
        struct pollfd fd = {.fd = pty, .events = POLLIN};
        poll(&fd, 1, ms ? ms : 1);
        return;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (began.tv_sec == 0)
        began = now;
    double ahead_s = (avr->cycle + cycles) / (double)HZ - (now.tv_sec - began.tv_sec) -
                     (now.tv_nsec - began.tv_nsec) / 1e9;
    if (ahead_s > 0.0002)
        usleep(ahead_s * 1e6);
}

static void quiet(avr_t *a, const int level, const char *format, va_list ap)
{
    (void)a;
    if (level <= LOG_ERROR)
        vfprintf(stderr, format, ap);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    is_paced = argc > 2 && strcmp(argv[2], "--paced") == 0;
    if (argc > 2 && strcmp(argv[2], "--hurried") == 0)
        idle_cycles *= 20;
    avr_global_logger_set(quiet);
    elf_firmware_t firmware = {0};
    if (elf_read_firmware(argv[1], &firmware) != 0)
        return 1;
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr_load_firmware(avr, &firmware);
    avr->frequency = HZ;
    avr->sleep = doze;
    find_uart();
    pty = open_pty();
    if (!uart || pty < 0)
        return 1;

    uint32_t flags = 0; // no printing, and no sleeping when the firmware waits for the line
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(uart->io.irq + UART_IRQ_OUTPUT, said, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 6), strip_pin, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 2), load_pin, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_OUTPUT), spi_byte,
                            NULL);
    avr_cycle_timer_register(avr, IDLE_CYCLES, line_tick, NULL);
    printf("port %s\n", ptsname(pty));
    fflush(stdout);

    unsigned deepest = avr->ramend;
    int state = cpu_Running;
    while (!is_over && state != cpu_Done && state != cpu_Crashed) {
        state = avr_run(avr);
        latch_strip();
        unsigned stack = avr->data[R_SPL] | avr->data[R_SPH] << 8;
        if (stack > 0x100 && stack < deepest) // before the firmware sets it, it is 0
            deepest = stack;
    }
    printf("stack %u\n", avr->ramend - deepest);
    return state == cpu_Crashed;
}
