# Exports as text: folded stacks, and the samples one by one.
. "$SRC/tests/golden/ready.sh"
two_threads
cresset ingest --symfs sym two.data

run cresset export two -f folded
echo
cresset export two -f script >all.script
run cresset export two -f script | sed -n 1,10p
echo "$(grep -c '^[^	]' all.script) samples, $(grep -c '^	' all.script) lines of stacks"

echo '# a part of it'
run cresset export two -f folded --comm child
run cresset export two -f script --comm child --time ..0.01
run cresset export two -f folded --comm nobody
run cresset export two -f script --comm nobody

echo '# read again, it is the same'
cresset export two -f folded >one.folded
cresset collapse one.folded | cmp one.folded - && echo same

echo '# folded stacks come out as they went in: blanks, empty frames and all, also out of the store'
printf 'a; b ;c  1\na;;b 2\nmain;f(int, char) ;x_[k] 4\nx; 3\n' >odd.folded
cresset export odd.folded -f folded | cmp odd.folded - && echo same
cresset collapse odd.folded | cmp odd.folded - && echo same
cresset ingest -n odd odd.folded
cresset export odd -f folded | cmp odd.folded - && echo same
cresset merge odd one.folded -o both >/dev/null
cresset export both -f folded | grep -cxFf odd.folded

echo '# twice, and from the file: the same'
cresset export two -f script | cmp all.script -
cresset export --symfs sym two.data -f script | cmp all.script -

echo '# of folded stacks: the lines, with what they have'
run cresset export one.folded -f script | sed -n 1,8p
