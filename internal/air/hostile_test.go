package air

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// Where things lie in the shared memory; air.h.
const (
	atLock    = 0
	atBaton   = 64
	atCurrent = 72
	atStates  = 128
	atDoors   = atStates + 2*int(unsafe.Sizeof(state{}))
)

func word(a *Air, at int) uint32       { return binary.NativeEndian.Uint32(a.mem[at:]) }
func setWord(a *Air, at int, v uint32) { binary.NativeEndian.PutUint32(a.mem[at:], v) }

// busy is an air with consoles in all positions and packets in flight.
func busy(t testing.TB) *Air {
	t.Helper()
	a, err := New(Config{Skew: 1})
	must.Succeed(t, err)
	t.Cleanup(func() { a.Close() })
	for i := range 5 {
		must.Succeed(t, a.Plug(ds.Seat(i)))
	}
	must.Succeed(t, a.Resume())
	for i := range 4 {
		a.in.event(ds.Seat(i), evBlock) // waits for seat 4
	}
	a.in.event(4, evEndSilent) // seat 0 gives up
	newRadio(a.in, 0).put([]byte("hello"), everyone)
	newRadio(a.in, 0).put([]byte("you"), 2)
	a.in.event(0, evPoll) // three have packets now
	a.in.event(1, evPoll)
	return a
}

// everything calls all methods; none may crash or hang, whatever the memory says.
func everything(a *Air) {
	a.Status()
	a.Trace()
	saved, err := a.Save()
	if err == nil {
		a.Restore(saved)
	}
	a.StopAt(3)
	a.Open(4)
	a.Plug(9)
	a.Unplug(9)
	for i := range ds.MaxSeats {
		a.in.event(ds.Seat(i), event(1+i%7))
		a.in.door(ds.Seat(i))
		a.in.queued(ds.Seat(i), uint32(i)*77777)
	}
	a.Dead(3)
	a.Resume()
}

// FuzzHostile writes pairs (place, value) into the shared memory.
func FuzzHostile(f *testing.F) {
	f.Add([]byte{0, 4, 255, 1, 0, 7})
	f.Add([]byte("\x00\x28\x80\x00\x29\xff\x01\x10\xff\x00\x60\xff"))
	all := make([]byte, 0, 3*512)
	for i := range 512 {
		all = append(all, byte(i*5>>8), byte(i*5), 0xff)
	}
	f.Add(all)
	f.Fuzz(func(t *testing.T, data []byte) {
		a := busy(t)
		for ; len(data) >= 3; data = data[3:] {
			place := atCurrent + int(binary.BigEndian.Uint16(data))
			if place < len(a.mem) {
				a.mem[place] = data[2]
			}
		}
		everything(a)
		a.Close()
	})
}

// TestHeld: a worker that lives and keeps the lock is told to whoever can kill it, and what waited
// for it goes on once that is done.
func TestHeld(t *testing.T) {
	var a *Air
	var told []ds.Seat
	killed := make(chan error, 1)
	a, err := New(Config{Held: func(seat ds.Seat) {
		told = append(told, seat)
		go func() { killed <- a.Dead(seat) }() // waits for the one that calls this
	}})
	must.Succeed(t, err)
	defer a.Close()
	must.Succeed(t, errors.Join(a.Plug(2), a.Plug(3), a.Resume()))
	setWord(a, atLock, 3|0x80000500)
	must.Succeed(t, a.Open(7))
	must.Succeed(t, <-killed)
	st, err := a.Status()
	if err != nil || st.Open != 7 || st.Consoles[2].Plugged || !st.Consoles[3].Plugged || !slices.Equal(told, []ds.Seat{2}) {
		t.Errorf("%v, told of %v, %+v", err, told, st)
	}
}

