package corecheck

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// printed is the fingerprint of a build of the test core.
func printed(t *testing.T, flags, defines string) (emucore.Core, [32]byte) {
	t.Helper()
	core := model.Core(t, testcore.Build(t, flags, defines))
	p := brief
	p.further = further(core)
	v, err := fault{}.config(core).run(t.Context(), p)
	if err != nil || v.Failed() || v.Fingerprint == ([32]byte{}) {
		t.Fatalf("%s %s: %+v, %v", flags, defines, v, err)
	}
	return core, v.Fingerprint
}

// TestFingerprint: it is that of what a core does, and not of its file. One pixel of one frame, or the default of an
// option that does nothing here, makes another one.
func TestFingerprint(t *testing.T) {
	a, want := printed(t, "-O2", "")
	b, same := printed(t, "-O1", "-DTESTCORE_STATE_VERSION=2") // how states are written does not show: a trial finds it
	if a.SHA256 == b.SHA256 || a.Version != b.Version {
		t.Fatal("the two builds are one file, or of two versions")
	}
	if same != want {
		t.Errorf("builds that do the same have %x and %x", want[:4], same[:4])
	}
	for _, defines := range []string{
		"-DTESTCORE_FLIP_AT=17",        // between two comparisons of the check
		"-DTESTCORE_FLIP_AT=50",        // in the further programs alone
		`-DTESTCORE_JITTER_IN='"64|"'`, // an option's default
	} {
		if _, other := printed(t, "-O2", defines); other == want {
			t.Errorf("with %s it is %x too", defines, other[:4])
		}
	}
}

// TestTrial: a state of another build does where it loads and goes on alike; what a stranger makes up
// is refused with a reason.
func TestTrial(t *testing.T) {
	trial := func(flags, defines string) *Trial {
		tr, err := NewTrial(t.Context(), Config{Core: model.Core(t, testcore.Build(t, flags, defines))})
		must.Succeed(t, err)
		return tr
	}
	a, b, own := trial("-O2", ""), trial("-O1", ""), trial("-O2", "-DTESTCORE_STATE_VERSION=2")
	if err := a.Try(t.Context(), b.State().Data); err != nil {
		t.Error(err)
	}
	if err := b.Try(t.Context(), a.State().Data); err != nil {
		t.Error(err)
	}
	lied := append([]byte(nil), a.State().Data...)
	lied[len(lied)-1] ^= 1
	for what, data := range map[string][]byte{
		"another form": own.State().Data, "nothing": nil, "a bit": lied, "noise": []byte(strings.Repeat("no state", 1000)), "cut": a.State().Data[:100],
	} {
		if err := a.Try(t.Context(), data); !Refused(err) || err.Error() == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestTrialThatCannotBeRun: a core that is gone, or that the system ends, says nothing of the other's state.
func TestTrialThatCannotBeRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "core_libretro.so")
	must.Succeed(t, os.WriteFile(path, must.Read(t, testcore.Build(t, "-O2", "")), 0o700))
	tr, err := NewTrial(t.Context(), Config{Core: model.Core(t, path)})
	must.Succeed(t, err)
	state := tr.State().Data
	must.Succeed(t, tr.Try(t.Context(), state))
	must.Succeed(t, os.Remove(path))
	if err := tr.Try(t.Context(), state); err == nil || Refused(err) {
		t.Errorf("without its file: %v", err)
	}
	for signal, want := range map[string]bool{"SIGKILL": true, "SIGSEGV": false, "": false} {
		if err := fmt.Errorf("a trial: %w", &emucore.CrashError{Signal: signal}); killed(err) != want {
			t.Errorf("%q: ended from outside: %v", signal, !want)
		}
	}
}
