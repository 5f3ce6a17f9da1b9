# Texts that are large in one way, the same ones every time.
#
#   awk -v what=deep|names|stacks|samples -v n=N [-v format=folded|perf|stap] -f make-large-text.awk
#
#   deep     one stack of n frames
#   names    n stacks of two frames, no inner one named like another
#   stacks   n stacks, each another one, of ten names
#   samples  n stacks of a program that is busy with twenty thousand of them: what speed is measured with
function line(name, address)
{
	if (format == "perf")
		printf "\t%16x %s+0x%x (/usr/lib/lib%s.so)\n", 4194304 + address, name, address % 4096, substr(name, 1, 1)
	else if (format == "stap")
		printf " 0x%x : %s+0x%x/0x2000 [/usr/lib/lib%s.so]\n", 4194304 + address, name, address % 4096, substr(name, 1, 1)
	else
		printf "%s", name
}

# The stack f[1..depth], outermost first; a[] are addresses.
function put(depth, weight,    i)
{
	if (format == "perf")
		printf "server  %d/%d [%03d] %d.%06d:     %d cycles:u: \n", 100, 100 + k % 8, k % 4, k / 1000, k % 1000 * 1000, weight
	for (i = format == "folded" ? 1 : depth; i >= 1 && i <= depth; i += format == "folded" ? 1 : -1) {
		line(f[i], a[i])
		if (format == "folded" && i < depth)
			printf ";"
	}
	printf format == "folded" ? " %d\n" : format == "stap" ? "\t%d\n" : "\n", weight
	k++
}

function next_random(below)
{
	seed = (seed * 16807) % 2147483647
	return seed % below
}

# Names as C++ has them, of twenty to eighty bytes.
function long_name(i)
{
	return sprintf("%s::detail::worker_%d<std::%s<int, %d> >::run(unsigned long, char const*)", "app" i % 7, i, i % 3 ? "vector" : "map", i % 11)
}

# A walk of a tree: each stack keeps a part of the one before.
function samples(    i, d, top)
{
	for (d = 3; d < 32; d++)
		at[d] = 3 + next_random(600)
	for (i = 0; i < 20000; i++) {
		top = 8 + next_random(24)
		for (d = 3 + next_random(6); d <= top; d++)
			at[d] = 3 + next_random(600)
		depth[i] = top
		for (d = 1; d <= top; d++)
			stack[i, d] = d <= 2 ? d : at[d]
	}
	for (i = 1; i < 603; i++)
		name[i] = i % 3 ? "plain_function_" i : long_name(i)
	for (i = 0; i < n; i++) {
		d = next_random(10) ? next_random(400) : next_random(20000)
		for (top = 1; top <= depth[d]; top++) {
			f[top] = name[stack[d, top]]
			a[top] = stack[d, top] * 4096 + (d + top) % 61 * 4
		}
		put(depth[d], 250000)
	}
}

BEGIN {
	format = format ? format : "folded"
	seed = 1
	f[1] = "main"
	if (what == "deep") {
		for (i = 1; i <= n; i++)
			f[i] = "f" i % 1000
		put(n, 1)
	} else if (what == "names") {
		for (i = 0; i < n; i++) {
			f[2] = "name_" i
			a[2] = i
			put(2, 1)
		}
	} else if (what == "stacks") {
		for (i = 0; i < n; i++) {
			for (d = 2; d <= 9; d++)
				f[d] = "f" int(i / 10 ^ (9 - d)) % 10
			put(9, 1)
		}
	} else {
		samples()
	}
}
