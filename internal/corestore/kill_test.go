package corestore

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// killMe in the environment makes the test below the one that is killed: the store's folder.
const killMe = "NETTPLAY_TEST_KILLED_STORE"

// TestKilled: a process that dies just before a build would be kept leaves nothing that
// anybody takes for one, and the next get removes all of it.
func TestKilled(t *testing.T) {
	if dir := os.Getenv(killMe); dir != "" {
		_, c := fetcher(t)
		c.Store = Open(dir)
		c.probe = func(ctx context.Context, path string) (emucore.Core, error) {
			_, _ = os.Stdout.WriteString("before the end " + path + "\n")
			p, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = p.Kill()
			}
			<-ctx.Done()
			return emucore.Core{}, err
		}
		_, err := c.Get(t.Context(), offered(t, c, "melonds"), Want{}, nil)
		t.Fatalf("it lives, and says %v", err)
	}
	dir := filepath.Join(t.TempDir(), "cores")
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), killMe+"="+dir)
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "before the end "+dir) {
		t.Fatalf("%v\n%s", err, out)
	}
	_, c := fetcher(t)
	c.Store = Open(dir)
	if all, err := c.Store.List(); len(all) > 0 || err != nil || names(t, c.Store) == "" {
		t.Errorf("it left %+v, %v\n%s", all, err, names(t, c.Store))
	}
	b, err := c.Get(t.Context(), offered(t, c, "melonds"), Want{}, nil)
	must.Succeed(t, err)
	must.Succeed(t, c.Store.Remove(b))
	if left := names(t, c.Store); left != "" {
		t.Errorf("left behind:\n%s", left)
	}
}
