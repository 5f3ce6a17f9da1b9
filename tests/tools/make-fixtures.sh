#!/bin/sh
# make-fixtures.sh - record tests/fixtures/good-two-threads.perf.data again.
#
# Needs: root (or kernel.perf_event_paranoid <= 1), gcc, perf, and unshare.
# The program is built and recorded in /srv/fixture, under the host name
# "fixture" and with an almost empty environment, so that nothing about the
# machine's own folders ends up in the recording.  The numbers in a recording
# differ from run to run: after recording anew, the expected values in the
# tests that read it must be looked at again.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=$here/../fixtures
dir=/srv/fixture

rm -rf "$dir"
mkdir -p "$dir" "$out"
cp "$here/two_threads.c" "$dir/"

cd "$dir"
# Frame pointers kept and no sibling calls, so that every caller is in the
# stack; no debug information, so that the program stays small.
gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -Wall -Wextra \
    -pthread -o two_threads two_threads.c

cat > record.sh <<'EOF'
hostname fixture
cd /srv/fixture
exec perf record -q -N -F 199 -g -e cpu-clock -o good-two-threads.perf.data \
    ./two_threads 0.1
EOF
unshare --uts env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/nonexistent \
    sh "$dir/record.sh"

install -m 644 good-two-threads.perf.data "$out/good-two-threads.perf.data"
install -m 644 two_threads "$out/good-two-threads.elf"
ls -l "$out/good-two-threads.perf.data" "$out/good-two-threads.elf"