// TestHeldInTurn: only a lock that stays in one hold is kept for too long, however often the parent
// finds it taken.
func TestHeldInTurn(t *testing.T) {
	a := busy(t)
	stop, done := make(chan bool), make(chan bool)
	go func() { // seat 2 takes it again and again, and has it almost all the time
		defer close(done)
		for taking := uint32(1); ; taking++ {
			setWord(a, atLock, 0x80000003|taking<<8&0x7fffff00)
			select {
			case <-stop:
				setWord(a, atLock, 0)
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	go func() {
		time.Sleep(2500 * time.Millisecond)
		close(stop)
	}()
	_, err := a.Status()
	<-done
	must.Succeed(t, err)
}

// TestScribbler: another process writes all over the memory all the time.
func TestScribbler(t *testing.T) {
	a := busy(t)
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		rng := rand.New(rand.NewPCG(1, 2))
		for {
			select {
			case <-stop:
				return
			default:
			}
			for range 1000 {
				place := atCurrent + rng.IntN(atDoors+4096)
				if rng.IntN(4) == 0 {
					place = atCurrent + rng.IntN(len(a.mem)-atCurrent)
				}
				a.mem[place] = byte(rng.Uint32())
			}
		}
	}()
	for range 300 {
		everything(a)
	}
	close(stop)
	<-done
}

// TestLockNonsense: a lock word that means nothing is an error, not a wait.
func TestLockNonsense(t *testing.T) {
	for _, v := range []uint32{0x800000ff, 0x12345678, 3} {
		a := busy(t)
		setWord(a, atLock, v)
		_, err := a.Status()
		var h *HeldError
		if !errors.As(err, &h) || v == 3 && h.Seat != 2 || v != 3 && h.Seat != ds.MaxSeats {
			t.Errorf("lock %#x: %v", v, err)
		}
	}
}

// TestDeathWithLock: a worker died at the worst moments: with the lock and the
// baton held and half a state written, or after its decision, before it could
// tell anybody.
func TestDeathWithLock(t *testing.T) {
	a := busy(t)
	before, err := a.Status()
	must.Succeed(t, err)
	spare := atStates + int(word(a, atCurrent)&1^1)*int(unsafe.Sizeof(state{}))
	for i := range int(unsafe.Sizeof(state{})) {
		a.mem[spare+i] = 0xa5
	}
	setWord(a, atLock, 3|0x80000000) // seat 2
	setWord(a, atBaton, 3)
	must.Succeed(t, a.Dead(2))
	after, err := a.Status()
	must.Succeed(t, err)
	if after.Consoles[2].Plugged || word(a, atBaton) != 0 {
		t.Errorf("seat 2 is still there: %+v, baton %d", after.Consoles[2], word(a, atBaton))
	}
	for _, i := range []int{0, 1, 3, 4} {
		if after.Consoles[i].Frame != before.Consoles[i].Frame || !after.Consoles[i].Plugged {
			t.Errorf("seat %d: %+v, then %+v", i, before.Consoles[i], after.Consoles[i])
		}
	}
}

// TestDeathBeforeCall: seat 3's turn has come, but the console that decided that died
// before it opened the door.
func TestDeathBeforeCall(t *testing.T) {
	a, err := New(Config{})
	must.Succeed(t, err)
	defer a.Close()
	for i := range 2 {
		must.Succeed(t, a.Plug(ds.Seat(i)))
	}
	must.Succeed(t, a.Resume())
	heard := make(chan answer)
	go func() {
		rad := newRadio(a.in, 0)
		rad.begin()
		got, _ := rad.poll(evPoll)
		heard <- got
	}()
	for st := (Status{}); !st.Consoles[0].Stopped; {
		if st, err = a.Status(); err != nil {
			t.Fatal(err)
		}
	}
	// Seat 1 would have done this last: the end of its frame lets seat 0 run.
	var st state
	owner := a.in.enter(&a.gone, &st)
	if owner != noOwner {
		t.Fatal(owner)
	}
	c := &st.seat[0]
	c.where, c.turn = cUint8(running), c.turn+1
	st.seat[1].frame++
	*(*state)(unsafe.Pointer(&a.mem[atStates+int(word(a, atCurrent)&1)*int(unsafe.Sizeof(st))])) = st
	setWord(a, atLock, 2)
	must.Succeed(t, a.Dead(1))
	select {
	case got := <-heard:
		if got != none {
			t.Errorf("answer %d", got)
		}
	case <-time.After(time.Minute):
		t.Fatal("seat 0 was never called")
	}
}

// TestDeathOfTheLiving: a worker that is said to be dead and is not gets out of
// its wait, and is not heard any more.
func TestDeathOfTheLiving(t *testing.T) {
	a := busy(t) // seat 3 stands blocked, and seat 0 and 1 have gone on
	done := make(chan answer, 2)
	go func() {
		rad := newRadio(a.in, 4)
		rad.begin()
		for range 2 {
			got, _ := rad.poll(evBlock)
			done <- got
			rad.send([]byte("boo"), everyone)
		}
		rad.end()
		close(done)
	}()
	for {
		st, err := a.Status()
		must.Succeed(t, err)
		if st.Consoles[4].Stopped {
			break
		}
	}
	must.Succeed(t, a.Dead(4))
	for range 2 {
		select {
		case got := <-done:
			if got != gaveUp {
				t.Errorf("answer %d", got)
			}
		case <-time.After(time.Minute):
			t.Fatal("it waits for ever")
		}
	}
	<-done
	st, err := a.Status()
	if err != nil || st.Consoles[4].Plugged || st.Consoles[4].Sent != 0 {
		t.Errorf("%v, %+v", err, st.Consoles[4])
	}
}

// TestDeathQueue: Dead while another dead worker has the lock fails in time, and
// is made good by the report of that one.
func TestDeathQueue(t *testing.T) {
	a := busy(t)
	setWord(a, atLock, 2) // seat 1
	var h *HeldError
	if err := a.Dead(3); !errors.As(err, &h) || h.Seat != 1 {
		t.Fatal(err)
	}
	must.Succeed(t, a.Dead(1))
	st, err := a.Status()
	if err != nil || st.Consoles[1].Plugged || st.Consoles[3].Plugged || !st.Consoles[2].Plugged {
		t.Errorf("%v, %+v", err, st.Consoles[:5])
	}
}
