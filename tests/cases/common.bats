# The helpers of common.bash and the runner themselves: that what must fail does fail.

load ../lib/common

# The file of tests on standard input, run as `make test` runs all. It finds this test's folder in
# OUTER. Its tests begin with "case": bats would take an @test for one of this file.
run_tests() {
	mkdir -p "$BATS_TEST_TMPDIR"/inner/{cases,lib}
	cp "$ROOT"/tests/lib/{common,powers}.bash "$BATS_TEST_TMPDIR/inner/lib"
	cp "$ROOT/tests/cases/setup_suite.bash" "$BATS_TEST_TMPDIR/inner/cases"
	cp "$ROOT/tests/run" "$BATS_TEST_TMPDIR/inner"
	{ echo load ../lib/common && sed 's/^case "/@test "/'; } >"$BATS_TEST_TMPDIR/inner/cases/inner.bats"
	OUTER=$BATS_TEST_TMPDIR HOLMGANG_BUILD=$BUILD run "$BATS_TEST_TMPDIR/inner/run"
}

@test "the runner counts what passed" {
	run_tests <<-'END'
		case "a" { true; }
		case "b" { true; }
	END
	((status == 0))
	[[ ${lines[-1]} == '2 passed, 0 failed' ]]
}

@test "the runner counts a skipped test, and one that never ran, as failed" {
	run_tests <<-'END'
		case "a" { true; }
		case "b" { skip; }
	END
	((status == 1))
	[[ ${lines[-1]} == '1 passed, 1 failed' && $output == *'# skip'* ]]
	run_tests <<-'END'
		setup_file() { false; }
		case "a" { true; }
		case "b" { true; }
	END
	((status == 1))
	[[ ${lines[-1]} == '0 passed, 2 failed' ]]
	run_tests <<-'END'
		case "a" {
	END
	((status == 1))
	[[ ${lines[-1]} == '0 passed, 1 failed' ]]
}

# Two powers of the machine are said to be refused.
run_tests_lacking() { # [WORD]
	HOLMGANG_LACKS=$'network: no nets\ntrace: not here' HOLMGANG_NO_SKIP=${1-} run_tests
}

@test "the runner leaves out by name what needs a power that the machine refuses, and counts it" {
	run_tests_lacking <<-'END'
		case "a" { needs disk; has_power look; }
		case "b # skip" { needs disk network; false; }
		case "c" { ! has_power trace; needs trace; false; }
	END
	((status == 0))
	[[ ${lines[-1]} == '1 passed, 0 failed, 2 skipped' && ${lines[0]} == 'inner.bats: 1 passed, 0 failed, 2 skipped' ]]
	[[ $output == *$'\nok 2 b # skip in '*'# skip needs network: no nets'$'\n'* ]]
	[[ $output == *$'\nok 3 c in '*'# skip needs trace: not here'$'\n'* ]]
	# nothing is left of a run in which all is left out
	run_tests_lacking <<-'END'
		case "a" { needs network; }
	END
	((status == 1))
	[[ ${lines[-1]} == '0 passed, 0 failed, 1 skipped' ]]
}

@test "with HOLMGANG_NO_SKIP what the machine refuses fails the tests that need it, and no other" {
	run_tests_lacking yes <<-'END'
		case "a" { needs disk; }
		case "b" { needs network; }
	END
	((status == 1))
	[[ ${lines[-1]} == '1 passed, 1 failed' && $output == *'needs network: no nets (with HOLMGANG_NO_SKIP'* ]]
}

@test "a skip for what the machine does not refuse, or for no power, has failed" {
	run_tests_lacking <<-'END'
		case "a" { skip "needs network: something else"; }
		case "b" { skip "needs disk: no"; }
		case "c" { skip "network: no nets"; }
		case "d" { needs wings; }
		case "e" { true; }
	END
	((status == 1))
	[[ ${lines[-1]} == '1 passed, 4 failed' && $output == *'"wings" is no power'* ]]
}

@test "what a machine refuses is found by trying" {
	local said
	# shellcheck disable=SC2317 # find_lacks calls it
	said=$(
		unshare() { echo "unshare: refused" >&2 && return 1; }
		find_lacks "$BUILD"
	)
	grep -qx 'network: unshare: refused' <<<"$said"
	grep -qx 'disk: unshare: refused' <<<"$said"
	said=$(find_lacks "$BATS_TEST_TMPDIR") # where there is no strike
	grep -q '^trace: .*No such file' <<<"$said"
}

@test "a process that is left behind fails its test, and is ended" {
	run_tests <<-'END'
		case "a" {
			launch parent bash -c "tail -f /dev/null & trap exit TERM; echo up; wait"
			wait_until grep -q up "$LOG"
			echo "$PID" >"$OUTER/leader"
			DEADLINE=1 # of the wait for those that are left
		}
	END
	((status == 1))
	[[ $output == *'left behind by '*'tail -f /dev/null'* ]]
	has_no_family "$(<leader)"
}

@test "what a sanitizer says in a log fails the test" {
	run_tests <<-'END'
		case "a" {
			echo "x.c:1:2: runtime error: signed integer overflow" >some.log
		}
	END
	((status == 1))
	[[ $output == *'signed integer overflow'* ]]
}

@test "a server that ends badly fails its test" {
	run_tests <<-'END'
		case "a" {
			start_server
			SERVERS+=("$PID")
			launch bad bash -c "trap \"exit 3\" TERM; echo up; while :; do read -rt 1 <> <(:); done"
			SERVERS+=("$PID")
			wait_until grep -q up "$LOG"
		}
	END
	((status == 1))
	[[ $output == *'the server ended with status 3 at SIGTERM'* ]]
}

@test "expectations that are not met fail and say what came instead" {
	start_server
	connect anna
	send anna PLAY
	run expect anna 'START *'
	((status == 1))
	[[ $output == 'anna expected "START *" and got "ID '* ]]
	run expect_nothing anna
	((status == 1))
	run expect_eof anna 1
	((status == 1))
	run expect_later anna 'START *' 0.2
	((status == 1))
	send anna LOGOUT
	expect_later anna ABORTED
	expect_nothing anna
	run expect anna '*' 0.2
	((status == 1))
	[[ $output == *'got nothing in 0.2 s'* ]]
}

@test "a line that comes in pieces is one line, even after a wait in vain" {
	local fd
	exec {fd}< <(printf 'one ' && read -rt 0.5 <> <(:) || printf 'two\n')
	# shellcheck disable=SC2034,SC2154 # it is a name in common.bash
	CONNECTION[anna]=$fd
	if expect anna '*' 0.2 2>/dev/null; then fail 'half a line was taken for one'; fi
	expect anna 'one two'
	expect_eof anna
}

@test "free ports are given once, also in rows" {
	local ports
	ports=$(for _ in 1 2 3 4 5 6 7 8; do free_port 5; done)
	[[ $(for first in $ports; do seq "$first" $((first + 4)); done | sort -u | wc -l) == 40 ]]
}
