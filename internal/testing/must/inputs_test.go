package must

import (
	"bytes"
	"testing"
)

// TestInputsGoFurther: what was read well is what others are made of, so the second step of a reader is reached.
func TestInputsGoFurther(t *testing.T) {
	t.Setenv("NETTPLAY_LONG", "1")
	t.Setenv(InputsVariable, "200000")
	furthest := 0
	SurviveInputs(t, [][]byte{{0}}, func(_ *testing.T, b []byte) bool {
		n := 0
		for n < len(b) && n < 3 && b[n] == "abc"[n] {
			n++
		}
		furthest = max(furthest, n)
		return n > 0
	})
	if furthest < 2 {
		t.Errorf("%d steps are reached", furthest)
	}
}

// TestInputsAreBounded: in length, and in those that are kept.
func TestInputsAreBounded(t *testing.T) {
	t.Setenv("NETTPLAY_LONG", "1")
	t.Setenv(InputsVariable, "20000")
	seed, seen := bytes.Repeat([]byte{1}, longest), 0
	SurviveInputs(t, [][]byte{seed, {}}, func(t *testing.T, b []byte) bool {
		if seen++; len(b) > longest {
			t.Errorf("%d bytes", len(b))
		}
		return true
	})
	if seen != 20000 {
		t.Errorf("%d inputs", seen)
	}
}
