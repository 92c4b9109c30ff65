/*
 * player.js - the page of one player: how strong, how that came about, the latest games.
 *
 * The address says who, and of which game: #player/NAME/GAME. Without a game it is the one played last.
 */
"use strict";

const LATEST = 20; // games
const PLOT_HIGH = 220; // pixels
const PLOT_LEFT = 46; // for the numbers beside it
const PLOT_EDGE = 12;
const PLOT_BELOW = 24; // for the dates
const DOTS = 60; // where there are more days, the line alone is clearer

const plot = document.getElementById("plot");
let course = []; // of the player who is shown: [when, rating, deviation]

function nameLink(name, game) {
	return linkTo("#player/" + encodeURIComponent(name) + (game ? "/" + game : ""), name);
}

function wordBetween(names) {
	return names.length === 2 ? " against " : ", ";
}

// Each name is a link to its player's page.
function nameLinks(names, between = wordBetween(names)) {
	const list = document.createElement("span");
	for (const [place, name] of names.entries()) list.append(place ? between : "", nameLink(name));
	return list;
}

// --- the plot ---------------------------------------------------------------------------------

function draw(tag, attributes, parent) {
	const element = document.createElementNS(plot.namespaceURI, tag);
	for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
	parent.append(element);
	return element;
}

function dayText(ms) {
	return new Date(ms).toISOString().slice(0, 10);
}

// Where days and ratings are on the plot. 95 of 100 are within two deviations.
function scaleOf(width) {
	const low = Math.min(...course.map(([, rating, deviation]) => rating - 2 * deviation));
	const high = Math.max(...course.map(([, rating, deviation]) => rating + 2 * deviation));
	const [first, last] = [course[0][0], course.at(-1)[0]];
	const wide = width - PLOT_LEFT - PLOT_EDGE;
	const tall = PLOT_HIGH - PLOT_EDGE - PLOT_BELOW;
	return {
		low,
		high,
		x: (at) => PLOT_LEFT + (last === first ? wide / 2 : ((at - first) / (last - first)) * wide),
		y: (rating) => PLOT_EDGE + ((high - rating) / (high - low || 1)) * tall,
	};
}

// Lines at whole hundreds, as many as can be read.
function drawGrid(scale, width) {
	const apart = 100 * Math.ceil((scale.high - scale.low) / 600);
	for (let rating = Math.ceil(scale.low / apart) * apart; rating <= scale.high; rating += apart) {
		const y = scale.y(rating);
		draw("line", { class: "rule", x1: PLOT_LEFT, x2: width - PLOT_EDGE, y1: y, y2: y }, plot);
		draw("text", { x: PLOT_LEFT - 8, y: y + 4, "text-anchor": "end" }, plot).textContent = rating;
	}
	draw("text", { x: PLOT_LEFT, y: PLOT_HIGH - 6 }, plot).textContent = dayText(course[0][0]);
	if (course.length > 1)
		draw("text", { x: width - PLOT_EDGE, y: PLOT_HIGH - 6, "text-anchor": "end" }, plot).textContent = dayText(
			course.at(-1)[0],
		);
}

function drawPlot() {
	const width = Math.max(280, plot.parentElement.clientWidth);
	plot.replaceChildren();
	plot.parentElement.hidden = course.length === 0;
	if (course.length === 0) return;
	const scale = scaleOf(width);
	const points = (edge) => course.map(([at, rating, by]) => scale.x(at) + "," + scale.y(rating + edge * by));
	plot.setAttribute("viewBox", "0 0 " + width + " " + PLOT_HIGH);
	plot.setAttribute("aria-label", tellCourse());
	drawGrid(scale, width);
	draw("polygon", { class: "band", points: [...points(2), ...points(-2).reverse()].join(" ") }, plot);
	draw("polyline", { class: "course", points: points(0).join(" ") }, plot);
	for (const [at, rating, deviation] of course.length > DOTS ? [course.at(-1)] : course) {
		const dot = draw("circle", { class: "day", cx: scale.x(at), cy: scale.y(rating), r: 4 }, plot);
		draw("title", {}, dot).textContent = dayText(at) + ": " + rating + " ± " + 2 * deviation;
	}
}

// The same in words, for who does not see it.
function tellCourse() {
	const ratings = course.map(([, rating]) => rating);
	const [first, last] = [course[0], course.at(-1)];
	if (course.length === 1) return "Rating " + last[1] + " on " + dayText(last[0]);
	return (
		"Rating over time: " + first[1] + " on " + dayText(first[0]) + ", " + last[1] + " on " + dayText(last[0]) +
		"; lowest " + Math.min(...ratings) + ", highest " + Math.max(...ratings)
	);
}

// --- all of it --------------------------------------------------------------------------------

function showStrength(name, told) {
	const title = titleOf(told.game, told.kinds);
	showKinds(document.getElementById("player-kinds"), told, "#player/" + encodeURIComponent(name) + "/");
	document.getElementById("strength").textContent = told.rank
		? told.rating + " ±\u00a0" + 2 * told.deviation + ", place " + told.rank + " of " + told.of + " in " + title +
			", after " + told.games + (told.games === 1 ? " round" : " rounds")
		: "No rating in " + title + " yet.";
	course = told.course || [];
	drawPlot();
}

function showPlayerPage(word, game) {
	const table = parts.player.querySelector("table");
	const name = wordOf(word);
	document.getElementById("player-title").textContent = name;
	document.getElementById("all-games").href = addressOf({ player: name });
	ask(parts.player, "/kept/player", game ? { player: name, game } : { player: name }, (told) =>
		showStrength(name, told),
	);
	ask(table, "/kept", { player: name }, (told) =>
		fillTable(
			table,
			told.games.slice(0, LATEST).map((each) => gameRow(each, told.kinds)),
		),
	);
}

// People type addresses too.
function wordOf(word) {
	try {
		return decodeURIComponent(word || "");
	} catch {
		return word;
	}
}

window.addEventListener("resize", () => {
	if (!parts.player.hidden) drawPlot();
});
