# For tests of the browser in a real terminal, which source it: a shell under tmux, of any size.
needs tmux
# A folder of its own in the tests' folder of temporary files: a short path, as sockets need.
TMUX_TMPDIR=$(mktemp -d /tmp/cresset-e2e.XXXXXX) || exit 99
export TMUX_TMPDIR
unset TMUX
# A server that is leaving still holds its socket: each size has its own.
tm() { tmux -L "$socket" -f /dev/null "$@" 2>/dev/null; }
socket=none
# A server that stays keeps what it inherited: make waits at its end until nobody has its pipe of jobs.
kill_servers() {
	for server in "$TMUX_TMPDIR"/tmux-*/*; do
		[ -S "$server" ] && tmux -S "$server" kill-server 2>/dev/null
	done
	rm -rf "$TMUX_TMPDIR"
}
trap kill_servers EXIT

failed() {
	echo "FAILED: $*"
	tm capture-pane -p 2>/dev/null
	exit 1
}

# Wait for a line of the screen to match: minutes, as the machine may have other work.
wait_for() {
	polls=0
	until tm capture-pane -p | grep -q -e "$1"; do
		polls=$((polls + 1))
		[ "$polls" -lt ${WAITS:-3000} ] || failed "no '$1' on the screen${2:+ after $2}"
		sleep 0.1
	done
}

wait_gone() {
	polls=0
	while tm capture-pane -p | grep -q -e "$1"; do
		polls=$((polls + 1))
		[ "$polls" -lt ${WAITS:-3000} ] || failed "still '$1' on the screen${2:+ after $2}"
		sleep 0.1
	done
}

# Like wait_for, with a condition on the pane: alternate_on 1, pane_current_command sh ...
wait_pane() {
	polls=0
	until [ "$(tm display-message -p "#{$1}")" = "$2" ]; do
		polls=$((polls + 1))
		[ "$polls" -lt ${WAITS:-3000} ] || failed "$1 is $(tm display-message -p "#{$1}"), not $2"
		sleep 0.1
	done
}

cat >rc <<'RC'
PS1='begin> '
RC

# start COLUMNS LINES: a shell that waits for commands
start() {
	socket=$1x$2
	# tmux runs this through the user's shell: exec, so that the pane's process is the new shell.
	tm new-session -d -x "$1" -y "$2" "exec env ENV='$PWD/rc' sh -i" 3>&- 4>&-
	wait_for 'begin>'
	# Another prompt: the first one must not pass for that of the shell which waits for the next command.
	tm send-keys "stty -g >before; PS1='ready> '; clear" Enter
	wait_for '^ready> *$'
}

# The shell is back, its screen too, and the terminal is as it was.
back() {
	wait_pane alternate_on 0
	wait_for '^ready> *$' # what is typed before the shell reads would stand before its prompt
	tm send-keys "stty -g >after; echo sta''tus done" Enter
	wait_for 'status done' # behind the prompt, if the line was typed before that
	cmp before after || failed "the terminal is not as it was after $1"
	[ "$(tm display-message -p '#{cursor_flag}')" = 1 ] || failed "no cursor after $1"
	[ "$(tm display-message -p '#{mouse_any_flag}')" = 0 ] || failed "the mouse is still taken after $1"
	[ "$(tm display-message -p '#{keypad_flag}')" = 0 ] || failed "the keypad is still taken after $1"
	tm send-keys clear Enter
	wait_gone 'status done'
	wait_for '^ready> *$'
	echo "left by $1"
}
