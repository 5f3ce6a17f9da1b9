# Self is self: where samples were taken, whatever is done to the stacks, on every surface.
cat >x.folded <<'EOF'
main;parse;lex 30
main;parse 10
main;draw;line;clip 20
main;draw;line 5
main;draw;draw;line 25
idle 10
EOF
sed 's/parse 10/parse 20/' x.folded >y.folded

selfs() { cresset report x.folded --sort sym --csv "$@" | tail -n +2 | awk -F, '{print $4 "=" $(NF-1)}' | LC_ALL=C sort | tr '\n' ' '; }
echo '# the same however the stacks are turned'
selfs >want
cat want
echo
for t in '--invert' '--invert --invert' '--recursion direct' '--invert --recursion direct' '--focus .' '--invert --focus .'; do
	selfs $t | cmp - want && echo "same: $t"
done
echo '# of what is left, also behind an invert'
for t in '--focus ^draw' '--drop lex' '--show-from ^draw' '--root-at parse' '--callees draw' '--callers line' '--callers draw' \
	'--hide ^line' '--prune ^draw'; do
	printf '%s: ' "$t"
	selfs $t | tee one
	echo
	selfs --invert $t | cmp one - && selfs $t --invert | cmp one - && echo same
done
echo '# function by function'
run cresset callers x.folded line --percent-limit 0 --csv
run cresset callers x.folded line --percent-limit 0 --csv --invert
run cresset callees x.folded draw --percent-limit 0 --csv
run cresset callees x.folded draw --percent-limit 0 --csv --invert
echo '# with call chains, of all and of self alone'
run cresset report x.folded --sort sym -g caller --limit 3 --invert
run cresset report x.folded --sort sym --no-children -g callee --callers line
echo '# the table of the browser, what is selected, the picture'
run cresset view x.folded -c 'invert; print functions'
run cresset view x.folded -c 'callers line; print functions'
run cresset view x.folded -c 'invert; select line; print selected; zoom; select draw; print selected'
cresset export x.folded -f svg --invert | grep -A1 -E '<title>(line|draw|main) ' | grep -v '^--'
echo '# a difference: self is what changed, and is coloured'
run cresset diff x.folded y.folded --report --invert
cresset diff x.folded y.folded -f svg --invert | grep -A1 '<title>parse '
