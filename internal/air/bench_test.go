package air

import (
	"fmt"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
)

// BenchmarkExchange is a command and the replies to it: two stops for everybody.
func BenchmarkExchange(b *testing.B) {
	for _, consoles := range []int{1, 2, 4, 16} {
		b.Run(fmt.Sprint(consoles), func(b *testing.B) {
			a, err := New(Config{Skew: 1})
			if err != nil {
				b.Fatal(err)
			}
			defer a.Close()
			for i := range consoles {
				if err := a.Plug(ds.Seat(i)); err != nil {
					b.Fatal(err)
				}
			}
			if err := a.Resume(); err != nil {
				b.Fatal(err)
			}
			done := make(chan bool)
			for i := range consoles {
				go func() {
					exchange(newRadio(a.in, ds.Seat(i)), i == 0, consoles-1, b.N)
					done <- true
				}()
			}
			for range consoles {
				<-done
			}
		})
	}
}

func exchange(r *radio, host bool, clients, n int) {
	data := make([]byte, 200)
	r.begin()
	for range n {
		if !host {
			r.poll(evBlock)
			r.send(data, 0)
			continue
		}
		r.send(data, everyone)
		for range max(1, clients) {
			r.poll(evHostBlock)
		}
	}
	r.end()
}
