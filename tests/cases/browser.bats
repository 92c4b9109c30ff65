#!/usr/bin/env bats
#
# The page in a real browser, while real duels are played: what is in the document, what the keys
# do, what the console says.
# bats file_tags=slow

load ../lib/common
load ../lib/browser

setup_file() {
	"$ROOT/compile_linux" browser
}

# A server with two boards, their page, and the page in a browser.
setup() {
	common_setup
	BOARD=$(free_port 2)
	WEB=$(free_port)
	start_server -b "$BOARD" "$((BOARD + 1))" --interface lo
	start web web "$WEB" "$BOARD-$((BOARD + 1))"
	WEB_PID=$PID
	open_browser
	visit "http://127.0.0.1:$WEB/"
	wait_until page_shows live 'return document.getElementById("connection").textContent'
}

teardown() {
	local bad=0
	close_browser || bad=1
	common_teardown && ((bad == 0))
}

# Anna and Ben sit down; she is X and moves first.
begin_duel() {
	connect anna
	send anna 'PLAY quantik name=anna side=white'
	expect_later anna 'NO_OPPONENTS *'
	connect ben
	send ben 'PLAY quantik name=ben side=black'
	expect_later anna 'BOARD *'
	expect_later ben 'BOARD *'
}

# Quantik's white begins the first round.
move() { # WHO MOVE
	send "$1" "MOVE $2"
	expect_later anna 'BOARD *'
}

on_board() { # JAVASCRIPT, with `tile` as the element of the first board
	printf 'const tile = document.getElementById("board-%s"); return tile && %s' "$BOARD" "$1"
}

# How many pieces the board has.
pieces='tile.querySelectorAll(".picture path.f, .picture path.o").length'

@test "a duel is played while the page is open, and the board follows move by move" {
	local n=0 who=anna
	page_shows true 'return !document.getElementById("nothing").hidden'
	begin_duel
	wait_until page_shows 0 "$(on_board "$pieces")"
	[[ $(script "$(on_board 'tile.querySelector("h2").textContent')") == "Quantikround 1 of 2$BOARD" ]]
	while read -r move; do
		move "$who" "$move"
		n=$((n + 1))
		who=$([[ $who == anna ]] && echo ben || echo anna)
		wait_until page_shows "$n" "$(on_board "$pieces")"
	done <<-END
		0 0 C
		1 0 P
		2 0 S
	END
	wait_until page_shows "ben to move" "$(on_board 'tile.querySelector(".says").textContent.slice(0, 11)')"
	[[ $(script "$(on_board 'tile.querySelector(".turning .who").textContent')") == ben ]]
	move ben '3 0 T'
	wait_until page_shows 4 "$(on_board 'tile.querySelectorAll("rect.frame").length')"
	[[ $(script "$(on_board 'tile.querySelector(".winning .who").textContent')") == ben ]]
	[[ $(script "$(on_board 'tile.querySelectorAll("path.line").length')") == 1 ]]
	wait_until page_shows 'ben wins|four shapes in a row|anna against ben' \
		'return [...document.querySelectorAll("#results li > :not(.what)")].map((e) => e.textContent).join("|")'
	[[ ! $(console_errors) ]]
}

@test "the page asks nobody but its viewer, and inline scripts do not run" {
	begin_duel
	wait_until page_shows 0 "$(on_board "$pieces")"
	[[ $(script 'return performance.getEntriesByType("resource").filter((e) => !e.name.startsWith(location.origin)).length') == 0 ]]
	[[ $(script 'return performance.getEntriesByType("resource").length > 2') == true ]]
	[[ ! $(console_errors) ]]
	[[ $(script 'const s = document.createElement("script"); s.textContent = "window.bad = 1"; document.body.append(s); return window.bad || 0') == 0 ]]
	[[ $(console_errors) == *'Content Security Policy'* ]]
}

