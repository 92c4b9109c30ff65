# The log: how much of it, and in which form.

load ../lib/common

@test "--log-level: how much is logged" {
	start_server --log-level warn
	connect ann
	send ann LIST
	expect ann 'END*'
	kill -KILL "$(spawner_pid)"
	wait_until grep -q ' warn spawner-replaced ' "$SERVER_LOG"
	run ! grep -v ' warn ' "$SERVER_LOG"
}

@test "--log-level debug says more, and leaves the cage closed; error says nothing of a good day" {
	start_server --log-level debug
	connect ann
	wait_until grep -q ' debug connected ' "$SERVER_LOG"
	start_server --log-level error --state other
	send_and_hear
	[[ ! -s $SERVER_LOG ]]
	run -2 "$BUILD/holmgang-server" --log-level loud
	[[ $output == *'--log-level needs error, warn, info or debug, not "loud"'* ]]
}

send_and_hear() {
	connect ben
	send ben LIST
	expect ben 'END*'
}

# Every line is one object, whose members are texts but for its number.
is_json_log() { # FILE
	run ! grep -vE '^\{"time":"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z","program":"[a-z-]+","process":[0-9]+,"level":"(error|warn|info|debug)","event":"[a-z-]+"(,"[a-z-]+":"([^"\\[:cntrl:]]|\\["\\]|\\u00[0-9a-f]{2})*")*\}$' "$1"
}

@test "--log-json: each event as an object, in all processes" {
	start_server --log-json --debug
	for name in ann ben; do
		connect "$name"
		send "$name" "PLAY tictactoe name=$name"
	done
	expect_later ann 'START *'
	find_duel
	kill_duel
	wait_until grep -q '"event":"duel-reborn"' "$SERVER_LOG"
	is_json_log "$SERVER_LOG" || fail "$output"
	grep -q "\"event\":\"listening\",\"address\":\"127.0.0.1:$PORT\"}" "$SERVER_LOG"
	# a value with spaces in it
	grep -q '"event":"duel-crashed","table":"0","pid":"[0-9]*",.*"reason":"killed"}' "$SERVER_LOG"
	grep -qE '"event":"registered",.*"shape":"tictactoe [^"]*"' "$SERVER_LOG"
	grep -qE '"event":"born",.*"game":"tictactoe"' "$SERVER_LOG"
}

@test "what is logged becomes JSON whatever it is" {
	"$BUILD/tests/log_test" 2>lines
	is_json_log lines || fail "$output"
	[[ $(wc -l <lines) == 6 ]]
	grep -q '"event":"plain"}$' lines
	grep -q '"event":"two","a":"b c","d":"e"}$' lines
	grep -q '"event":"odd","a":"\\u0001\\u00ff\\"x\\\\","b":"","c":""}$' lines
	# what does not fit is left out whole
	grep -q '"event":"long","first":"x*"}$' lines
	grep -q '"event":"open","a":"b c"}$' lines
	grep -q '"event":"last","pid":"x"}$' lines
}
