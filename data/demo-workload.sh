#!/bin/sh
# demo-workload.sh - make the recordings behind data/demo.cresset and
# data/query.perf.data.
#
#   demo-workload.sh build    fetch the Debian sources and build the programs
#   demo-workload.sh demo     record the demo (about 30,000 samples)
#   demo-workload.sh profile  make demo.cresset of the recording, with code and source of its hot functions
#   demo-workload.sh query    record the small one (about 2,500 samples) and its symbols
#   demo-workload.sh          all four
#
# Needs: root, gcc, make, tclsh, perf, unshare, libc6-dbg, a deb-src line for apt, and cresset ($CRESSET says which).
# Everything is built, run and left in /opt/demo, so that a recording can be
# symbolised afterwards, and is recorded under the host name "demo".
#
# The programs are Debian's sqlite3 and zstd, built as usual (-O2 -g)
# except that frame pointers are kept: without them "perf record -g" sees only
# the innermost one or two callers. The builds are reproducible: on Debian 12
# they have the build-ids of data/demo.cresset.
set -eu

dir=/opt/demo
src=$dir/src
bin=$dir/bin
work=$dir/work
cflags='-O2 -g -fno-omit-frame-pointer'
self=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")

build() {
    mkdir -p "$src" "$bin"
    cd "$src"
    [ -d sqlite3-* ] || apt-get source -q sqlite3
    [ -d libzstd-* ] || apt-get source -q libzstd

    cd "$src"/sqlite3-*/
    mkdir -p "$src/build-sqlite3"
    (
        s=$PWD
        cd "$src/build-sqlite3"
        "$s/configure" -q --disable-tcl --disable-readline CFLAGS="$cflags"
        make -s sqlite3.c shell.c
        gcc $cflags -DSQLITE_THREADSAFE=2 -DSQLITE_DEFAULT_WORKER_THREADS=2 \
            -DSQLITE_ENABLE_FTS5 -DSQLITE_OMIT_LOAD_EXTENSION \
            -o "$bin/sqlite3" shell.c sqlite3.c -lm -lpthread
    )

    cd "$src"/libzstd-*/programs
    make -s clean >/dev/null
    make -s zstd CFLAGS="$cflags" MOREFLAGS= HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0
    install zstd "$bin/zstd"
}

# What is recorded for the demo: a shop's database is built, indexed, searched
# and put in order, while a backup of the program sources is compressed by two
# threads, unpacked again, and the finished database compressed at last.
sql_load() {
    cat <<'EOF'
PRAGMA journal_mode = wal;
PRAGMA cache_size = -16000;
CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT, city TEXT, since TEXT);
CREATE TABLE product(id INTEGER PRIMARY KEY, title TEXT, price REAL);
CREATE TABLE sale(id INTEGER PRIMARY KEY, customer INTEGER, product INTEGER,
                  amount INTEGER, day TEXT, note TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 20000)
INSERT INTO customer SELECT i, printf('Customer %05d', (i * 7919) % 20000),
  substr('BernBielGenfSionChurThun', 1 + (i % 6) * 4, 4),
  date('2015-01-01', printf('+%d days', (i * 31) % 3000)) FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 2000)
INSERT INTO product SELECT i, lower(hex(i * 104729)), round(i * 0.37 + 1, 2) FROM n;
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 500000)
INSERT INTO sale SELECT i, 1 + (i * 7919) % 20000, 1 + (i * 131) % 2000,
  1 + i % 7, date('2020-01-01', printf('+%d days', (i * 17) % 1500)),
  printf('%x delivered to door %d', i * 2654435761 % 4294967296, i % 97) FROM n;
COMMIT;
CREATE INDEX sale_customer ON sale(customer, day);
CREATE INDEX sale_day ON sale(day);
CREATE INDEX sale_note ON sale(note);
ANALYZE;
EOF
}

