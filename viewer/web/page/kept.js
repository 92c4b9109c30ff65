/*
 * kept.js - kept games: the list, ratings, and which part of the page is shown. One game again is again.js.
 *
 * Which of them is shown is said by the address: #games, #game/ID/STEP, #ratings/GAME. Each position
 * is asked for when it is looked at, and drawn as a board of the wall is.
 */
"use strict";

const parts = {
	games: document.getElementById("games"),
	game: document.getElementById("replay"),
	ratings: document.getElementById("ratings"),
};
const filter = document.getElementById("filter");
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

function fillTable(part, rows) {
	const body = part.querySelector("tbody");
	body.replaceChildren();
	for (const cells of rows) {
		const row = make("tr", "", body);
		for (const cell of cells) make("td", "", row).append(cell);
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

function showGames() {
	const question = Object.fromEntries(new FormData(filter));
	for (const key of Object.keys(question)) if (!question[key]) delete question[key];
	ask(parts.games, "/kept", question, (told) => {
		const choice = filter.elements.game;
		for (const kind of choice.options.length > 1 ? [] : told.kinds) choice.add(new Option(kind.title, kind.game));
		fillTable(
			parts.games,
			told.games.map((game) => [
				linkTo("#game/" + game.id + "/0", whenText(game.started)),
				titleOf(game.game, told.kinds),
				game.names.replaceAll(",", ", "),
				resultText(game),
				String(game.moves),
			]),
		);
		if (told.games.length === 0)
			parts.games.querySelector(".trouble").textContent = "There are no such games.";
	});
}

// --- ratings ----------------------------------------------------------------------------------

function showKinds(told) {
	const kinds = document.getElementById("kinds");
	kinds.replaceChildren();
	for (const each of told.kinds) {
		const link = linkTo("#ratings/" + each.game, each.title);
		if (each.game === told.game) link.setAttribute("aria-current", "true");
		kinds.append(link);
	}
}

function showRatings(kind) {
	ask(parts.ratings, "/kept/ratings", kind ? { game: kind } : {}, (told) => {
		showKinds(told);
		fillTable(
			parts.ratings,
			told.ratings.map((each, place) => [
				String(place + 1),
				each.name,
				each.rating + " ± " + 2 * each.deviation,
				String(each.games),
			]),
		);
		if (told.ratings.length === 0)
			parts.ratings.querySelector(".trouble").textContent = "Nobody has played this yet.";
	});
}

// --- which part is shown ----------------------------------------------------------------------

function turnTo() {
	const [part, what, step] = location.hash.slice(1).split("/");
	document.body.classList.toggle("past", part in parts);
	for (const [name, element] of Object.entries(parts)) element.hidden = name !== part;
	for (const link of document.querySelectorAll("nav a")) {
		const mine = link.hash.slice(1);
		const current = mine === part || (mine === "games" && part === "game") || (!mine && !(part in parts));
		if (current) link.setAttribute("aria-current", "page");
		else link.removeAttribute("aria-current");
	}
	if (part !== "game") leaveReplay();
	if (part === "games") showGames();
	if (part === "game") showReplay(what, step);
	if (part === "ratings") showRatings(what);
}

filter.addEventListener("input", showGames);
filter.addEventListener("submit", (event) => event.preventDefault());
window.addEventListener("hashchange", turnTo);
setInterval(lookForKept, 10000);
lookForKept();
// when again.js is there too
document.addEventListener("DOMContentLoaded", turnTo);
