package uitest

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// parentVariable makes this test binary a program that starts another one and waits.
const parentVariable = "NETTPLAY_TEST_PARENT"

func TestMain(m *testing.M) {
	if os.Getenv(fatalVariable) != "" {
		os.Exit(Main(m))
	}
	if os.Getenv(parentVariable) == "" {
		os.Exit(m.Run())
	}
	child := exec.Command("sh", "-c", "echo here; exec sleep 1000")
	child.Stdout = os.Stdout
	if err := Start(child); err != nil {
		panic(err)
	}
	_ = child.Wait()
}

// A child is gone when its parent has been killed: nobody is left who holds its output open.
func TestChildDiesWithItsParent(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), parentVariable+"=1")
	out, err := cmd.StdoutPipe()
	must.Succeed(t, err)
	must.Succeed(t, cmd.Start())
	r := bufio.NewReader(out)
	if line, err := r.ReadString('\n'); line != "here\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	must.Succeed(t, cmd.Process.Kill())
	if _, err := io.Copy(io.Discard, r); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait()
}
