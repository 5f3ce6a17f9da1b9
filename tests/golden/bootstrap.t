# bootstrap on systems that are not there: in a tree that it can build at once, with programs in PATH that stand for
# apt-get, dpkg-query, sudo and the like, and write what they are called with to the file "called".
mkdir real tree tree/data
for program in awk cat chmod cp cut date dirname env find getconf grep head ls mkdir rm sed sh sort tail touch tr uname wc; do
	ln -s "$(command -v $program)" real/$program
done
cp "$SRC/bootstrap" tree
cat >tree/configure <<'END'
#!/bin/sh
touch Makefile config.status
END
chmod +x tree/configure
touch tree/configure.ac tree/Makefile.am tree/Makefile.in
touch -t 202601010000 tree/configure.ac tree/Makefile.am

# fake NAME: a program, whose text comes from standard input
fake() {
	{
		echo '#!/bin/sh'
		echo "[ $1 = dpkg-query ] || [ $1 = id ] || echo \"$1 \$*\" >>'$PWD/called'"
		cat
	} >"bin/$1"
	chmod +x "bin/$1"
}

# system WHO PROGRAM...: one with a compiler and so on, but without libraries, and these programs besides
system() {
	rm -rf bin called tree/build
	mkdir bin
	: >called
	for program in cc autoreconf automake; do fake $program <<'END'
exit 0
END
	done
	fake pkg-config <<'END'
[ "$2" = ncursesw ]
END
	fake cc <<'END'
! grep -q demangle
END
	fake make <<'END'
[ "$3" = check ] || exit 0
printf 'PASS: a\n============\nTestsuite summary for x\n============\n# TOTAL: 1\n# PASS:  1\n'
END
	case $1 in root) uid=0 ;; *) uid=1000 ;; esac
	fake true </dev/null
	fake id <<END
echo $uid
END
	shift
	for program; do fake "$program" </dev/null; done
	# Which are installed stands in the file "installed"; libncurses-dev is.
	case " $* " in *' dpkg-query '*) fake dpkg-query <<END
case \$4 in libncurses-dev) echo installed ;; libdw-dev) echo config-files ;; *) exit 1 ;; esac
END
	;; esac
	case " $* " in *' sudo '*) fake sudo <<'END'
exec "$@"
END
	;; esac
}

go() {
	echo "\$ ./bootstrap $*"
	go_code=0
	CC='' JOBS='' PATH=$PWD/bin:$PWD/real "${tree:-./tree}/bootstrap" "$@" >said 2>&1 || go_code=$?
	sed "s/([0-9]* s)/(N s)/; s/-j[0-9]*/-jN/; s|${tree:-TREE}|TREE|g" said
	echo "[exit $go_code]"
	grep -E '^(apt-get|sudo|dnf|apk) ' called | sed 's/ env DEBIAN_FRONTEND=noninteractive LC_ALL=C//; s/ -o [^ ]*//g'
	: >called
}

echo '# Debian, as root and through sudo'
system root apt-get dpkg-query
go
system user apt-get dpkg-query sudo
go check

echo '# all is there'
system root apt-get dpkg-query
fake dpkg-query <<'END'
echo installed
END
go

echo '# no sudo, and a sudo that refuses'
system user apt-get dpkg-query
go
go --no-install
system user apt-get dpkg-query sudo
fake sudo </dev/null
echo 'exit 1' >>bin/sudo
go check

echo '# no network: apt-get update fails'
offline() {
	system root apt-get dpkg-query
	fake apt-get <<'END'
case "$*" in
*' update') echo 'Ign:1 http://deb.example stable InRelease' ;;
esac
echo "W: Failed to fetch http://deb.example/dists/stable/InRelease  Temporary failure resolving 'deb.example'"
case "$*" in *Error-Mode=any*update | *install*) exit 100 ;; esac
END
}
offline
go
go --no-install

echo '# the network goes away while packages are installed'
system root apt-get dpkg-query
fake apt-get <<'END'
case "$*" in *update) echo 'Hit:1 http://deb.example stable InRelease'; exit 0 ;; esac
echo 'E: Failed to fetch http://deb.example/pool/x.deb  Could not connect to deb.example:80 (192.0.2.1). - connect (113: No route to host)'
exit 100
END
go

echo '# one of two sources is gone, and one package is not to be had'
system root apt-get dpkg-query
fake apt-get <<'END'
case "$*" in
*update)
	echo 'Hit:1 http://deb.example stable InRelease'
	echo "W: Failed to fetch http://gone.example/InRelease  Could not resolve 'gone.example'"
	exit 100
	;;
*libcapstone-dev*) echo 'E: Unable to locate package libcapstone-dev'; exit 100 ;;
esac
END
go
grep 'cannot install' tree/build/bootstrap.log

for manager in dnf pacman apk zypper nothing-known; do
	echo "# $manager"
	system root $manager
	go check
done
system user dnf
go --no-install

echo '# a directory that may not be written'
# A file in the place of build does for root, too.
rm -rf tree/build
: >tree/build
# This directory may have a blank in its path or not, and the advice depends on that: one of each kind.
parent=$(mktemp -d /tmp/cresset-bootstrap.XXXXXX) || exit 1
cp -R tree "$parent/tree"
cp -R tree "$parent/tree with blanks"
for tree in "$parent/tree" "$parent/tree with blanks"; do
	go
done
tree=$parent/tree
rm "$tree/configure"
go
rm -rf "$parent"
