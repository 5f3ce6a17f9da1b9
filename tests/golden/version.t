# The version: one line, and no more arguments.
run cresset --version x
cresset --version | sed 's/[0-9]*\.[0-9]*\.[0-9]*/N.N.N/'
