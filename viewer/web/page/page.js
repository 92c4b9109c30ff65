/*
 * page.js - the wall of boards: hears what holmgang-web tells, and shows it.
 *
 * Each board is told whole, so the newest message is all that is needed, and nothing has to be asked
 * for. Names and captions are put in as text; only drawings, which holmgang-web has made, as elements.
 */
"use strict";

const LOST_MS = 12000; // holmgang-web says something every three seconds
const AGAIN_MS = 1500;
const SMALLEST = 120; // pixels of a board on the wall; where more do not fit, the page scrolls
const READABLE = 230; // from here on coordinates can be read
const PADDING = 24; // pixels of a tile left and right of its board
const BELOW = 24; // pixels of the page below the wall

const wall = document.getElementById("wall");
const tiles = new Map(); // port -> tile
let source = null;
let heard = 0; // when holmgang-web last said something
let ahead = 0; // milliseconds that its clock is ahead of ours
let version = "";
let unsettled = true; // there are other tiles than the wall was laid out for

function make(tag, className, parent) {
	const element = document.createElement(tag);
	element.className = className;
	if (parent) parent.append(element);
	return element;
}

function linkTo(address, words) {
	const link = make("a", "");
	link.href = address;
	link.textContent = words;
	return link;
}

// --- a board ----------------------------------------------------------------------------------

function buildTile(element, address) {
	const article = make("article", "", element);
	const link = make("a", "", make("h2", "", article));
	link.href = address;
	const tile = {
		element,
		game: make("span", "game", link),
		round: make("span", "round", link),
		port: make("span", "port", link),
		picture: make("div", "picture", article),
		players: make("ul", "players", article),
		caption: make("p", "says", article),
		board: null,
		fresh: true,
	};
	tile.subject = make("span", "subject", tile.caption);
	tile.words = make("span", "", tile.caption);
	tile.age = make("span", "age", tile.caption);
	tile.age.setAttribute("aria-hidden", "true");
	tile.rules = addRulesButton(article);
	return tile;
}

function newTile(port) {
	const element = make("li", "tile");
	const tile = buildTile(element, "#" + port);
	element.id = "board-" + port;
	tile.port.textContent = port;
	tiles.set(port, tile);
	const after = [...tiles.keys()].filter((other) => other > port).sort((a, b) => a - b)[0];
	wall.insertBefore(element, after ? tiles.get(after).element : null);
	unsettled = true;
	return tile;
}

function showPlayer(list, player) {
	const item = make("li", "player", list);
	item.classList.toggle("turning", player.turn);
	item.classList.toggle("winning", player.winner);
	item.classList.toggle("gone", player.out);
	const sign = make("span", "before", item);
	sign.textContent = player.winner ? "★" : player.turn ? "▸" : "";
	sign.setAttribute("aria-label", player.winner ? "winner" : player.turn ? "to move" : "");
	sign.setAttribute("role", "img");
	sign.hidden = !player.winner && !player.turn;
	make("span", "its", item).innerHTML = player.piece;
	make("span", "who", item).textContent = player.name;
	if (player.score !== undefined) make("span", "points", item).textContent = player.score;
	if (player.left.length === 0) return;
	const left = make("span", "left", item);
	for (const [piece, count] of player.left) {
		make("span", "its", left).innerHTML = piece;
		make("span", "", left).textContent = count;
	}
}

function fillTile(tile, board) {
	const [game, round] = board.title.split("  ");
	const caption = board.silent ? "not heard any more" : board.caption;
	const colon = caption.indexOf(": ") + 1;
	tile.board = board;
	tile.game.textContent = game;
	tile.round.textContent = round || "";
	tile.picture.innerHTML = board.svg;
	tile.players.replaceChildren();
	for (const player of board.players) showPlayer(tile.players, player);
	tile.subject.textContent = caption.slice(0, colon && colon + 1);
	tile.words.textContent = caption.slice(colon && colon + 1);
	tile.element.classList.toggle("over", board.over);
	tile.element.classList.toggle("silent", board.silent);
	nameRules(tile.rules, board.game, game);
	tile.element.dataset.n = board.n;
	tile.element.dataset.duel = board.duel;
}

function showBoard(board) {
	const tile = tiles.get(board.port) || newTile(board.port);
	unsettled ||= !tile.board || tile.board.players.length !== board.players.length;
	tile.fresh = true;
	delete tile.gone; // the next duel on this port
	fillTile(tile, board);
	showAge(tile);
	if (unsettled) settle();
}

// How long the one who is to move has been thinking.
function showAge(tile) {
	const board = tile.board;
	const seconds = Math.floor((Date.now() + ahead - board.at) / 1000);
	const shown = !board.over && !board.silent && seconds >= 3;
	tile.age.textContent = !shown ? "" : seconds < 120 ? seconds + " s" : Math.floor(seconds / 60) + " min";
}

// A board that is looked at alone stays when its duel has gone.
function removeTile(port) {
	const tile = tiles.get(port);
	if (!tile) return;
	if (port === chosenPort()) {
		tile.gone = true;
		return;
	}
	tile.element.remove();
	tiles.delete(port);
	settle();
}

// --- the wall, or one board -------------------------------------------------------------------

function chosenPort() {
	return Number(location.hash.slice(1)) || 0;
}

