# Kernel addresses in the fields of tracepoints: functions where the kernel prints them as such, else hexadecimal, as in
# perf script; the same from the file and from the store, in every command.
cat >kallsyms <<'END'
ffffffff81000000 T _text
ffffffff81000100 T allocate
ffffffff81000200 t expired
ffffffff81000300 T last
ffffffffc0000000 t x_first	[x_fs]
ffffffffc0000030 t x_alloc	[x_fs]
ffffffffc0000100 t x_end	[x_fs]
END
cp "$FIX/made-fields.perf.data" made.data
cresset ingest -n made --kallsyms kallsyms --map-dir none made.data >/dev/null

# both COMMAND...: of the file, as it was read anew and from the cache, and of the stored profile
both() {
	command=$1
	shift
	run cresset "$command" --kallsyms kallsyms --map-dir none made.data "$@" >read
	cat read
	run cresset "$command" --kallsyms kallsyms --map-dir none made.data "$@" | cmp read -
	run cresset "$command" made "$@" | sed '1d' >stored
	sed 1d read | cmp - stored
}

both info | grep -E '^field|: (field|missing)'
both export -f script --fields all | grep -a ':  '
both report -e kmem:kmalloc -s call_site --no-children
both report -e kmem:kfree -s owner
both report -e timer:hrtimer_expire_entry --group function -s sym
both series -e kmem:kmalloc --by call_site --csv | grep -v ",0,0$"
both report -e kmem:kmalloc --where call_site=allocate+0x1f -s ptr
echo '# without names they are hexadecimal'
run cresset report --symfs empty made.data -e kmem:kmalloc -s call_site --no-children
