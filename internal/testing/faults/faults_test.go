package faults

import (
	"testing"

	"github.com/nettplay/nettplay/internal/desync"
)

func TestParse(t *testing.T) {
	if f, err := Parse("video@30:16"); err != nil || *f != (Fault{desync.Video, 30, 15}) {
		t.Errorf("%+v, %v", f, err)
	}
	for _, text := range []string{"", "ram", "ram@1", "rom@1:1", "ram@x:1", "ram@1:x", "ram@1:0", "ram@1:17", "ram@-1:1"} {
		if f, err := Parse(text); err == nil {
			t.Errorf("%q is %+v", text, f)
		}
	}
}
