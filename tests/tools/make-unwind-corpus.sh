#!/bin/sh
# Make tests/fuzz/corpus/fuzz_unwind anew: tests/tools/make-unwind-corpus.sh FOLDER. Needs binutils
# for x86 (as, ld, objcopy) and clang with lld. What they make differs a little between versions; any
# of them will do. The format is told in tests/fuzz/fuzz_unwind.c.
set -eu
out=${1:?folder}
mkdir -p "$out"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# number BYTES VALUE: little-endian
number()
{
	n=$1 v=$2
	while [ "$n" -gt 0 ]; do
		printf "\\$(printf %03o $((v & 255)))"
		v=$((v >> 8)) n=$((n - 1))
	done
}

# seed NAME MACHINE FLAGS PC_REGISTER PC SP_REGISTER FP_REGISTER WORD FILE RETURN...: a stack of frame
# records from 0x7000 on, each with one of the return addresses, also in the register 30
seed()
{
	name=$1 machine=$2 flags=$3 pc_reg=$4 pc=$5 sp_reg=$6 fp_reg=$7 word=$8 file=$9
	shift 9
	{
		number 1 "$machine"
		number 1 "$flags"
		number 2 $((($# * 2 + 4) * word))
		i=0
		while [ $i -lt 40 ]; do
			case $i in
			"$pc_reg") number 8 "$pc" ;;
			"$sp_reg") number 8 $((0x7000)) ;;
			"$fp_reg") number 8 $((0x7000)) ;;
			30) number 8 "${1:-0}" ;;
			*) number 8 $((i * 8)) ;;
			esac
			i=$((i + 1))
		done
		at=$((0x7000))
		for ra; do
			at=$((at + 2 * word))
			number "$word" $at
			number "$word" "$ra"
		done
		number $((4 * word)) 0
		cat "$file"
	} >"$out/$name"
}

cat >"$tmp/a.s" <<'END'
	.text
	.globl _start
_start:	.cfi_startproc
	.cfi_undefined %rip
	call framed
	.cfi_endproc
framed:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	call puts@PLT
	.cfi_remember_state
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_restore_state
	.cfi_escape 0x10, 6, 2, 0x76, 0
	.cfi_escape 0x0f, 3, 0x76, 0x78, 6
	nop
	.cfi_register %rip, %rdx
	nop
	.cfi_endproc
	.skip 64, 0x90
bare:	ret
	nop
	.cfi_startproc
	.cfi_signal_frame
	.cfi_escape 0x0f, 3, 0x77, 16, 6
	.cfi_escape 0x10, 16, 2, 0x77, 0
	.cfi_escape 0x16, 6, 2, 0x77, 8
	nop
signal:	nop
	.cfi_endproc
END
flat='-z noseparate-code -z max-page-size=64 --build-id=none -s'
as -o "$tmp/a.o" "$tmp/a.s"
ld $flat -shared -e _start -o "$tmp/shared" "$tmp/a.o"
ld $flat --no-eh-frame-hdr -shared -e _start -o "$tmp/no-table" "$tmp/a.o"
sed 's/^\t\.text/\t.cfi_sections .debug_frame\n&/' "$tmp/a.s" >"$tmp/d.s"
as -o "$tmp/d.o" "$tmp/d.s"
ld -z noseparate-code -z max-page-size=64 --build-id=none -shared -e _start -o "$tmp/debug-frame" "$tmp/d.o"
ld.lld -shared -s -z max-page-size=4096 -e _start -o "$tmp/lld" "$tmp/a.o"

# The code's place in the file, which is mapped from 0x400000 on.
offset()
{
	echo $((0x400000 + 0x$(readelf -SW "$1" | sed -n 's/.* \.text *PROGBITS *[0-9a-f]* \([0-9a-f]*\) .*/\1/p')))
}
for f in shared no-table debug-frame lld; do
	t=$(offset "$tmp/$f")
	seed "$f" 0 2 8 $((t + 12)) 7 6 8 "$tmp/$f" $((t + 14)) $((t + 13)) $((t + 5))
done
t=$(offset "$tmp/shared")
seed signal 0 2 8 $((t + 85)) 7 6 8 "$tmp/shared" $((t + 84)) $((t + 12)) $((t + 5))
seed bare 0 0 8 $((t + 83)) 7 6 8 "$tmp/shared" $((t + 83)) $((0x900010)) $((t + 5))

printf '\t.text\n\t.globl f\nf:\t.cfi_startproc\n\tnop\n\t.cfi_def_cfa_offset 16\n\t.cfi_offset 29, -16\n\t.cfi_offset 30, -8\n\tnop\n\t.cfi_endproc\n' >"$tmp/b.s"
clang --target=aarch64-linux-gnu -nostdlib -shared -s -fuse-ld=lld -Wl,-z,max-page-size=4096 -o "$tmp/arm64" "$tmp/b.s"
t=$(offset "$tmp/arm64")
seed arm64 1 2 32 "$t" 31 29 8 "$tmp/arm64" $((t + 8)) $((t + 8)) $((t + 8))

printf '\t.text\n\t.globl f\nf:\t.cfi_startproc\n\tpush %%ebp\n\t.cfi_def_cfa_offset 8\n\t.cfi_offset %%ebp, -8\n\tnop\n\tret\n\t.cfi_endproc\n' >"$tmp/c.s"
as --32 -o "$tmp/c.o" "$tmp/c.s"
ld -m elf_i386 $flat -shared -o "$tmp/i386" "$tmp/c.o"
t=$(offset "$tmp/i386")
seed i386 0 3 8 $((t + 1)) 7 6 4 "$tmp/i386" $((t + 2)) $((t + 2))
chmod 644 "$out"/*