@test "a board can be made large by Enter or a click, and told by who does not see it" {
	begin_duel
	wait_until page_shows 0 "$(on_board "$pieces")"
	script "$(on_board 'tile.querySelector("a").focus()')"
	press Enter
	wait_until page_shows "one #$BOARD polite" \
		"$(on_board 'document.body.className + " " + location.hash + " " + tile.querySelector(".says").getAttribute("aria-live")')"
	move anna '1 2 S'
	wait_until page_shows 'Board of 4 by 4. anna: ring at 1 2. Last move: 1 2. ben to move.' \
		"$(on_board 'tile.querySelector("desc").textContent')"
	[[ $(script "$(on_board 'tile.querySelector("svg").getAttribute("role")')") == img ]]
	press Escape
	wait_until page_shows ' off' \
		"$(on_board 'document.body.className + " " + tile.querySelector(".says").getAttribute("aria-live")')"
	script "$(on_board 'document.elementFromPoint(tile.getBoundingClientRect().x + 40, tile.getBoundingClientRect().y + 90).click()')"
	wait_until page_shows one 'return document.body.className'
	[[ ! $(console_errors) ]]
}

@test "a board that is looked at when its duel goes is on the wall with the next one" {
	begin_duel
	wait_until page_shows 0 "$(on_board "$pieces")"
	script "location.hash = '#$BOARD'"
	wait_until page_shows one 'return document.body.className'
	# what the viewer says some time after the end; it stays, as somebody looks at it
	script "removeTile($BOARD)"
	[[ $(script "$(on_board "$pieces")") == 0 ]]
	move anna '1 2 S'
	wait_until page_shows 1 "$(on_board "$pieces")"
	script 'location.hash = ""'
	wait_until page_shows '' 'return document.body.className'
	[[ $(script "$(on_board "$pieces")") == 1 ]]
	# and one whose port has nothing new goes when nobody looks at it any more
	script "location.hash = '#$BOARD'"
	wait_until page_shows one 'return document.body.className'
	script "removeTile($BOARD); location.hash = ''"
	wait_until page_shows null "$(on_board true)"
	[[ ! $(console_errors) ]]
}

@test "the winner's name can be read on a small board and in the list, however long it is" {
	local name=Wolfgang_Amadeus_Mozart1
	resize 390 600
	connect anna
	send anna "PLAY quantik name=anna side=white"
	expect_later anna 'NO_OPPONENTS *'
	connect ben
	send ben "PLAY quantik name=$name side=black"
	expect_later anna 'BOARD *'
	expect_later ben 'BOARD *'
	move anna '0 0 C'
	move ben '1 0 P'
	move anna '2 0 S'
	move ben '3 0 T'
	wait_until page_shows "$name wins" 'return document.querySelector("#results strong").textContent'
	wait_until page_shows true "$(on_board 'tile.querySelector(".winning .who").offsetWidth > 100')"
	script 'wall.style.setProperty("--side", "130px"); wall.style.width = "180px"; wall.classList.add("small")'
	[[ $(script "$(on_board 'tile.querySelector(".winning .who").offsetWidth > 60')") == true ]]
	[[ $(script "$(on_board 'tile.querySelector(".subject").offsetWidth > 60')") == true ]]
	[[ $(script 'return document.querySelector("#results li").scrollWidth <= document.querySelector("#results li").clientWidth') == true ]]
	[[ ! $(console_errors) ]]
}

@test "on a phone nothing is cut off, and there is a dark page" {
	local light
	begin_duel
	resize 360 740
	wait_until page_shows 0 "$(on_board "$pieces")"
	[[ $(script 'return document.documentElement.scrollWidth') == 360 ]]
	[[ $(script "$(on_board 'tile.querySelector(".picture").getBoundingClientRect().width > 250')") == true ]]
	emulate light
	light=$(script 'return getComputedStyle(document.documentElement).backgroundColor')
	emulate dark
	[[ $(script 'return getComputedStyle(document.documentElement).backgroundColor') != "$light" ]]
	[[ ! $(console_errors) ]]
}

