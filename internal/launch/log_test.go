package launch

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/diagnostics"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// Notices stand in the log, and the player gets them all the same.
func TestLogged(t *testing.T) {
	var out bytes.Buffer
	log, err := diagnostics.Logger(&out, "info")
	must.Succeed(t, err)
	told := 0
	notify := Logged(log, func(notice.Notice) { told++ })
	for _, n := range []notice.Notice{
		notice.Opened{Addr: "here:1"},
		notice.Message{From: "Ann", Text: "hi all"},
		notice.Figures{Frame: 3},
		notice.GameOver{Err: errors.New("it broke")},
	} {
		notify(n)
	}
	for _, want := range []string{`msg="room opened" address=here:1`, `text="hi all"`, `error="it broke"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "figures") || told != 4 {
		t.Errorf("told %d, logged\n%s", told, out.String())
	}
	Logged(nil, func(notice.Notice) { told++ })(notice.Opened{})
	if told != 5 {
		t.Error("without a log nobody is told")
	}
}
