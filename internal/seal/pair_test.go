package seal

import (
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestDropsAreOfTwo: both compute the same place in each direction, nobody else does, and what
// was left in one cannot be shown in the other.
func TestDropsAreOfTwo(t *testing.T) {
	var keys [3]Private
	for i := range keys {
		keys[i], _ = NewKey()
	}
	ann, bob, eve := keys[0], keys[1], keys[2]
	drop := func(d Drop, err error) Drop {
		t.Helper()
		must.Succeed(t, err)
		return d
	}
	to, from := drop(ann.DropTo(bob.Public())), drop(bob.DropFrom(ann.Public()))
	back, hers := drop(bob.DropTo(ann.Public())), drop(eve.DropFrom(ann.Public()))
	if to.Place != from.Place || to.Place == back.Place || to.Place == hers.Place {
		t.Errorf("places: %x %x %x %x", to.Place, from.Place, back.Place, hers.Place)
	}
	b := to.Seal(nil, []byte("online"), []byte{1})
	if got, err := from.Open(b, []byte{1}); err != nil || string(got) != "online" || len(b) != len("online")+DropOverhead {
		t.Errorf("%q of %d bytes, %v", got, len(b), err)
	}
	for _, other := range []Drop{back, hers} {
		if _, err := other.Open(b, []byte{1}); err == nil {
			t.Error("somebody else reads it")
		}
	}
	if _, err := from.Open(b, []byte{2}); err == nil {
		t.Error("its number can be changed")
	}
	if _, err := ann.DropTo(Public{}); err == nil {
		t.Error("the point of low order is a friend")
	}
}
