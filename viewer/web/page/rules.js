/*
 * rules.js - how a game is played: its rules in a dialog, as holmgang-web has them from the game itself.
 *
 * Each board has a button for it, and where one board is shown alone, "?" is the key.
 */
"use strict";

const rules = document.getElementById("rules");

async function showRules(game, title) {
	const answer = await fetch("/rules/" + game);
	if (!answer.ok) return;
	document.getElementById("rules-title").textContent = title;
	const text = rules.querySelector(".text");
	text.replaceChildren();
	for (const words of (await answer.text()).split("\n")) make("p", "", text).textContent = words;
	if (!rules.open) rules.showModal();
}

function addRulesButton(article) {
	const button = make("button", "rules", article);
	button.type = "button";
	button.textContent = "rules";
	button.addEventListener("click", () => showRules(button.dataset.game, button.dataset.title));
	return button;
}

function nameRules(button, game, title) {
	button.dataset.game = game;
	button.dataset.title = title;
	button.setAttribute("aria-label", "Rules of " + title);
}

rules.querySelector("button").addEventListener("click", () => rules.close());
// beside the dialog is what it covers
rules.addEventListener("click", (event) => {
	if (event.target === rules) rules.close();
});
document.addEventListener("keydown", (event) => {
	if (event.key !== "?" || rules.open || event.target.matches("input, select")) return;
	const boards = [...document.querySelectorAll(".tile")].filter((tile) => tile.offsetParent);
	if (boards.length === 1) boards[0].querySelector("button.rules").click();
});
