# Folded stacks by the million, the same ones every time.
#
#   awk -v lines=100000 [-v depth=12] [-v names=5000] [-v seed=1] -f make-folded.awk
#
# Stacks share their beginnings, as those of programs do: each line keeps a part of the one before
# and goes on from there. Counts are small mostly, with a few large ones.
function next_random(below)
{
	seed = (seed * 16807) % 2147483647
	return seed % below
}

BEGIN {
	lines = lines ? lines : 1000
	depth = depth ? depth : 12
	names = names ? names : 5000
	seed = seed ? seed : 1
	stack[0] = "program"
	top = 0
	for (i = 0; i < lines; i++) {
		top = next_random(top + 1)
		while (top < depth && next_random(depth) > 1)
			stack[++top] = "function_" next_random(names)
		line = stack[0]
		for (d = 1; d <= top; d++)
			line = line ";" stack[d]
		print line, 1 + (next_random(100) ? next_random(20) : next_random(10000))
	}
}
