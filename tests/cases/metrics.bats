# What the server counts, in Prometheus' text format, and the HTTP it comes by.

load ../lib/common

# A strict reader of the text format, version 0.0.4. Prints each sample as "NAME{LABELS} VALUE"; what is
# wrong goes to standard error, and is a failure.
#
# Beyond the format it wants: every family has HELP and TYPE before its samples, all in one place, each
# sample once; counters end in _total; the buckets of a histogram grow with their bounds, end with
# +Inf, which equals the count.
check_format() {
	awk '
		function bad(why) {
			print FILENAME NR ": " why ": " $0 >"/dev/stderr"
			failed = 1
		}
		function family(name) {
			if (name in type) return name
			if (match(name, /_(bucket|sum|count)$/) && type[substr(name, 1, RSTART - 1)] == "histogram")
				return substr(name, 1, RSTART - 1)
			return ""
		}
		function bound(labels) {
			if (!match(labels, /le="[^"]*"/)) return ""
			return substr(labels, RSTART + 4, RLENGTH - 5)
		}
		/^# HELP [a-z_]+ [^\\]+$/ {
			if (help[$3]++) bad("two HELPs")
			current = $3
			next
		}
		/^# TYPE [a-z_]+ (counter|gauge|histogram)$/ {
			if (!($3 in help) || current != $3) bad("no HELP before it")
			if ($3 in type) bad("two TYPEs")
			if (($4 == "counter") != ($3 ~ /_total$/)) bad("only a counter is a total")
			type[$3] = $4
			next
		}
		/^[a-z_]+(\{[a-z_]+="[^"\\]*"(,[a-z_]+="[^"\\]*")*\})? [0-9]+(\.[0-9]+)?$/ {
			name = $1
			labels = ""
			if (match($1, /\{.*/)) {
				name = substr($1, 1, RSTART - 1)
				labels = substr($1, RSTART)
			}
			of = family(name)
			if (of == "") bad("no TYPE")
			if (of != current) bad("away from its family")
			if (of == name && type[of] == "histogram") bad("a histogram has no such sample")
			if (seen[$1]++) bad("twice")
			if (name ~ /_bucket$/ && type[of] == "histogram") {
				le = bound(labels)
				if (le == "" || last[of] == "+Inf") bad("its bound")
				if (last[of] != "" && le != "+Inf" && le + 0 <= last[of] + 0) bad("bounds do not grow")
				if ($2 + 0 < most[of] + 0) bad("buckets shrink")
				last[of] = le
				most[of] = $2
			}
			if (name == of "_count") {
				if (last[of] != "+Inf" || most[of] != $2) bad("+Inf is not the count")
				counts[of] = 1
			}
			if (name == of "_sum") sums[of] = 1
			print
			next
		}
		{ bad("neither comment nor sample") }
		END {
			for (of in type)
				if (type[of] == "histogram" && !(counts[of] && sums[of])) {
					print of " has no count or no sum" >"/dev/stderr"
					failed = 1
				}
			exit failed
		}'
}

is_wrong() { # TEXT
	check_format <<<"$1" >/dev/null 2>&1 || return 0
	fail 'this was taken for right:' "$1"
}

@test "the checker of this file knows right from wrong" {
	local head=$'# HELP a_total x\n# TYPE a_total counter\n'
	local h=$'# HELP h x\n# TYPE h histogram\n'
	check_format <<<"${head}a_total 1"
	check_format <<<"${h}h_bucket{le=\"1\"} 1"$'\nh_bucket{le="+Inf"} 2\nh_sum 3.5\nh_count 2'
	is_wrong 'a_total 1'
	is_wrong "${head}a_total 1"$'\na_total 2'
	is_wrong "${head}a_total -"
	is_wrong "${head}b_total 1"
	is_wrong $'# TYPE a_total counter\na_total 1'
	is_wrong $'# HELP a x\n# TYPE a counter\na 1'
	is_wrong "${h}h_bucket{le=\"1\"} 3"$'\nh_bucket{le="+Inf"} 2\nh_sum 3\nh_count 2'
	is_wrong "${h}h_bucket{le=\"1\"} 1"$'\nh_bucket{le="+Inf"} 2\nh_sum 3\nh_count 3'
	is_wrong "${h}h_bucket{le=\"2\"} 1"$'\nh_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\nh_sum 3\nh_count 2'
	is_wrong "${h}h_bucket{le=\"1\"} 1"$'\nh_sum 3\nh_count 1'
	is_wrong "${h}h_bucket{le=\"+Inf\"} 1"$'\nh_count 1'
}

