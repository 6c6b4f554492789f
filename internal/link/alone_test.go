package link

import (
	"errors"
	"testing"
)

// Who plays alone reaches nobody, and comes to an end as over any other link.
func TestAlone(t *testing.T) {
	l := Alone()
	if _, err := l.Dial(t.Context(), "192.0.2.1:1"); err == nil || !l.Absent(t.Context(), "192.0.2.1:1") {
		t.Errorf("dialled: %v", err)
	}
	if _, connected := l.Stats(1); connected || !errors.Is(l.Send(1, Control, nil), ErrUnknownPeer) {
		t.Error("there is somebody")
	}
	if l.Key().IsZero() {
		t.Error("it has no key")
	}
	for range 2 {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, open := <-l.Events(); open {
		t.Error("something came")
	}
}
