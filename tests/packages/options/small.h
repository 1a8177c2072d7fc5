/* SPDX-License-Identifier: Apache-2.0 */
/* Options of a program, as a package for firmware takes them. */
#define NNRT_NO_CPU
