# Long names: in full into a pipe, shortened where it is asked for, and in columns that were given a width.
. "$SRC/tests/golden/ready.sh"
cat >cpp.script <<'EOF'
app 1/1 [000] 1.000000: 1 cycles:
	    7f00 void std::__introsort_loop<__gnu_cxx::__normal_iterator<int*, std::vector<int, std::allocator<int> > >, long, __gnu_cxx::__ops::_Iter_less_iter>(__gnu_cxx::__normal_iterator<int*, std::vector<int, std::allocator<int> > >, long) (/opt/a long folder/libsorting-of-things.so.1)
	    4000 main (/bin/app)

app 1/1 [000] 1.100000: 1 cycles:
	    4200 compress_block_with_a_dictionary_of_row_number_4 (/bin/app)
	    4100 compress_block_with_a_dictionary_of_row_number_6 (/bin/app)
	    4000 main (/bin/app)

app 1/1 [000] 1.200000: 1 cycles:
	    4200 compress_block_with_a_dictionary_of_row_number_4 (/bin/app)
	    4000 main (/bin/app)

EOF
sed 's/row_number_4/row_number_5/' cpp.script >other.script
widest() { sed 's/…/~/g' | awk '{ if (length($0) > n) n = length($0) } END { print n " cells" }'; }

run cresset report cpp.script
run cresset report cpp.script --short-names
export COLUMNS=60
run cresset report cpp.script --short-names -g caller
run cresset callers cpp.script compress_block_with_a_dictionary_of_row_number_4 --short-names
run cresset diff cpp.script other.script --report --short-names
COLUMNS=100
run cresset report cpp.script --short-names --hierarchy
run cresset report cpp.script --sort sym,dso --short-names
echo '# no wider than asked for, in any width; the last option counts'
for columns in 64 80 133; do
	COLUMNS=$columns
	for o in '' '-g graph' '-g callee,address' '-s comm' '-s sym' '-s dso,sym -F +sample' '--hierarchy' '-w 5,5'; do
		n=$(cresset report cpp.script --full-names --short-names $o | grep -v '^# [SEq]' | widest)
		[ "${n% *}" -le "$columns" ] || echo "report $o: $n in $columns"
	done
done
unset COLUMNS
cresset report cpp.script >full
cresset report cpp.script --short-names --full-names | cmp full - && echo same
echo '# widths that were given hold for every column'
run cresset report cpp.script -w 0,0,0,0,40
run cresset report cpp.script -w 6,6,3,12,24
cresset report cpp.script -w 0,0,0,0,400 | cmp full - && echo same
echo '# charts'
run cresset series cpp.script --by function --bins 20
run cresset series cpp.script --by function --bins 20 --full-names
echo '# not for programs'
for o in --csv --json --markdown '-t :'; do
	brief report cpp.script --short-names $o
done
LC_ALL=C
export LC_ALL
run cresset report cpp.script --no-children --short-names
