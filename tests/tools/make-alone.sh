#!/bin/sh
# make-alone.sh OUT - write alone-MACHINE.elf and alone-MACHINE.perf.data into OUT: a program without a
# library (alone.c beside this), built for several machines, that records its own stack. Needs clang, lld,
# the emulators of the package qemu-user, and binutils-s390x-linux-gnu.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "${1:?where to}" && pwd)
cd "$here"

# make NAME EMULATOR TARGET FLAG...
make() {
	name=$1 emulator=$2 target=$3
	shift 3
	# One segment for all that is not written to, so that the file is mapped in one piece.
	clang --target="$target" -O2 -ffreestanding -fno-stack-protector -nostdlib -static \
		-fuse-ld=lld -Wl,--no-rosegment,--discard-locals "$@" -o "$out/alone-$name.elf" alone.c
	"qemu-$emulator" "$out/alone-$name.elf" >"$out/alone-$name.perf.data"
	chmod -x "$out/alone-$name.elf"
}

tables=-fasynchronous-unwind-tables
make arm64 aarch64 aarch64-linux-gnu $tables
make x86-64 x86_64 x86_64-linux-gnu $tables
make i386 i386 i386-linux-gnu $tables
make riscv64 riscv64 riscv64-linux-gnu $tables -mno-relax -march=rv64gc -mabi=lp64d
make ppc64le ppc64le powerpc64le-linux-gnu $tables
# Its .eh_frame would be .ARM.exidx; debug info has .debug_frame.
make arm arm armv7-linux-gnueabi -gline-tables-only -fdebug-compilation-dir=. \
	-fno-asynchronous-unwind-tables -fno-unwind-tables
# Big-endian, and not known to lld.
clang --target=s390x-linux-gnu $tables -O2 -ffreestanding -fno-stack-protector -c -o "$out/alone.o" alone.c
s390x-linux-gnu-ld -N -X -o "$out/alone-s390x.elf" "$out/alone.o"
qemu-s390x "$out/alone-s390x.elf" >"$out/alone-s390x.perf.data"
rm "$out/alone.o"
chmod -x "$out/alone-s390x.elf"
