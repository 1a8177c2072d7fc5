/* SPDX-License-Identifier: Apache-2.0 */
/* What a core gives the example. */
#ifndef ARDUINO_H
#define ARDUINO_H
#include <stdint.h>
#include <stdio.h>
struct SerialPort {
    void begin(long) {}
    void println(const char *text) { puts(text); }
};
extern SerialPort Serial;
void setup();
void loop();
#endif
