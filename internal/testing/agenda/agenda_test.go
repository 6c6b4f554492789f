package agenda

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Goroutines that run side by side and ask for turns at the same instant go on in the order
// of their classes, one when the one before has come to rest.
func TestDataDecidesTheOrder(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			a := New(synctest.Wait)
			var mu sync.Mutex
			var order []string
			var all sync.WaitGroup
			for class := range 8 {
				all.Go(func() {
					for n := range 3 {
						a.Sleep(class, time.Millisecond, nil)
						followed := make(chan struct{})
						go func() { // what a turn sets going belongs to it
							defer close(followed)
							mu.Lock()
							defer mu.Unlock()
							order = append(order, fmt.Sprint(n, class))
						}()
						<-followed
					}
				})
			}
			all.Wait()
			if !slices.IsSorted(order) || len(order) != 24 {
				t.Error(order)
			}
		})
	}
}

// Within a class the older entry comes first, and each function hears the time that it was
// to be called at.
func TestOrderOfTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, began := New(nil), time.Now()
		var order []string
		add := func(name string, d time.Duration) *Entry {
			return a.At(began.Add(d), 0, func(at time.Time) {
				order = append(order, name)
				if at != began.Add(d) || !at.Equal(time.Now()) {
					t.Error(name, at, time.Now())
				}
			})
		}
		add("late", time.Second)
		gone := add("gone", time.Millisecond)
		add("soon", time.Millisecond)
		add("next", time.Millisecond)
		a.Cancel(gone)
		a.Cancel(gone)
		a.Cancel(nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		if want := []string{"soon", "next", "late"}; !slices.Equal(order, want) {
			t.Error(order)
		}
	})
}

// A turn that is not waited for any more does not come.
func TestStoppedTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, stop := New(synctest.Wait), make(chan struct{})
		turn := a.Turn(1, time.Hour)
		close(stop)
		if turn.Wait(stop) || len(a.list) != 0 {
			t.Error("it came")
		}
		if !a.Turn(1, time.Hour).Wait(nil) {
			t.Error("it did not come")
		}
	})
}

// A quiet function is not waited for, but if it has woken a goroutine all the same.
func TestQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rests := 0
		a := New(func() { rests++; synctest.Wait() })
		now, woken := time.Now(), make(chan struct{})
		var order []string
		go func() {
			<-woken
			order = append(order, "woken")
		}()
		a.Quiet(now, 1, func(time.Time) { order = append(order, "quiet") })
		a.Quiet(now, 2, func(time.Time) { close(woken); a.Stir() })
		a.Quiet(now, 3, func(time.Time) { order = append(order, "after") })
		a.At(now, 4, func(time.Time) {})
		time.Sleep(time.Second)
		synctest.Wait()
		if want := []string{"quiet", "woken", "after"}; !slices.Equal(order, want) || rests != 3 {
			t.Error(order, rests)
		}
	})
}