@test "the rules of a game are a button and a key away, and closed again they leave the page as it was" {
	local open='return document.getElementById("rules").open'
	begin_duel
	wait_until page_shows 0 "$(on_board "$pieces")"
	script "$(on_board 'tile.querySelector("button.rules").click()')"
	wait_until page_shows true "$open"
	[[ $(script 'return document.getElementById("rules-title").textContent') == Quantik ]]
	[[ $(script 'return [...document.querySelectorAll("#rules p")].map((e) => e.textContent).join("\n")') == \
		"$(curl -s "http://127.0.0.1:$WEB/rules/quantik")" ]]
	press Escape
	wait_until page_shows false "$open"
	# the button is above the link that all of the board is
	[[ $(script 'return location.hash') == '' ]]
	script "$(on_board 'tile.querySelector("a").focus()')"
	press Enter
	wait_until page_shows one 'return document.body.className'
	press '?'
	wait_until page_shows true "$open"
	press Escape
	wait_until page_shows false "$open"
	[[ $(script 'return document.body.className') == one ]]
	resize 360 740
	press '?'
	wait_until page_shows true "$open"
	[[ $(script 'return document.documentElement.scrollWidth') == 360 ]]
	script "$(on_board 'document.querySelector("#rules button").click()')"
	wait_until page_shows false "$open"
	[[ ! $(console_errors) ]]
	[[ $(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$WEB/rules/chess") == 404 ]]
}

@test "the page comes back by itself when its server does" {
	begin_duel
	wait_until page_shows 0 "$(on_board "$pieces")"
	kill -KILL "$WEB_PID"
	wait_until page_shows 'connection lost, trying again' 'return document.getElementById("connection").textContent'
	wait_gone "$WEB_PID"
	move anna '0 0 C'
	start again web "$WEB" "$BOARD-$((BOARD + 1))"
	wait_until 20 page_shows 1 "$(on_board "$pieces")"
	wait_until page_shows live 'return document.getElementById("connection").textContent'
}

# --- kept games --------------------------------------------------------------------------------

# Anna, as white, and Ben play a round of Quantik, which Ben wins, and a second one that Ben gives up.
play_to_the_end() {
	begin_duel
	move anna '0 0 C'
	move ben '1 0 P'
	move anna '2 0 S'
	move ben '3 0 T'
	expect_later ben 'START * round=2/2 *'
	send ben RESIGN
	expect_later ben 'ROUND 2 2 *'
}

has_listed() { # COUNT
	page_shows "$1" 'return document.querySelectorAll("#games tbody tr").length'
}

@test "kept games are listed, played again with the slider, and rated" {
	local link place='document.querySelector("#replay .tile")'
	play_to_the_end
	wait_until 30 page_shows true 'return document.querySelector("nav .kept").offsetHeight > 0'
	wait_until page_shows "$(script "return '#game/' + document.getElementById('board-$BOARD').dataset.duel + '/0'")" \
		'return document.querySelector("#results a").hash'
	link=$(script 'return document.querySelector("#results a").hash')
	[[ $(script 'return [...document.querySelectorAll("#results li:first-child .between a")].map((e) => e.hash).join("")') == \
		'#player/anna#player/ben' ]]
	visit "http://127.0.0.1:$WEB/#games"
	look_again() {
		script 'showGames()' && has_listed 1
	}
	wait_until look_again
	[[ $(script 'return [...document.querySelectorAll("#games td")].slice(1).map((e) => e.textContent).join("|")') == \
		'Quantik|anna, ben|1-1 (resigned)|4' ]]
	[[ $(script 'return document.querySelector("#games td a").hash') == "$link" ]]
	script 'document.querySelector("#games td a").click()'
	wait_until page_shows '0 of 6' 'return document.getElementById("step").textContent'
	script 'const s = document.getElementById("slider"); s.value = 3; s.dispatchEvent(new Event("input"))'
	wait_until page_shows 3 "return $place.querySelectorAll('.picture path.f, .picture path.o').length"
	wait_until page_shows "${link%0}3" 'return location.hash'
	script 'document.getElementById("play").click()'
	wait_until page_shows 4 "return $place.querySelectorAll('rect.frame').length"
	script 'document.getElementById("play").click()'
	script 'document.querySelector("nav .kept[href=\"#ratings\"]").click()'
	wait_until page_shows true 'return [...document.querySelectorAll("#kinds a")].some((e) => e.textContent === "Quantik" && !e.click())'
	wait_until page_shows 2 'return document.querySelectorAll("#ratings tbody tr").length'
	[[ $(script 'return document.getElementById("boards").offsetHeight') == 0 ]]
	script 'document.querySelector("nav a").click()'
	wait_until page_shows true 'return document.getElementById("boards").offsetHeight > 0'
	[[ ! $(console_errors) ]]
}

# Copies of the only kept game, each a minute older.
copy_game() { # COUNT
	wait_until has_kept 1
	python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])' "$HOLMGANG_STATE/games.db" "
		CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1) SELECT i FROM n;
		INSERT INTO game (id, name, started, ended, outcome, termination, private, seats, options, seed, first, idle,
			grace, no_valid, moves, events)
			SELECT printf('%08x-0000-4000-8000-000000000000', i), name, started - i * 60000, ended - i * 60000, outcome,
			termination, private, seats, options, seed, first, idle, grace, no_valid, moves, events FROM game, n;
		INSERT INTO player SELECT 1 + i, player, place, id, name, full, wait, won FROM player, n WHERE game = 1;
		INSERT INTO round SELECT 1 + i, round, at, why, winners FROM round, n WHERE game = 1;
		INSERT INTO standing SELECT 1 + i, round, player, points, rank FROM standing, n WHERE game = 1"
}

@test "the list of games has pages, filters that the address keeps, and cards on a phone" {
	play_to_the_end
	copy_game 130
	visit "http://127.0.0.1:$WEB/#games"
	wait_until has_listed 100
	script 'document.getElementById("older").click()'
	wait_until has_listed 31
	[[ $(script 'return document.querySelector("#games td a").hash') == '#game/00000064-0000-'* ]]
	[[ $(script 'return document.getElementById("older").hidden') == true ]]
	script 'document.getElementById("newer").click()'
	wait_until has_listed 100
	[[ $(script 'return document.getElementById("newer").hidden') == true ]]
	script 'filter.elements.result.value = "drawn"; filter.dispatchEvent(new Event("input"))'
	wait_until page_shows '100 #games/result=drawn' \
		'return document.querySelectorAll("#games tbody tr").length + " " + location.hash'
	visit 'about:blank'
	visit "http://127.0.0.1:$WEB/#games/game=quantik&result=won"
	wait_until page_shows 'There are no such games.' 'return document.querySelector("#games .trouble").textContent'
	[[ $(script 'return filter.elements.game.value + filter.elements.result.value') == quantikwon ]]
	resize 390 844
	visit 'about:blank'
	visit "http://127.0.0.1:$WEB/#games/player=ben"
	wait_until has_listed 100
	[[ $(script 'return document.documentElement.scrollWidth <= innerWidth') == true ]]
	# all of a card is the link
	[[ $(script 'const card = document.querySelector("#games tbody tr").getBoundingClientRect();
		return card.width > 300 && document.elementFromPoint(card.left + 9, card.bottom - 9).hash') == '#game/'*/0 ]]
	[[ ! $(console_errors) ]]
}

@test "a name leads to its player's page: how strong it is, how that came about, the latest games" {
	local page
	play_to_the_end
	copy_game 130
	visit "http://127.0.0.1:$WEB/#games"
	wait_until has_listed 100
	script 'document.querySelectorAll("#games tbody a")[1].click()'
	wait_until page_shows '#player/anna anna' 'return location.hash + " " + document.getElementById("player-title").textContent'
	wait_until page_shows 20 'return document.querySelectorAll("#player tbody tr").length'
	wait_until page_shows true 'return / in Quantik, after 262 rounds$/.test(document.getElementById("strength").textContent)'
	[[ $(script 'return document.getElementById("plot").getAttribute("aria-label")') == Rating* ]]
	[[ $(script 'return document.querySelectorAll("#plot circle.day").length >= 1') == true ]]
	[[ $(script 'return document.querySelector(".kinds [aria-current]:not(#kinds *)").textContent') == Quantik ]]
	[[ $(script 'return document.querySelector("#player tbody").innerText.includes("ben")') == true ]]
	script 'document.querySelector("#player-kinds a").click()'
	wait_until page_shows true 'return /^No rating in /.test(document.getElementById("strength").textContent)'
	[[ $(script 'return document.querySelector(".plot").hidden') == true ]]
	[[ $(script 'return document.getElementById("all-games").hash') == '#games/player=anna' ]]
	resize 390 844
	for page in '#player/anna' '#ratings/quantik' "$(script 'return document.querySelector("#player tbody a").hash')"; do
		visit about:blank
		visit "http://127.0.0.1:$WEB/$page"
		wait_until page_shows true 'return document.querySelectorAll("main section:not([hidden]) tbody tr, .move").length > 1'
		[[ $(script 'return document.documentElement.scrollWidth <= innerWidth') == true ]]
	done
	script 'location.hash = "#player/%3Cb%3Enobody%ff"'
	wait_until page_shows '%3Cb%3Enobody%ff' 'return document.getElementById("player-title").textContent'
	script 'location.hash = "#player/%3Cb%3Enobody"'
	wait_until page_shows '<b>nobody 0' 'const t = document.getElementById("player-title"); return t.textContent + " " + t.children.length'
	[[ ! $(console_errors) ]]
}

# Opens the only kept game, at its beginning.
visit_game() {
	play_to_the_end
	wait_until has_kept 1
	ID=$(kept | cut -d , -f 1 | tr -d '"')
	visit "http://127.0.0.1:$WEB/#game/$ID/0"
	wait_until shows_step 0
}

shows_step() { # NUMBER
	page_shows "$1 of 6" 'return document.getElementById("step").textContent'
}

@test "a kept game is gone through by keys, wherever the focus is, and by its list of moves" {
	visit_game
	press Right
	wait_until shows_step 1
	press Right
	wait_until shows_step 2
	press Left
	wait_until shows_step 1
	press End
	wait_until shows_step 6
	press Right
	press Home
	wait_until shows_step 0
	press Left
	press Right
	wait_until shows_step 1
	script 'document.getElementById("slider").focus()'
	press Right
	wait_until shows_step 2
	# on a list of choices they choose
	script 'document.getElementById("speed").focus()'
	press Right
	[[ $(script 'return document.getElementById("speed").value') == 2 ]]
	shows_step 2
	script 'document.activeElement.blur()'
	press ' '
	wait_until shows_step 6
	wait_until page_shows Play 'return document.getElementById("play").textContent'
	script 'document.getElementById("back").click()'
	wait_until shows_step 5
	script 'document.getElementById("on").click()'
	wait_until shows_step 6
	[[ $(script 'return [...document.querySelectorAll("#moves .move")].map((e) => e.innerText.replace(/\s+/g, " ")).join("|")') == \
		'Round 1|1. anna 0 0 C|2. ben 1 0 P|3. anna 2 0 S|4. ben 3 0 T ben wins: four shapes in a row|Round 2|'* ]]
	[[ $(script 'return document.querySelector("#moves [aria-current]").dataset.step') == 6 ]]
	script 'document.querySelectorAll("#moves .move")[3].click()'
	wait_until shows_step 3
	[[ $(script 'return document.getElementById("take-drawing").getAttribute("href")') == "/kept/drawing?id=$ID&step=3" ]]
	[[ $(script 'return document.getElementById("take-text").getAttribute("href")') == "/kept/text?id=$ID" ]]
	[[ $(script 'return document.getElementById("who").textContent') == 'anna against ben' ]]
	[[ $(script 'return document.getElementById("about").textContent') == "Quantik · "20??-??-??\ ??:??" UTC · 1-1 (resigned)" ]]
	[[ ! $(console_errors) ]]
}

# The viewer's answers are held back, and come in the wrong order.
@test "of the games that are asked for the last answer is shown, whenever the others come" {
	visit "http://127.0.0.1:$WEB/#games"
	script 'window.answers = {};
		window.fetch = (address) => new Promise((take) => { answers[address] = (told) => take({ json: async () => told }); });
		window.type = (name) => { filter.elements.player.value = name; filter.dispatchEvent(new Event("input")); };
		window.game = (names) => ({ id: "0", started: 0, game: "quantik", names, result: "1-0", termination: "normal", moves: 1 });
		type("a"); type("an"); type("ann");'
	[[ $(script 'return Object.keys(answers).filter((each) => /player=an*$/.test(each)).length') == 3 ]]
	script 'answers["/kept?player=ann"]({ games: [game("anna,ben")], kinds: [] })'
	wait_until has_listed 1
	script 'answers["/kept?player=a"]({ games: [game("anton,ben"), game("anna,ben")], kinds: [] })'
	has_listed 1
	script 'answers["/kept?player=an"]({ why: "the games cannot be read now" })'
	has_listed 1
	[[ ! $(script 'return document.querySelector("#games .trouble").textContent') ]]
}
