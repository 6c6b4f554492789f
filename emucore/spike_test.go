package emucore

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// TestWindowsSpike is for `make windows-spike`: the test core runs here and, by the command
// NETTPLAY_SPIKE, in a worker on Windows, from the same setup and with the same requests. Picture
// and main memory are equal after each of 60 frames.
func TestWindowsSpike(t *testing.T) {
	spike := strings.Fields(os.Getenv("NETTPLAY_SPIKE"))
	if len(spike) == 0 {
		t.Skip("make windows-spike builds what this test runs")
	}
	var script, want bytes.Buffer
	c := mustPocket(t)
	script.Write(c.mem.mem[offSetup : offSetup+int(unsafe.Sizeof(setup{}))])
	for _, in := range mash(18, 60) {
		q := request{op: opStep, count: 1}
		setInput(&q, in)
		script.Write(requestBytes(&q))
		f, err := c.Step(in)
		must.Succeed(t, err)
		fmt.Fprintf(&want, "%d %016x %016x\n", f.Number+1, fnv1a(f.Video.Pix), fnv1a(pocketRAM(t, c)))
	}
	path := filepath.Join(t.TempDir(), "script")
	must.Succeed(t, os.WriteFile(path, script.Bytes(), 0o600))
	cmd := exec.Command(spike[0], append(spike[1:], path, filepath.Join(testcore.Root(), "roms-test/pad.nds"))...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := bytes.ReplaceAll(out, []byte("\r"), nil)
	here, there := strings.Split(want.String(), "\n"), strings.Split(string(got), "\n")
	if len(here) != len(there) {
		t.Fatalf("%d frames here, %d there", len(here)-1, len(there)-1)
	}
	for i := range here {
		if here[i] != there[i] {
			t.Fatalf("frame, picture, memory: %s here, %s there", here[i], there[i])
		}
	}
	t.Logf("alike for %d frames; the last: %s", len(here)-1, here[len(here)-2])
}

func fnv1a(b []byte) uint64 {
	h := fnv.New64a()
	h.Write(b)
	return h.Sum64()
}
