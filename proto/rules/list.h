/*
 * list.h - the games that are offered, in the order of GAMES. A new game is a line here.
 *
 * Each line GAME(NAME) stands for NAME_game in proto/rules/NAME.c and NAME_drawing in viewer/draw/NAME.c:
 * who has one and not the other does not link. This file is included where something is made for
 * each game, behind a #define of GAME.
 */
GAME(tictactoe)
GAME(hnefatafl)
GAME(quantik)
GAME(qwirkle)
GAME(memory)

#undef GAME
