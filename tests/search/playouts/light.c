/* Light playouts of Go on an empty board: the yardstick for the speed of the compiled kernels.
   Uniformly random legal moves that fill no eye, until two passes in a row. Straightforward: padded board,
   chains as circular lists, pseudo-liberties with sum and sum of squares.
     gcc -O3 -march=native -o light light.c && ./light SIZE PLAYOUTS
   prints moves a playout, and playouts a second of processor time. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { EMPTY, BLACK, WHITE, WALL };
enum { MOST = 25, STRIDE = MOST + 1, POINTS = STRIDE * (MOST + 2) + 1 };

typedef struct {
    uint64_t key;
    uint8_t stones[POINTS];
    uint16_t chain[POINTS], following[POINTS], length[POINTS], liberties[POINTS];
    uint32_t sum[POINTS], squares[POINTS];
    uint16_t empty[MOST * MOST], place[POINTS];
    uint32_t vacancies, ko, prisoners[2], width;
} Board;

static const int NEIGHBOURS[4] = {1, -1, STRIDE, -STRIDE};
static const int DIAGONALS[4] = {STRIDE + 1, STRIDE - 1, 1 - STRIDE, -1 - STRIDE};
static uint64_t keys[3][POINTS], state = 88172645463325252ULL;

static inline uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static void clear(Board *b, int width) {
    memset(b, 0, sizeof *b);
    memset(b->stones, WALL, sizeof b->stones);
    b->width = width;
    for (int y = 1; y <= width; y++)
        for (int x = 1; x <= width; x++) {
            int p = x + STRIDE * y;
            b->stones[p] = EMPTY;
            b->place[p] = b->vacancies;
            b->empty[b->vacancies++] = p;
        }
}

static inline int in_atari(const Board *b, int head) {
    uint64_t sum = b->sum[head];
    return (uint64_t)b->liberties[head] * b->squares[head] == sum * sum;
}

static int legal(const Board *b, int p, int colour) {
    if ((uint32_t)p == b->ko) return 0;
    for (int i = 0; i < 4; i++) {
        int q = p + NEIGHBOURS[i], found = b->stones[q];
        if (found == EMPTY) return 1;
        if (found != WALL && in_atari(b, b->chain[q]) != (found == colour)) return 1;
    }
    return 0;
}

static int eye(const Board *b, int p, int colour) {
    int lost = 0, wall = 0;
    for (int i = 0; i < 4; i++) {
        int found = b->stones[p + NEIGHBOURS[i]];
        if (found != colour && found != WALL) return 0;
    }
    for (int i = 0; i < 4; i++) {
        int found = b->stones[p + DIAGONALS[i]];
        lost += found == 3 - colour;
        wall |= found == WALL;
    }
    return lost + wall < 2;
}

static int merge(Board *b, int one, int other) {
    if (b->length[one] < b->length[other]) { int t = one; one = other; other = t; }
    b->length[one] += b->length[other];
    b->liberties[one] += b->liberties[other];
    b->sum[one] += b->sum[other];
    b->squares[one] += b->squares[other];
    int q = other;
    do { b->chain[q] = one; q = b->following[q]; } while (q != other);
    uint16_t t = b->following[one];
    b->following[one] = b->following[other];
    b->following[other] = t;
    return one;
}

static int take(Board *b, int head) {
    int colour = b->stones[head], p = head, taken = 0;
    do {
        b->stones[p] = EMPTY;
        b->key ^= keys[colour][p];
        b->place[p] = b->vacancies;
        b->empty[b->vacancies++] = p;
        taken++;
        for (int i = 0; i < 4; i++) {
            int q = p + NEIGHBOURS[i];
            if (b->stones[q] == BLACK || b->stones[q] == WHITE) {
                int beside = b->chain[q];
                b->liberties[beside]++;
                b->sum[beside] += p;
                b->squares[beside] += p * p;
            }
        }
        p = b->following[p];
    } while (p != head);
    return taken;
}

static void play(Board *b, int p, int colour) {
    int moved = b->empty[--b->vacancies], count = 0, taken = 0, captured = 0, head = p;
    uint32_t sum = 0, squares = 0;
    b->empty[b->place[p]] = moved;
    b->place[moved] = b->place[p];
    b->stones[p] = colour;
    b->chain[p] = b->following[p] = p;
    b->length[p] = 1;
    b->key ^= keys[colour][p];
    for (int i = 0; i < 4; i++) {
        int q = p + NEIGHBOURS[i], found = b->stones[q];
        if (found == EMPTY) { count++; sum += q; squares += q * q; }
        else if (found != WALL) {
            int beside = b->chain[q];
            b->liberties[beside]--;
            b->sum[beside] -= p;
            b->squares[beside] -= p * p;
        }
    }
    b->liberties[p] = count;
    b->sum[p] = sum;
    b->squares[p] = squares;
    for (int i = 0; i < 4; i++) {
        int q = p + NEIGHBOURS[i];
        if (b->stones[q] == colour && b->chain[q] != head) head = merge(b, head, b->chain[q]);
    }
    for (int i = 0; i < 4; i++) {
        int q = p + NEIGHBOURS[i];
        if (b->stones[q] == 3 - colour && b->liberties[b->chain[q]] == 0) {
            taken += take(b, b->chain[q]);
            captured = q;
        }
    }
    b->prisoners[colour - 1] += taken;
    b->ko = taken == 1 && b->length[head] == 1 && b->liberties[head] == 1 ? captured : 0;
}

static long playout(Board *b) {
    int colour = BLACK, passes = 0;
    long moves = 0, longest = 3L * b->width * b->width;
    while (moves < longest) {
        uint32_t count = b->vacancies, i = (next() >> 32) * count >> 32, tried;
        for (tried = 0; tried < count; tried++) {
            int p = b->empty[i];
            if (++i == count) i = 0;
            if (!eye(b, p, colour) && legal(b, p, colour)) { play(b, p, colour); break; }
        }
        moves++;
        if (tried < count) passes = 0;
        else { b->ko = 0; if (++passes == 2) break; }
        colour = 3 - colour;
    }
    return moves;
}

int main(int argc, char **argv) {
    if (argc != 3) { fprintf(stderr, "usage: light SIZE PLAYOUTS\n"); return 2; }
    static Board empty, board;
    long playouts = atol(argv[2]), moves = 0;
    for (int colour = 0; colour < 3; colour++)
        for (int p = 0; p < POINTS; p++) keys[colour][p] = next();
    clear(&empty, atoi(argv[1]));
    clock_t begin = clock();
    for (long i = 0; i < playouts; i++) { board = empty; moves += playout(&board); }
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    printf("%.1f %.0f\n", (double)moves / playouts, playouts / seconds);
    return 0;
}
