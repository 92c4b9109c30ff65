/*
 * kept.js - kept games: the list, ratings, and which part of the page is shown. One game again
 * is again.js, one player player.js.
 *
 * Which of them is shown is said by the address: #games, #game/ID/STEP, #ratings/GAME. Each position
 * is asked for when it is looked at, and drawn as a board of the wall is.
 */
"use strict";

const parts = {
	games: document.getElementById("games"),
	game: document.getElementById("replay"),
	ratings: document.getElementById("ratings"),
	player: document.getElementById("player"),
};
const filter = document.getElementById("filter");
const newerPages = new Map(); // the id that a page of the list is before -> the address of the one that led there
const asked = new Map(); // part -> the number of what it was asked for last

// Calls back with what holmgang-web answers; what is wrong is said in the part itself. Only what a part
// asks for last is shown in it: people who type, or move a slider, ask for more than they wait for, and
// answers come in any order.
async function ask(part, path, question, take) {
	const trouble = part.closest("section").querySelector(".trouble");
	const number = (asked.get(part) || 0) + 1;
	let told;
	asked.set(part, number);
	try {
		told = await (await fetch(path + "?" + new URLSearchParams(question))).json();
	} catch {
		told = { why: "holmgang-web does not answer" };
	}
	if (number !== asked.get(part)) return;
	trouble.textContent = told.why ? told.why[0].toUpperCase() + told.why.slice(1) + "." : "";
	if (!told.why) take(told);
	else part.querySelector("tbody")?.replaceChildren();
}

// Is there anything? A server keeps its first game when it is over, and a holmgang-web elsewhere has none.
async function lookForKept() {
	if (document.body.classList.contains("keeps")) return;
	try {
		const told = await (await fetch("/kept?player=-")).json();
		if (told.why) return;
	} catch {
		return; // holmgang-web has gone; that is said elsewhere
	}
	document.body.classList.add("keeps");
	showResults();
}

// The roles are said because cards, on a phone, are no table to a browser.
function fillTable(part, rows) {
	const body = part.querySelector("tbody");
	const titles = [...part.querySelectorAll("th")].map((title) => title.textContent);
	body.replaceChildren();
	for (const cells of rows) {
		const row = make("tr", "", body);
		row.setAttribute("role", "row");
		for (const [place, words] of cells.entries()) {
			const cell = make("td", "", row);
			cell.setAttribute("role", "cell");
			cell.dataset.title = titles[place];
			cell.append(words);
		}
	}
}

// --- the list ---------------------------------------------------------------------------------

// The page knows no game: what there are is told with each answer.
function titleOf(game, kinds) {
	return kinds.find((kind) => kind.game === game)?.title || game;
}

// The same everywhere, and to be compared with other places' clocks.
function whenText(ms) {
	return new Date(ms).toISOString().slice(0, 16).replace("T", " ") + " UTC";
}

function resultText(game) {
	return game.result + (game.termination === "normal" ? "" : " (" + game.termination + ")");
}

function gameRow(game, kinds) {
	return [
		linkTo("#game/" + game.id + "/0", whenText(game.started)),
		titleOf(game.game, kinds),
		nameLinks(game.names.split(","), ", "),
		resultText(game),
		String(game.moves),
	];
}

// Which page of which games is said by the address: #games/player=anna&before=ID.
function addressOf(question) {
	const words = new URLSearchParams(question).toString();
	return "#games" + (words && "/" + words);
}

function showFilter(question, kinds) {
	const { game } = filter.elements;
	for (const kind of game.options.length > 1 ? [] : kinds) game.add(new Option(kind.title, kind.game));
	for (const field of filter.elements)
		if (field.value !== (question[field.name] || "")) field.value = question[field.name] || "";
}

// Behind a page of the list comes the one before its last game.
function showPages(question, told) {
	const newer = document.getElementById("newer");
	const older = document.getElementById("older");
	const last = told.games.at(-1);
	const { before, ...first } = question;
	older.hidden = !told.more;
	newer.hidden = !before;
	newer.href = newerPages.get(before) || addressOf(first);
	if (!told.more) return;
	older.href = addressOf({ ...question, before: last.id });
	newerPages.set(last.id, addressOf(question));
}

function askGames(question) {
	ask(parts.games, "/kept", question, (told) => {
		showFilter(question, told.kinds);
		fillTable(
			parts.games,
			told.games.map((game) => gameRow(game, told.kinds)),
		);
		showPages(question, told);
		if (told.games.length === 0)
			parts.games.querySelector(".trouble").textContent = "There are no such games.";
	});
}

function showGames(words) {
	askGames(Object.fromEntries(new URLSearchParams(words)));
}

// Other games, from the newest on.
function filterGames() {
	const question = Object.fromEntries(new FormData(filter));
	for (const key of Object.keys(question)) if (!question[key]) delete question[key];
	history.replaceState(null, "", addressOf(question));
	askGames(question);
}

// --- ratings ----------------------------------------------------------------------------------

// Links to the same of each game, behind this address.
function showKinds(kinds, told, address) {
	kinds.replaceChildren();
	for (const each of told.kinds) {
		const link = linkTo(address + each.game, each.title);
		if (each.game === told.game) link.setAttribute("aria-current", "true");
		kinds.append(link);
	}
}

function showRatings(kind) {
	ask(parts.ratings, "/kept/ratings", kind ? { game: kind } : {}, (told) => {
		showKinds(document.getElementById("kinds"), told, "#ratings/");
		fillTable(
			parts.ratings,
			told.ratings.map((each, place) => [
				String(place + 1),
				nameLink(each.name, told.game),
				each.rating + " ±\u00a0" + 2 * each.deviation,
				String(each.games),
			]),
		);
		if (told.ratings.length === 0)
			parts.ratings.querySelector(".trouble").textContent = "Nobody has played this yet.";
	});
}

// --- which part is shown ----------------------------------------------------------------------

const partOf = { game: "games", player: "ratings" };

function turnTo() {
	const [part, what, step] = location.hash.slice(1).split("/");
	document.body.classList.toggle("past", part in parts);
	for (const [name, element] of Object.entries(parts)) element.hidden = name !== part;
	for (const link of document.querySelectorAll("nav a")) {
		const mine = link.hash.slice(1);
		const current = mine === part || mine === partOf[part] || (!mine && !(part in parts));
		if (current) link.setAttribute("aria-current", "page");
		else link.removeAttribute("aria-current");
	}
	if (part !== "game") leaveReplay();
	if (part in parts) window.scrollTo(0, 0);
	if (part === "games") showGames(what);
	if (part === "game") showReplay(what, step);
	if (part === "ratings") showRatings(what);
	if (part === "player") showPlayerPage(what, step);
}

filter.addEventListener("input", filterGames);
filter.addEventListener("submit", (event) => event.preventDefault());
window.addEventListener("hashchange", turnTo);
setInterval(lookForKept, 10000);
lookForKept();
// when all scripts are there
document.addEventListener("DOMContentLoaded", turnTo);