sql_query() {
    cat <<'EOF'
PRAGMA cache_size = -16000;
SELECT c.city, count(*), round(sum(s.amount * p.price), 2)
  FROM sale s JOIN customer c ON c.id = s.customer
  JOIN product p ON p.id = s.product GROUP BY c.city ORDER BY 3 DESC;
SELECT count(*) FROM sale WHERE note LIKE '%door 1_' AND amount > 2;
SELECT substr(day, 1, 7) AS month, sum(amount),
  sum(sum(amount)) OVER (ORDER BY substr(day, 1, 7)) FROM sale GROUP BY month;
SELECT name, (SELECT max(day) FROM sale WHERE customer = customer.id) AS last
  FROM customer ORDER BY last DESC, name LIMIT 5;
SELECT count(DISTINCT substr(note, 1, 6)) FROM sale;
UPDATE product SET price = round(price * 1.05, 2) WHERE id % 3 = 0;
UPDATE sale SET note = upper(note) WHERE day BETWEEN '2021-01-01' AND '2021-06-30';
DELETE FROM sale WHERE day < '2020-03-01';
PRAGMA integrity_check;
VACUUM;
EOF
}

job() {
    cd "$work"
    (
        sqlite3 shop.db < load.sql
        sqlite3 shop.db < query.sql
    ) > answers.txt &
    zstd -q -f -T2 -12 sources.tar -o sources.tar.zst
    zstd -q -d -f sources.tar.zst -o sources.out
    wait
    zstd -q -f -T2 -8 shop.db -o shop.db.zst
}

demo() {
    rm -rf "$work"
    mkdir -p "$work"
    cd "$work"
    sql_load > load.sql
    sql_query > query.sql
    cp "$self" "$work/demo-workload.sh"
    # src/build-sqlite3 is left out: it differs from machine to machine.
    tar cf sources.tar -C "$src" --exclude=.git \
        $(cd "$src" && ls -d sqlite3-*/ libzstd-*/)
    cat > record.sh <<'EOF'
hostname demo
cd /opt/demo/work
exec perf record -q -N -F 1399 -g -e cpu-clock -m 4M -o demo.perf.data \
    sh ./demo-workload.sh job
EOF
    unshare --uts env -i PATH=$bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/nonexistent LC_ALL=C sh "$work/record.sh"
    rm -f sources.tar sources.out sources.tar.zst shop.db.zst
    ls -l "$work/demo.perf.data"
}

# The profile of the demo. What it has of files is that of sqlite3 and zstd alone: their code, and lines of their
# source, whose licences README names. libc is named by its debug file, which has no code; sources elsewhere, such
# as the compiler's headers, are not in the root.
profile() {
    root=$dir/root
    rm -rf "$root"
    mkdir -p "$root$src/build-sqlite3"
    cp -R "$bin" "$root$dir/"
    cp "$src"/build-sqlite3/*.[ch] "$root$src/build-sqlite3/"
    cp -R "$src"/libzstd-*/ "$root$src/"
    cd "$work"
    "${CRESSET:-cresset}" export demo.perf.data --no-cache --with-source --symfs "$root" \
        --debug-dir /usr/lib/debug --kallsyms /proc/kallsyms -f cresset -o demo.cresset
    rm -rf "$root"
    ls -l "$work/demo.cresset"
}

# The small one: one process, one thread, user mode alone, so that a table of the symbols of
# sqlite3 is all that is needed to name nearly every frame on any machine. SQLite is in the
# public domain; so is what this leaves in debug/.
query_small() {
    mkdir -p "$work"
    cd "$work"
    rm -rf debug small.db
    sql_load | sed 's/500000/150000/' > load.sql
    sqlite3 small.db < load.sql > answers.txt
    sql_query > query.sql
    cat > record.sh <<'EOF'
hostname demo
cd /opt/demo/work
exec perf record -q -N -F 1999 -g -e cpu-clock:u -o query.perf.data \
    sh -c 'exec sqlite3 small.db < query.sql > answers.txt'
EOF
    unshare --uts env -i PATH=$bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/nonexistent LC_ALL=C sh "$work/record.sh"
    id=$(readelf -n "$bin/sqlite3" | sed -n 's/.*Build ID: //p')
    rest=${id#??}
    mkdir -p "debug/.build-id/${id%"$rest"}"
    objcopy --only-keep-debug --remove-section='.debug*' "$bin/sqlite3" \
        "debug/.build-id/${id%"$rest"}/$rest.debug"
    rm -f small.db
    ls -lR "$work/query.perf.data" debug
}

case ${1-all} in
    build) build ;;
    demo) demo ;;
    profile) profile ;;
    query) query_small ;;
    job) job ;;
    all) build; demo; profile; query_small ;;
    *) echo "usage: $0 [build|demo|profile|query]" >&2; exit 2 ;;
esac
