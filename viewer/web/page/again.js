/*
 * again.js - a kept game again: its positions, by buttons, keys and a slider, and the list of its moves.
 *
 * Each position is asked for when it is looked at. A long list of moves is asked for in parts, the one that
 * has the present step. Which game and step that is, the address says: #game/ID/STEP.
 */
"use strict";

const STEP_MS = 900; // from one position to the next while it plays, at speed 1
const NOTE_MS = 200; // a browser refuses to change the address as often as a held key asks for it

const slider = document.getElementById("slider");
const playButton = document.getElementById("play");
const speed = document.getElementById("speed");
const moves = document.getElementById("moves");
let replay = { id: "", step: 0, last: 0, tile: null, from: -1, part: 1 };
let playing = false;
let timer = 0; // of the next step while it plays
let noting = 0; // a timer, until the address says the step that is shown

// --- the position -----------------------------------------------------------------------------

function showStep(told) {
	replay.last = told.steps - 1;
	fillTile(replay.tile, told.board);
	slider.max = replay.last;
	slider.value = told.step;
	document.getElementById("step").textContent = told.step + " of " + replay.last;
	replay.step = told.step;
	document.getElementById("take-text").href = "/kept/text?" + new URLSearchParams({ id: replay.id });
	document.getElementById("take-drawing").href =
		"/kept/drawing?" + new URLSearchParams({ id: replay.id, step: told.step });
	if (told.step >= replay.last) pause();
	markMove(told.step);
	clearTimeout(noting);
	noting = setTimeout(() => history.replaceState(null, "", "#game/" + replay.id + "/" + replay.step), NOTE_MS);
}

// Playing on, the next step is asked for when this one is there: a slow network is not asked for more.
async function goTo(step) {
	clearTimeout(timer);
	replay.step = Math.max(0, replay.last ? Math.min(step, replay.last) : step);
	showMoves();
	await ask(parts.game, "/kept/game", { id: replay.id, step: replay.step }, showStep);
	clearTimeout(timer);
	if (playing) timer = setTimeout(() => goTo(replay.step + 1), STEP_MS / Number(speed.value));
}

function turn(step) {
	pause();
	goTo(step);
}

function pause() {
	clearTimeout(timer);
	playing = false;
	playButton.textContent = "Play";
}

function leaveReplay() {
	pause();
	clearTimeout(noting);
}

// From the end it begins again.
function play() {
	playing = true;
	playButton.textContent = "Pause";
	goTo(replay.step >= replay.last ? 0 : replay.step + 1);
}

function playOrPause() {
	if (playing) pause();
	else play();
}

// --- its moves --------------------------------------------------------------------------------

function addMove(list, move) {
	const button = make("button", "move", make("li", "", list));
	button.type = "button";
	button.dataset.step = move.step;
	make("span", "number", button).textContent = move.number ? move.number + "." : "";
	const what = make("span", "", button);
	if (move.words !== undefined) {
		make("span", "who", what).textContent = move.name;
		what.append(" ");
		make("span", "words", what).textContent = move.words;
	} else if (!move.ends) {
		what.textContent = "the board anew";
	}
	if (move.ends) make("span", "ends", what).textContent = move.ends;
}

function addButton(parent, step, words) {
	const button = make("button", "move", parent);
	button.type = "button";
	button.dataset.step = step;
	button.textContent = words;
}

// A part of the list may begin in the midst of a round, with a move.
function addRound(move) {
	const title = make("h3", "", moves);
	if (move.words === undefined && !move.ends) addButton(title, move.step, "Round " + move.round);
	else title.textContent = "Round " + move.round;
	return make("ol", "", moves);
}

function fillMoves(told) {
	let round;
	let list;
	replay.from = told.from;
	replay.part = told.part;
	document.getElementById("who").replaceChildren(nameLinks(told.names));
	document.getElementById("about").textContent =
		told.title + " · " + whenText(told.started) + " · " + resultText(told);
	moves.replaceChildren();
	if (told.from > 0) addButton(moves, told.from - 1, "earlier moves");
	for (const move of told.moves) {
		const begins = move.round !== round;
		if (begins) list = addRound(move);
		round = move.round;
		if (!begins || move.words !== undefined || move.ends) addMove(list, move);
	}
	if (told.from + told.part < told.steps) addButton(moves, told.from + told.part, "later moves");
	markMove(replay.step);
}

// A part of the game, where it is not shown already.
function showMoves() {
	if (replay.from >= 0 && Math.floor(replay.step / replay.part) * replay.part === replay.from) return;
	ask(moves, "/kept/moves", { id: replay.id, step: replay.step }, fillMoves);
}

function markMove(step) {
	for (const button of moves.querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
	const button = moves.querySelector('[data-step="' + step + '"]');
	if (!button) return;
	button.setAttribute("aria-current", "step");
	// only the list moves, not the page: on a phone it is below the board
	const box = moves.getBoundingClientRect();
	const place = button.getBoundingClientRect();
	if (place.top < box.top || place.bottom > box.bottom)
		moves.scrollTop += place.top - box.top - (box.height - place.height) / 2;
}

// --- keys and buttons -------------------------------------------------------------------------

function showReplay(id, step) {
	if (id !== replay.id) {
		const list = parts.game.querySelector(".shown");
		list.replaceChildren();
		moves.replaceChildren();
		leaveReplay();
		replay = { id, step: 0, last: 0, tile: buildTile(make("li", "tile", list), "#games"), from: -1, part: 1 };
		replay.tile.caption.setAttribute("aria-live", "polite");
	}
	goTo(Number(step) || 0);
}

const keys = {
	ArrowLeft: () => turn(replay.step - 1),
	ArrowRight: () => turn(replay.step + 1),
	Home: () => turn(0),
	End: () => turn(replay.last),
	" ": playOrPause,
};

document.addEventListener("keydown", (event) => {
	if (parts.game.hidden || rules.open || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
	if (!(event.key in keys) || event.target.matches("select")) return;
	// who has come to a button by keys presses it with the space bar
	if (event.key === " " && event.target.matches("button:not(#play)")) return;
	event.preventDefault();
	keys[event.key]();
});
// who has clicked one has not: the keys are the page's again
parts.game.addEventListener("click", (event) => {
	const button = event.target.closest("button");
	if (!button) return;
	if (button.dataset.step) turn(Number(button.dataset.step));
	if (event.detail) button.blur();
});
document.getElementById("first").addEventListener("click", keys.Home);
document.getElementById("back").addEventListener("click", keys.ArrowLeft);
document.getElementById("on").addEventListener("click", keys.ArrowRight);
document.getElementById("last").addEventListener("click", keys.End);
playButton.addEventListener("click", playOrPause);
slider.addEventListener("input", () => turn(Number(slider.value)));
