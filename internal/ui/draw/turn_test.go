package draw

import (
	"bytes"
	"fmt"
	"testing"
)

// TestTurn compares each pixel of turned pictures with where it is to be, and turns them back.
func TestTurn(t *testing.T) {
	for _, size := range []int{2, 4} {
		for _, side := range [][2]int{{256, 192}, {1, 1}, {17, 33}, {3, 200}} {
			w, h := side[0], side[1]
			from := make([]byte, w*h*size)
			for i := range from {
				from[i] = byte(i * 7 >> (i % 5))
			}
			for _, left := range []bool{false, true} {
				t.Run(fmt.Sprint(size, side, left), func(t *testing.T) {
					got := Turn(nil, from, w, size, left)
					for y := range h {
						for x := range w {
							column, row := h-1-y, x
							if left {
								column, row = y, w-1-x
							}
							if a, b := from[(y*w+x)*size:][:size], got[(row*h+column)*size:][:size]; !bytes.Equal(a, b) {
								t.Fatalf("%d,%d is %v, at %d,%d is %v", x, y, a, column, row, b)
							}
						}
					}
					if back := Turn(make([]byte, 1<<20), got, h, size, !left); !bytes.Equal(back, from) {
						t.Error("turned back it is another picture")
					}
				})
			}
		}
	}
}

// BenchmarkTurn is one screen of a console.
func BenchmarkTurn(b *testing.B) {
	for _, size := range []int{2, 4} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			from := make([]byte, 256*192*size)
			to := Turn(nil, from, 256, size, true)
			for b.Loop() {
				to = Turn(to, from, 256, size, true)
			}
		})
	}
}
