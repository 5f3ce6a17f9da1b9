# Texts that are large in one way, the same ones every time.
#
#   awk -v what=deep|names|stacks|samples|unique -v n=N [-v format=folded|perf|stap]
#       [-v shape=recursion|names|walk] -f make-large-text.awk
#
#   deep     one stack of n frames
#   names    n stacks of two frames, no inner one named like another
#   stacks   n stacks, each another one, of ten names
#   samples  n stacks of a program that is busy with twenty thousand of them: what speed is measured with
#   unique   n stacks, nearly each another one, of the shape
#              recursion  20 to 60 frames of twelve functions that call one another
#              names      10 to 40 frames of 100,000 functions
#              walk       20 to 60 frames of 600 functions; each stack keeps a part of the one before
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

# Frames from `at` on, each of one of so many functions, called from one of so many places in it.
function wander(at, depth, functions, places,    d, i)
{
	for (d = at; d <= depth; d++) {
		i = next_random(functions)
		if (!(i in name))
			name[i] = i % 3 ? "plain_function_" i : long_name(i)
		f[d] = name[i]
		a[d] = i * 4096 + next_random(places) * 4
	}
}

function unique(    i, depth, functions, kept)
{
	functions = shape == "names" ? 100000 : shape == "walk" ? 600 : 12
	for (i = 0; i < n; i++) {
		kept = shape == "walk" && depth ? 2 + next_random(depth - 1) : 2
		depth = shape == "names" ? 10 + next_random(31) : 20 + next_random(41)
		f[2] = "run"
		wander(kept + 1, depth, functions, shape == "names" ? 4 : 64)
		put(depth, 250000)
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
	} else if (what == "unique") {
		unique()
	} else {
		samples()
	}
}
