#!/bin/sh
# make-packed.sh - write the packed fixtures and tests/fuzz/corpus/fuzz_unpack again.
#
# Needs gzip, xz and zstd. Their next versions may pack differently; the tests do not mind.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

printf 'main;parse;lex 30\nmain;parse 10\nmain;render;draw 40\nmain;wait 20\n' >good-folded
zstd -q good-folded
head -c 100000000 /dev/zero | zstd -q -19 -c >bad-bomb.zst
cp good-folded.zst bad-bomb.zst "$here/../fixtures"

mkdir corpus
printf 'main;work 3\nmain;wait 4\n' >text
zeros() { head -c "$1" /dev/zero; }
(
	cd corpus
	cp ../text plain
	gzip -nc ../text >gzip
	{ printf '\037\213\010\010\000\000\000\000\002\003name\000'; tail -c +11 gzip; } >gzip-name
	xz -c ../text >xz
	xz -c --check=crc32 --block-size=8 ../text >xz-blocks
	xz -c --check=sha256 --x86 --lzma2 ../text >xz-filters
	zstd -qc ../text >zstd
	zstd -qc --no-check ../text >zstd-no-check
	{ printf '\136*M\030\004\000\000\000abcd'; cat zstd; } >zstd-skippable
	cat gzip xz zstd >mixed
	{ cat gzip; zeros 20; cat gzip; zeros 9; } >padded
	{ cat gzip; echo tail; } >tail
	head -c 30 gzip >gzip-cut
	head -c 40 xz >xz-cut
	head -c 20 zstd >zstd-cut
	zeros 300000 | zstd -qc >zeros
)
rm -rf "$here/../fuzz/corpus/fuzz_unpack"
mv corpus "$here/../fuzz/corpus/fuzz_unpack"
