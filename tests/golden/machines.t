# Stacks of several machines, unwound from their registers and memory.
for name in arm64 x86-64 i386 arm riscv64 ppc64le s390x; do
	mkdir "$name"
	cp "$FIX/alone-$name.elf" "$name/$name"
	echo "# $name"
	cresset export "$FIX/alone-$name.perf.data" --store store --symfs "$name" --no-inline -f folded
	cresset info "$FIX/alone-$name.perf.data" --store store --symfs "$name" --no-inline | grep '^missing.*stacks'
done
:
