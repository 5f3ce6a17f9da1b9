# Texts that are no profiles, of many kinds, and profiles that are not read: nobody wants any of them.
awk '/^%%%% / { if (name) close(name); name = $2; next } { print > name }' "$FIX/strangers.txt"
for file in [a-z]*; do
	cresset collapse "$file" >"$file.said" 2>&1
	printf '%s %s\n' "$?" "$(sed -n 's/^cresset: [^ :]*: //p' "$file.said" | tail -n 1)"
done | sort | uniq -c | sed 's/^ *//'

echo '# one of them, as it is told'
run cresset collapse prose 2>&1 | sed 's/\(says what it is:\).*/\1 .../'
echo '# its first lines that are not blank'
printf '\n \n\t\nIt was\n\nthe best\n' >spaced
run cresset collapse spaced 2>&1 | sed 's/\(says what it is:\).*/\1 .../'
echo '# and who would be so bold'
run cresset collapse --format stap fstab
:
