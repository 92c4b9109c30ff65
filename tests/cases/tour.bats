# The guided tour, and the page about Wireshark: what they say is what their commands print. And that
# the script which finds this out finds a lie. It makes itself a room of its own, so nothing is left behind.

load ../lib/common

setup_file() {
	"$ROOT/compile_linux" tour
}

# A page of one command.
# shellcheck disable=SC2016 # these are no commands
write_page() { # COMMAND PROMISE...
	{
		sed -n '/^unshare /p' "$ROOT/tests/tour/README.md"
		printf '```sh\n%s\n```\n```text\n' "$1"
		printf '%s\n' "${@:2}" '```'
	} >page.md
}

is_true() { # COMMAND PROMISE...
	write_page "$@"
	run "$ROOT/tests/tour/run" page.md
	[[ $status == 0 ]] || fail "$output"
}

is_a_lie() { # COMMAND PROMISE...
	write_page "$@"
	run "$ROOT/tests/tour/run" page.md
	[[ $status == 1 && $output == *'the page promises'* ]] || fail "$output"
}

# bats test_tags=slow
@test "the tour shows what its page says" {
	needs room trace
	HOLMGANG_BUILD=$BUILD run "$ROOT/tests/tour/run"
	[[ $status == 0 ]] || fail "$output"
	[[ $output == *'The page tells the truth.'* ]]
}

# bats test_tags=slow
@test "Wireshark understands all lines and frames of the five games, and finds what is malformed" {
	needs room trace
	HOLMGANG_BUILD=$BUILD run "$ROOT/tests/tour/run" "$ROOT/tests/tour/WIRE.md"
	[[ $status == 0 ]] || fail "$output"
	[[ $output == *'The page tells the truth.'* ]]
}

# bats test_tags=slow
@test "a page that lies is found out" {
	needs room
	is_true "printf 'one\ntwo\n'" one two
	is_true "printf 'one\n\n  two  words\n'" one 'two words'
	is_a_lie "printf 'one\ntwo\n'" one
	is_a_lie 'echo one' one two
	is_a_lie 'echo one; echo two' two one
	is_true 'seq 9' 1 ... 5 6 ... 9
	is_a_lie 'seq 9' 1 ... 5 7 ... 9
	is_true 'seq 9' ... 8 ...
	is_true 'echo "a [1.5] {b} (c) *"' 'a [1.5] {b} (c) *'
	is_a_lie 'echo "a [1x5]"' 'a [1.5]'
	is_true 'echo pid 17 of 99' 'pid ... of ...'
	is_a_lie 'echo pid 17 of' 'pid ... of ...'
}

# bats test_tags=slow
@test "what has a name is the same wherever it comes again" {
	needs room
	is_true 'echo 7 8; echo 8 7' '<one> <two>' '<two> <one>'
	is_a_lie 'echo 7 8; echo 7 8' '<one> <two>' '<two> <one>'
}

is_empty_room() {
	! pgrep -f "run --inside $PWD/page.md"
}

# bats test_tags=slow
@test "a command that fails ends the tour, and so does one that hangs" {
	needs room
	write_page false ...
	run "$ROOT/tests/tour/run" page.md
	[[ $status == 1 && $output == *'that failed'* ]] || fail "$output"
	write_page 'sleep 1000' ...
	LIMIT=0.5 run "$ROOT/tests/tour/run" page.md
	[[ $status == 137 ]] || fail "$output"
	# what ran in the room has ended with it
	wait_until is_empty_room
}

@test "the tour says which tool is missing" {
	mkdir tools
	ln -s "$(command -v bash)" "$(command -v dirname)" tools
	PATH=$PWD/tools run bash "$ROOT/tests/tour/run"
	[[ $status == 1 && $output == *'there is no unshare '*' strace '*'./compile_linux tour installs'* ]] || fail "$output"
}
