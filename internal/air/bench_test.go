package air

import (
	"fmt"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// BenchmarkExchange is a command and the replies to it: two stops for everybody.
func BenchmarkExchange(b *testing.B) {
	for _, consoles := range []int{1, 2, 4, 16} {
		b.Run(fmt.Sprint(consoles), func(b *testing.B) {
			a, err := New(Config{Skew: 1})
			must.Succeed(b, err)
			defer a.Close()
			for i := range consoles {
				must.Succeed(b, a.Plug(ds.Seat(i)))
			}
			must.Succeed(b, a.Resume())
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
