#!/bin/sh
# Make tests/fuzz/corpus/fuzz_elf anew: tests/tools/make-elf-corpus.sh FOLDER. Needs binutils for
# x86 (as, ld, objcopy) and clang. What the linker makes differs a little between versions; any
# of them will do.
set -eu
out=${1:?folder}
mkdir -p "$out"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Names of C, C++, Rust and OCaml; aliases, overlaps, no sizes; calls through both kinds of stub.
cat >"$tmp/a.s" <<'END'
	.section .init,"ax"
	.globl _init
_init:	ret
	.text
	.globl _start, alias, _Z3addIiET_S0_S0_, camlFoo__bar_$2b_7, inner
	.weak _alias
	.type _start, @function
	.type alias, @function
	.type inner, @function
_start:
alias:
_alias:	call puts@PLT
	call *got_only@GOTPCREL(%rip)
	call both@PLT
	mov both@GOTPCREL(%rip), %rax
inner:	nop
	.size inner, 40
	ret
	.size _start, .-_start
_Z3addIiET_S0_S0_:
_ZN4core3fmt5write17h0123456789abcdefE:
	ret
	.size _Z3addIiET_S0_S0_, 1
	.type chosen, @gnu_indirect_function
chosen:	call chosen@PLT
camlFoo__bar_$2b_7:
	ret
	.data
	.type datum, @object
datum:	.long 1
	.size datum, 4
END
flat='-z noseparate-code -z max-page-size=64 --build-id'
as -o "$tmp/a.o" "$tmp/a.s"
ld $flat -shared -o "$out/shared" "$tmp/a.o"
ld $flat -shared -z ibtplt -o "$out/ibt-plt" "$tmp/a.o"
ld $flat -z now --unresolved-symbols=ignore-all -o "$out/static" "$tmp/a.o"
objcopy --only-keep-debug "$out/shared" "$out/debug-file"
objcopy --strip-all --add-gnu-debuglink="$out/debug-file" "$out/shared" "$out/stripped"
cp "$tmp/a.o" "$out/relocatable"

printf '\t.text\n\t.globl f\nf:\tcall g@PLT\n\tret\n\t.size f,.-f\n' >"$tmp/b.s"
as --32 -o "$tmp/b.o" "$tmp/b.s"
ld -m elf_i386 $flat -shared -o "$out/i386" "$tmp/b.o"
printf '\t.text\n\t.globl f\nf:\tblr\n\t.size f,.-f\n' >"$tmp/c.s"
clang --target=powerpc-linux-gnu -c -o "$out/big-endian" "$tmp/c.s"
chmod 644 "$out"/*
