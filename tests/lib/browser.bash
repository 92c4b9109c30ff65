# A browser for tests: Debian's Chromium without a window, driven through chromedriver's HTTP.
#
#	open_browser			starts both, of this test's own; sets nothing up on the disk but here
#	visit URL			opens a page
#	script JAVASCRIPT		runs it in the page; prints what it returns: a word, a number, JSON
#	page_shows TEXT JAVASCRIPT	is this what it returns? For wait_until
#	press KEY			on what has the focus: Enter, Tab, Escape, Left, Right, Home, End or a letter
#	resize WIDTH HEIGHT		of the window
#	emulate DARK_OR_LIGHT		the theme that the user prefers
#	take_picture FILE		as PNG
#	console_errors			prints what the console has of warnings and errors since the last time
#
# It reaches nothing but 127.0.0.1.

# Without these it would look for updates and models, and ask a name server.
BROWSER_QUIET='["--headless=new", "--disable-gpu", "--no-first-run", "--no-default-browser-check",
	"--disable-background-networking", "--disable-component-update", "--disable-sync",
	"--disable-extensions", "--disable-domain-reliability", "--disable-dev-shm-usage",
	"--disable-client-side-phishing-detection", "--metrics-recording-only", "--no-proxy-server",
	"--disable-features=OptimizationHints,MediaRouter,Translate,DialMediaRouteProvider",
	"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--force-color-profile=srgb"]'

# Prints the `value` of the answer; fails with what the driver says.
ask_driver() { # METHOD PATH [BODY]
	local answer
	answer=$(curl -sS --max-time 60 -X "$1" -H 'Content-Type: application/json' \
		${3+--data-binary "$3"} "http://127.0.0.1:$DRIVER_PORT$2") || return
	if [[ $(jq -r '.value | objects | has("error")' <<<"$answer") == true ]]; then
		fail "the browser's driver, asked $1 $2:" "$(jq -r '.value.message' <<<"$answer" | head -n 3)"
		return
	fi
	jq -r '.value' <<<"$answer"
}

driver_is_up() {
	[[ $(curl -s --max-time 5 "http://127.0.0.1:$DRIVER_PORT/status" | jq -r .value.ready) == true ]]
}

open_browser() {
	local options=$BROWSER_QUIET body
	DRIVER_PORT=$(free_port)
	HOME=$BATS_TEST_TMPDIR launch driver chromedriver --port="$DRIVER_PORT" --allowed-ips=127.0.0.1
	wait_until 30 driver_is_up
	# its sandbox needs a user who is not root
	if ((EUID == 0)); then options=$(jq '. + ["--no-sandbox"]' <<<"$options"); fi
	body=$(jq -n --argjson args "$options" --arg profile "$BATS_TEST_TMPDIR/profile" '{capabilities:
		{alwaysMatch: {"goog:loggingPrefs": {browser: "ALL"},
		"goog:chromeOptions": {args: ($args + ["--user-data-dir=" + $profile])}}}}')
	body=$(ask_driver POST /session "$body") || return
	SESSION=/session/$(jq -r .sessionId <<<"$body")
}

# Both end with the test, but a browser that is told to ends sooner and in order.
close_browser() {
	if [[ ${SESSION-} ]]; then ask_driver DELETE "$SESSION" >/dev/null || true; fi
	SESSION=''
}

visit() { # URL
	ask_driver POST "$SESSION/url" "$(jq -n --arg url "$1" '{url: $url}')" >/dev/null
}

script() { # JAVASCRIPT
	ask_driver POST "$SESSION/execute/sync" "$(jq -n --arg script "$1" '{script: $script, args: []}')"
}

page_shows() { # TEXT JAVASCRIPT
	[[ $(script "$2") == "$1" ]]
}

# By jq: the shell makes such characters only where the locale has them.
press() { # KEY
	ask_driver POST "$SESSION/actions" "$(jq -n --arg key "$1" '
		({Enter: "\ue007", Tab: "\ue004", Escape: "\ue00c", Left: "\ue012", Right: "\ue014",
			Home: "\ue011", End: "\ue010"}[$key] // $key) as $value |
		{actions: [{type: "key", id: "keys",
			actions: [{type: "keyDown", value: $value}, {type: "keyUp", value: $value}]}]}')" >/dev/null
}

tell_browser() { # COMMAND PARAMETERS
	ask_driver POST "$SESSION/goog/cdp/execute" \
		"$(jq -n --arg cmd "$1" --argjson params "$2" '{cmd: $cmd, params: $params}')" >/dev/null
}

resize() { # WIDTH HEIGHT
	tell_browser Emulation.setDeviceMetricsOverride \
		"{\"width\": $1, \"height\": $2, \"deviceScaleFactor\": 1, \"mobile\": false}"
}

emulate() { # DARK_OR_LIGHT
	tell_browser Emulation.setEmulatedMedia \
		"{\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"$1\"}]}"
}

take_picture() { # FILE
	ask_driver GET "$SESSION/screenshot" | base64 -d >"$1"
}

console_errors() {
	ask_driver POST "$SESSION/se/log" '{"type": "browser"}' |
		jq -r '.[] | select(.level != "INFO" and .level != "DEBUG") | .message'
}