# The samples as they are now, in $output.
scrape() {
	output=$("$BUILD/holmgang-server" metrics | check_format)
}

has_sample() { # NAME{LABELS} VALUE
	scrape && grep -qxF -- "$1 $2" <<<"$output"
}

expect_sample() { # NAME{LABELS} VALUE
	wait_until has_sample "$@" || fail "$(grep -F "${1%%\{*}" <<<"$output")"
}

sit() { # A B KEY=VALUE...
	local name side=cross
	for name in "$1" "$2"; do
		connect "$name"
		send "$name" "PLAY tictactoe name=$name side=$side${*:3}"
		side=nought
	done
	expect_later "$1" 'START *'
	expect_later "$2" 'START *'
}

@test "metrics: nothing has happened yet" {
	start_server
	scrape
	has_sample 'holmgang_tables_started_total{game="tictactoe"}' 0
	has_sample holmgang_birth_seconds_count 0
	has_sample 'holmgang_birth_seconds_bucket{le="+Inf"}' 0
	has_sample holmgang_spawners_started_total 1
	has_sample 'holmgang_errors_total{code="busy"}' 0
}

@test "metrics: a table that is played to its end, by game and reason" {
	start_server
	sit ann ben
	expect_sample holmgang_tables 1
	has_sample holmgang_connections 2
	has_sample holmgang_connections_total 2
	expect_sample 'holmgang_tables_started_total{game="tictactoe"}' 1
	expect_sample holmgang_birth_seconds_count 1
	send ann PLAY
	expect_later ann 'ERROR already-playing *'
	send ann RESIGN
	expect_later ben 'WIN resigned'
	expect_sample 'holmgang_tables_ended_total{game="tictactoe",reason="over"}' 1
	expect_sample holmgang_tables 0
	expect_sample 'holmgang_rounds_ended_total{game="tictactoe",reason="resigned"}' 1
	# what the duel has told at its end
	expect_sample holmgang_boards_total 2
	expect_sample 'holmgang_errors_total{code="already-playing"}' 1
	send ann FOO
	expect_later ann 'ERROR unknown-command *'
	expect_sample 'holmgang_errors_total{code="unknown-command"}' 1
	[[ $(awk '$1 == "holmgang_sent_bytes_total" { print $2 }' <<<"$output") -gt 200 ]]
}

@test "metrics: who waits, a row that wins, frames to viewers" {
	local port move
	port=$(free_port)
	start_server -b "$port"
	connect cem
	send cem 'PLAY hnefatafl name=cem'
	expect_sample holmgang_waiting 1
	sit ann ben
	if [[ $LINE == 'START 1'* ]]; then set -- ben ann; else set -- ann ben; fi
	for move in '0 0' '1 0' '0 1' '1 1' '0 2'; do
		send "$1" "MOVE $move"
		expect_later "$2" 'STATE *'
		set -- "$2" "$1"
	done
	expect_sample 'holmgang_rounds_ended_total{game="tictactoe",reason="line"}' 1
	expect_sample 'holmgang_tables_ended_total{game="tictactoe",reason="over"}' 1
	expect_sample holmgang_boards_total 6
	[[ $(awk '$1 == "holmgang_frames_total" { print $2 }' <<<"$output") -ge 6 ]]
}

@test "metrics: a crash that is mended, then the server's end" {
	start_server
	sit ann ben
	find_duel
	kill_duel
	expect_sample holmgang_crashes_total 1
	expect_sample holmgang_crashes_resumed_total 1
	has_sample 'holmgang_tables_started_total{game="tictactoe"}' 1
	has_sample holmgang_tables 1
	expect_sample holmgang_birth_seconds_count 2
	has_sample 'holmgang_tables_ended_total{game="tictactoe",reason="crashed"}' 0
	kill -KILL "$(spawner_pid)"
	expect_sample holmgang_spawners_started_total 2
}

@test "metrics: tables of a server that was killed" {
	start_server
	sit ann ben
	kill -KILL "$SERVER_PID"
	wait_until has_no_family "$SERVER_PID"
	start_server
	expect_sample holmgang_tables_recovered_total 1
	has_sample 'holmgang_tables_started_total{game="tictactoe"}' 0
	has_sample holmgang_tables 1
}

@test "metrics: what is refused, by the limit" {
	start_server --max-connections 2 --max-tables 1
	sit ann ben
	connect cem
	expect cem 'ERROR busy *'
	expect_sample 'holmgang_refused_total{reason="max-connections"}' 1
	has_sample holmgang_connections_total 2
}

# --- HTTP --------------------------------------------------------------------------------------

# Sets `answer`: what comes for these bytes.
http() { # FORMAT
	connect web "$WEB" "${2-}"
	send_raw web "$1"
	answer=$(timeout 20 cat <&"${CONNECTION[web]}" 2>/dev/null) || true # it may be reset
	hang_up web
}

start_with_metrics() {
	WEB=$(free_port)
	start_server --metrics "$WEB"
}

@test "--metrics: GET /metrics over HTTP, the same text" {
	local body
	start_with_metrics
	http 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'
	[[ $answer == 'HTTP/1.1 200 OK'$'\r\n'*'Content-Type: text/plain; version=0.0.4'*$'\r\n\r\n#'* ]]
	body=${answer#*$'\r\n\r\n'}
	check_format <<<"$body" >samples
	[[ $(wc -l <samples) -gt 50 ]]
	# the length without the LF at its end, which $( ) has cut off
	[[ $answer == *"Content-Length: $((${#body} + 1))"$'\r'* ]]
}

@test "--metrics: what is no GET /metrics is told so" {
	start_with_metrics
	http 'GET / HTTP/1.1\r\n\r\n'
	[[ $answer == 'HTTP/1.1 404 '* ]]
	http 'GET /metricsx HTTP/1.1\r\n\r\n'
	[[ $answer == 'HTTP/1.1 404 '* ]]
	http 'GET /metrics?a=b HTTP/1.0\n\n'
	[[ $answer == 'HTTP/1.1 200 '* ]]
	http 'POST /metrics HTTP/1.1\r\n\r\n'
	[[ $answer == 'HTTP/1.1 405 '*'Allow: GET'* ]]
	http 'PLAY\r\n\r\n'
	[[ $answer == 'HTTP/1.1 400 '* ]]
	http "$(printf '%05000d' 7)"
	[[ ! $answer ]]
}

@test "--metrics: a request in pieces, and clients that say nothing" {
	local n
	start_with_metrics
	for ((n = 0; n < 5; n++)); do connect "silent$n" "$WEB"; done
	connect slow "$WEB"
	for part in 'GET ' '/metrics' ' HTTP/1.1\r\n' '\r'; do
		send_raw slow "$part"
		expect_nothing slow 0.1
	done
	send_raw slow '\n'
	expect slow 'HTTP/1.1 200 OK*'
	# who says nothing is closed after five seconds
	expect_eof silent0
	expect_eof silent4
}

@test "--metrics: clients that say a byte now and then do not keep others out" {
	local n round
	start_with_metrics
	for ((n = 0; n < 8; n++)); do connect "slow$n" "$WEB"; done
	connect last "$WEB"
	send_raw last 'GET /metrics HTTP/1.1\r\n\r\n'
	# eight have the places, for 5 s
	for ((round = 0; round < 40; round++)); do
		for ((n = 0; n < 8; n++)); do send_raw "slow$n" x 2>/dev/null || true; done
		if read_line last 0.5; then break; fi
	done
	[[ $LINE == 'HTTP/1.1 200 OK'* ]] || fail "nobody was closed in $round rounds"
}

@test "--metrics is the loopback's alone, --metrics-address another's" {
	start_with_metrics
	run ! connect other "$WEB" 127.0.0.2
	WEB=$(free_port)
	start_server --state "$BATS_TEST_TMPDIR/other" --metrics "$WEB" --metrics-address 127.0.0.2
	http 'GET /metrics HTTP/1.1\r\n\r\n' 127.0.0.2
	[[ $answer == 'HTTP/1.1 200 '* ]]
	run ! connect other "$WEB"
}

@test "--metrics: what cannot be meant, and a port that somebody has" {
	run -2 "$BUILD/holmgang-server" --metrics 0
	run -2 "$BUILD/holmgang-server" --metrics-address ::1
	[[ $output == *'does nothing without --metrics'* ]]
	start_with_metrics
	run -1 "$BUILD/holmgang-server" "$(free_port)" --listen 127.0.0.1 --state other --metrics "$WEB"
	[[ $output == *"cannot listen on 127.0.0.1:$WEB for metrics"*--metrics* ]]
	run -1 "$BUILD/holmgang-server" "$(free_port)" --listen 127.0.0.1 --state other --metrics "$WEB" --metrics-address here
	[[ $output == *'cannot tell metrics on "here"'* ]]
}
