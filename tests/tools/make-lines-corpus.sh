#!/bin/sh
# Make tests/fuzz/corpus/fuzz_lines anew: tests/tools/make-lines-corpus.sh FOLDER. Needs gcc, clang with
# lld, and binutils. What compilers make differs between versions; any of them will do.
set -eu
out=${1:?folder}
mkdir -p "$out"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

# Functions in functions, in parts that are never entered, in a namespace, in a type, in another unit.
cat >a.cc <<'END'
namespace n { struct S { int x; int get() const { return x * 3; } }; }
static inline int twice(int v) { return v + v; }
static inline int more(const n::S &s) { return twice(s.get()) + 1; }
extern "C" int hidden(int);
extern "C" int
f(n::S *s, int n)
{
	struct local { static int run(int v) { return twice(v) ^ 7; } };
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += more(s[i]);
	if (__builtin_expect(sum < 0, 0))
		return hidden(twice(sum));
	return sum + local::run(n);
}
END
cat >b.c <<'END'
static int odd(int v) { return v & 1; }
int hidden(int v) { return odd(v) ? v : -v; }
END
flags='-O2 -fno-asynchronous-unwind-tables -ffile-prefix-map='$tmp'=.'
flat='-nostdlib -shared -Wl,-z,noseparate-code -Wl,-z,max-page-size=64 -Wl,--build-id=none'

for v in 3 4 5; do
	gcc $flags -gdwarf-$v $flat -o "$out/gcc-$v" -x c++ a.cc -x c b.c
done
gcc $flags -g -flto $flat -o "$out/gcc-lto" a.cc b.c 2>/dev/null
gcc $flags -g -ffunction-sections -Wl,--gc-sections $flat -o "$out/gcc-parts" a.cc b.c
gcc $flags -g -gz=zlib $flat -o "$out/gcc-zlib" a.cc
clang $flags -gdwarf-4 -fuse-ld=lld $flat -o "$out/clang-4" a.cc
clang $flags -gdwarf-5 -fuse-ld=lld $flat -o "$out/clang-5" a.cc b.c
clang $flags -g -gsplit-dwarf -c a.cc
clang -fuse-ld=lld $flat -o "$out/clang-split" a.o
clang --target=i386-linux-gnu $flags -g -c -o "$out/i386-object" a.cc
clang --target=powerpc64-linux-gnu $flags -g -c -o "$out/big-endian" a.cc
clang $flags -gline-tables-only -fuse-ld=lld $flat -o "$out/clang-lines" a.cc
gcc $flags -g1 $flat -o "$out/gcc-g1" a.cc
chmod 644 "$out"/*
