# The environment decides whether the browser uses colours on a terminal that has them.
needs python3
infocmp xterm-256color >/dev/null 2>&1 || skip 'there is no terminfo entry xterm-256color'
cat >browse.py <<'BROWSE'
import fcntl, os, pty, select, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    os.execvp("cresset", ["cresset", "--store", ".", sys.argv[1]])
out = b""
while True:
    if not select.select([fd], [], [], 60)[0]:
        break
    try:
        got = os.read(fd, 65536)
    except OSError:
        break
    if not got:
        break
    out += got
    if b"100" in out:
        os.write(fd, b"q")
print("colours" if b"[38;5;" in out or b"[48;5;" in out else "no colours")
BROWSE
export TERM=xterm-256color
browse() { printf '%s: ' "$1"; env $1 python3 browse.py "$SRC/data/demo.cresset"; }
browse A=1
browse NO_COLOR=1
browse NO_COLOR=
browse CLICOLOR=0
browse CLICOLOR=1