function choose() {
	const port = chosenPort();
	for (const [other, tile] of tiles) {
		tile.element.classList.toggle("chosen", other === port);
		tile.caption.setAttribute("aria-live", other === port ? "polite" : "off");
		if (tile.gone && other !== port) {
			delete tile.gone;
			removeTile(other);
		}
	}
	settle();
}

// Pixels of a tile above and below its board.
function around() {
	let most = 0;
	for (const tile of tiles.values())
		most = Math.max(most, tile.element.firstChild.offsetHeight - tile.picture.offsetHeight);
	return most + PADDING;
}

// As many columns as make the boards as large as they can be, all on one screen.
function fit() {
	const gap = parseFloat(getComputedStyle(wall).columnGap) || 0;
	const width = wall.clientWidth;
	const height = window.innerHeight - wall.getBoundingClientRect().top - window.scrollY - BELOW;
	const other = around();
	let columns = 1;
	let side = 0;
	for (let count = 1; count <= Math.max(1, tiles.size); count++) {
		const rows = Math.ceil(tiles.size / count);
		const wide = (width - gap * (count - 1)) / count - PADDING;
		const high = (height - gap * (rows - 1)) / rows - other;
		if (Math.min(wide, high) > side) {
			side = Math.min(wide, high);
			columns = count;
		}
	}
	if (side < SMALLEST) {
		columns = Math.max(1, Math.floor((width + gap) / (SMALLEST * 1.7 + PADDING + gap)));
		side = Math.max(SMALLEST, (width - gap * (columns - 1)) / columns - PADDING);
	}
	wall.style.setProperty("--columns", columns);
	wall.style.setProperty("--side", Math.floor(side) + "px");
	return side;
}

function settle() {
	const chosen = tiles.get(chosenPort());
	unsettled = false;
	document.body.classList.toggle("one", Boolean(chosen));
	if (chosen) chosen.element.classList.add("chosen");
	document.getElementById("nothing").hidden = tiles.size > 0 || !version;
	wall.classList.remove("small");
	wall.classList.toggle("small", !chosen && fit() < READABLE);
}

function step(by) {
	const ports = [...tiles.keys()].sort((a, b) => a - b);
	const at = ports.indexOf(chosenPort());
	if (at < 0) return;
	const port = ports[(at + by + ports.length) % ports.length];
	location.hash = "#" + port;
	tiles.get(port).element.querySelector("a").focus();
}

// --- who has won ------------------------------------------------------------------------------

let results = [];

function ago(at) {
	const seconds = Math.max(0, Math.round((Date.now() + ahead - at) / 1000));
	if (seconds < 60) return "now";
	if (seconds < 3600) return Math.floor(seconds / 60) + " min";
	return Math.floor(seconds / 3600) + " h";
}

function showResults() {
	document.getElementById("lately").hidden = results.length === 0;
	const list = document.getElementById("results");
	list.replaceChildren();
	for (const result of results) {
		const item = make("li", "", list);
		const [who, ...how] = result.text.split(": ");
		const place = make("strong", "", item);
		if (document.body.classList.contains("keeps")) place.append(linkTo("#game/" + result.duel + "/0", who));
		else place.textContent = who;
		make("span", "how", item).textContent = how.join(": ");
		const between = make("span", "between", item);
		if (document.body.classList.contains("keeps")) between.append(nameLinks(result.names));
		else between.textContent = result.names.join(wordBetween(result.names));
		make("span", "what", item).textContent = result.title + " · " + ago(result.at);
	}
}

// --- what holmgang-web says -------------------------------------------------------------------

function say(words) {
	const place = document.getElementById("connection");
	if (place.textContent !== words) place.textContent = words;
	document.body.classList.toggle("lost", words !== "live");
}

const hear = {
	hello(told) {
		if (version && version !== told.version) location.reload();
		version = told.version;
		ahead = told.now - Date.now();
		for (const tile of tiles.values()) tile.fresh = false;
		say("live");
	},
	all() {
		for (const [port, tile] of tiles) if (!tile.fresh) removeTile(port);
		settle();
	},
	board: showBoard,
	gone: removeTile,
	results(told) {
		results = told;
		showResults();
	},
	beat() {},
};

function connect() {
	if (source) source.close();
	source = new EventSource("/events");
	heard = heard || 1;
	for (const [name, take] of Object.entries(hear))
		source.addEventListener(name, (event) => {
			heard = Date.now();
			take(JSON.parse(event.data));
		});
	source.onerror = () => say("connection lost, trying again");
}

// The browser connects again by itself, but not after every error, and not from a network that was
// pulled out.
function check() {
	for (const tile of tiles.values()) showAge(tile);
	if (source.readyState === EventSource.CLOSED || (heard > 1 && Date.now() - heard > LOST_MS)) {
		say("connection lost, trying again");
		heard = Date.now() - LOST_MS + AGAIN_MS;
		connect();
	}
}

window.addEventListener("hashchange", choose);
window.addEventListener("resize", settle);
document.addEventListener("keydown", (event) => {
	if (event.altKey || event.ctrlKey || event.metaKey || rules.open) return;
	if (event.key === "Escape" && chosenPort()) {
		const port = chosenPort();
		location.hash = "";
		if (tiles.has(port)) tiles.get(port).element.querySelector("a").focus();
	} else if (event.key === "ArrowRight") {
		step(1);
	} else if (event.key === "ArrowLeft") {
		step(-1);
	}
});
// when kept.js is there too
document.addEventListener("DOMContentLoaded", () => {
	setInterval(check, 1000);
	setInterval(showResults, 30000);
	connect();
});
