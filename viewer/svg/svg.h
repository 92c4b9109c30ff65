/*
 * svg.h - a scene as SVG: for files, and for the page in the browser.
 *
 * What is drawn has classes and no colours; those are in board.css, which a file carries with it
 * and a page loads once. Nothing is told by colour alone. All text that comes from elsewhere is
 * escaped. Attributes stand in single quotes, so that a drawing is short as a string of JSON.
 */
#ifndef VIEWER_SVG_SVG_H
#define VIEWER_SVG_SVG_H

#include "viewer/scene/scene.h"

/* Bytes that are enough for any drawing. */
enum { SVG_MAX = 256 * 1024 };

/* The board alone: one <svg> element that needs the style sheet of the page around it. */
void svg_print_board(const struct scene *scene, struct text *text);

/* A whole file: board, title, players and caption, with its style sheet. */
void svg_print_file(const struct scene *scene, struct text *text);

/* One piece alone, as an <svg> element of its own; nothing where the symbol is empty. */
void svg_print_piece(const char *symbol, int paint, struct text *text);

/* Text between tags or in an attribute. */
void svg_add_text(struct text *text, const char *words);

/* file.c: the same into a file. False: `why` says in one line why not. */
enum { SVG_WHY_MAX = 160 };
bool svg_write_file(const struct scene *scene, const char *file, char why[SVG_WHY_MAX]);

/* words.c: what is on the board in sentences, for those who do not see it. Not escaped. */
enum { SVG_WORDS_MAX = 8192 };
void svg_describe(const struct scene *scene, char words[SVG_WORDS_MAX]);

#endif
