import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** Plays Quantik by looking ahead: alpha-beta, one move deeper each time, for a moment. */
class Quantik {
    static final String SHAPES = "CPST";
    static final long THINK_MS = 400;

    static final int[] cell = new int[16]; // 0: empty; 1..4: a shape of white's; -1..-4: of black's
    static long deadline;

    static class TimeIsUp extends RuntimeException {}

    /** The cells of the row, the column or the square that a cell is in. */
    static int areaCell(int area, int at, int i) {
        int x = at % 4, y = at / 4;
        if (area == 0) return y * 4 + i;
        if (area == 1) return i * 4 + x;
        return (y / 2 * 2 + i / 2) * 4 + x / 2 * 2 + i % 2;
    }

    static boolean isLegal(int at, int piece) {
        int used = 0;
        if (cell[at] != 0) return false;
        for (int c : cell) if (c == piece) used++;
        for (int area = 0; area < 3; area++)
            for (int i = 0; i < 4; i++) if (cell[areaCell(area, at, i)] == -piece) return false;
        return used < 2;
    }

    static boolean wins(int at) {
        for (int area = 0; area < 3; area++) {
            int shapes = 0;
            for (int i = 0; i < 4; i++) shapes |= 1 << Math.abs(cell[areaCell(area, at, i)]);
            if (shapes == 0b11110) return true;
        }
        return false;
    }

    /** 100 less the moves to a win, or the negative of that to a loss, for the colour to move. */
    static int search(int colour, int ply, int depth, int alpha, int beta) {
        int best = -100 + ply; // who cannot move has lost
        if (depth == 0) return 0;
        if (System.currentTimeMillis() > deadline) throw new TimeIsUp();
        for (int move = 0; move < 64 && alpha < beta; move++) {
            int at = move / 4, piece = colour * (move % 4 + 1);
            if (!isLegal(at, piece)) continue;
            best = Math.max(best, tryMove(at, piece, ply, depth, alpha, beta));
            alpha = Math.max(alpha, best);
        }
        return best;
    }

    static int tryMove(int at, int piece, int ply, int depth, int alpha, int beta) {
        cell[at] = piece;
        try {
            if (wins(at)) return 99 - ply;
            return -search(-Integer.signum(piece), ply + 1, depth - 1, -beta, -alpha);
        } finally {
            cell[at] = 0;
        }
    }

    static String choose(String[] legal, int colour) {
        String chosen = legal[0];
        deadline = System.currentTimeMillis() + THINK_MS;
        try {
            for (int depth = 1; depth <= 16; depth++) {
                int best = -1000;
                String first = chosen;
                for (String move : legal) {
                    int at = move.charAt(0) - '0' + 4 * (move.charAt(2) - '0');
                    int piece = colour * (SHAPES.indexOf(move.charAt(4)) + 1);
                    int value = tryMove(at, piece, 0, depth, -1000, -best);
                    if (value > best) {
                        best = value;
                        first = move;
                    }
                }
                chosen = first;
                if (Math.abs(best) > 50) break; // won or lost, whatever comes
            }
        } catch (TimeIsUp timeIsUp) {
            // the last depth that was searched whole has to do
        }
        return chosen;
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int colour = 1;
        for (String line; (line = in.readLine()) != null; ) {
            String[] word = line.split(" ", 2);
            if (word[0].equals("START")) colour = line.contains(" WHITE 1 ") ? 1 : -1;
            if (word[0].equals("BOARD"))
                for (int i = 0; i < 16; i++) {
                    char c = word[1].charAt(i);
                    int shape = SHAPES.indexOf(Character.toUpperCase(c)) + 1;
                    cell[i] = Character.isUpperCase(c) ? shape : -shape;
                }
            if (word[0].equals("LEGAL")) System.out.println("MOVE " + choose(word[1].split(";"), colour));
        }
    }
}
