#!/bin/sh
# Make tests/fuzz/corpus/fuzz_elf anew: tests/tools/make-elf-corpus.sh FOLDER; with a second folder
# that of fuzz_split too. Needs binutils for x86 (as, ld, objcopy, dwp), gcc, clang, llvm-dwp,
# llvm-objcopy, gzip, xz and zstd. What the linker makes differs a little between versions; any of
# them will do.
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

# Symbols packed in a stripped file; packed files; packed sections; a module with debug info.
objcopy -S --remove-section=.comment --keep-symbol=alias --keep-symbol=inner "$out/debug-file" "$tmp/mini"
xz -c "$tmp/mini" >"$tmp/mini.xz"
objcopy --add-section .gnu_debugdata="$tmp/mini.xz" "$out/stripped" "$out/mini"
gzip -9nc "$out/i386" >"$out/packed.gz"
xz -c "$out/i386" >"$out/packed.xz"
zstd -q19c "$out/i386" >"$out/packed.zst"
map="-fdebug-prefix-map=$tmp=. -fdebug-prefix-map=$PWD=."
for i in 1 2 3 4 5 6 7 8; do # so much that packing makes it less
	echo "static int g$i; int f$i(int x) { return x * g$i; }"
done >"$tmp/d.c"
gcc -g -O1 $map -fno-pic -mcmodel=kernel -c -o "$out/module" "$tmp/d.c"
gcc -g -O1 $map -shared -nostdlib -Wl,-z,noseparate-code,-z,max-page-size=64 -o "$tmp/d" "$tmp/d.c"
objcopy --compress-debug-sections=zlib "$tmp/d" "$out/sections-zlib"
objcopy --compress-debug-sections=zlib-gnu "$tmp/d" "$out/sections-old"
llvm-objcopy --compress-debug-sections=zstd "$tmp/d" "$out/sections-zstd" 2>/dev/null ||
	objcopy --compress-debug-sections=zstd "$tmp/d" "$out/sections-zstd"
objcopy --compress-debug-sections=zlib "$out/module" "$out/module-zlib"
chmod 644 "$out"/*

[ $# -gt 1 ] || exit 0
out=$2
mkdir -p "$out"
for v in 4 5; do
	(cd "$tmp" && gcc $map -gdwarf-$v -O1 -gsplit-dwarf -c -o "gcc$v.o" d.c && cp "gcc$v.dwo" "$out/gcc-$v")
	(cd "$tmp" && clang $map -gdwarf-$v -O1 -gsplit-dwarf -c -o "clang$v.o" d.c && cp "clang$v.dwo" "$out/clang-$v")
	(cd "$tmp" && llvm-dwp -o "$out/package-$v" "clang$v.dwo")
done
dwp -o "$out/package-gnu" "$tmp/gcc4.dwo"
chmod 644 "$out"/*
