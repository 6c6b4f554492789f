package uitest

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"testing"
	"time"
)

// fatalVariable has this test binary run tests by Main of which one ends on the main thread.
const fatalVariable = "NETTPLAY_TEST_FATAL"

// TestFatalOnTheMainThread: t.Fatal inside Run ends its test, and no other one. The binary says so and exits.
func TestFatalOnTheMainThread(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestOnMain", "-test.v")
	cmd.Env = append(os.Environ(), fatalVariable+"=1")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("the tests ended with %v", err)
	}
	for _, line := range []string{"--- FAIL: TestOnMainFatal", "it fails", "--- FAIL: TestOnMainFatalAgain", "--- PASS: TestOnMainAfter"} {
		if !bytes.Contains(out, []byte(line)) {
			t.Errorf("the tests do not say %q:\n%s", line, out)
		}
	}
	if bytes.Contains(out, []byte("goes on")) {
		t.Errorf("a test goes on after t.Fatal:\n%s", out)
	}
}

func TestOnMainFatal(t *testing.T)      { fails(t) }
func TestOnMainFatalAgain(t *testing.T) { fails(t) }

func fails(t *testing.T) {
	if os.Getenv(fatalVariable) == "" {
		t.Skip("for TestFatalOnTheMainThread")
	}
	Run(func() { t.Fatal("it fails") })
	t.Error("goes on")
}

func TestOnMainAfter(t *testing.T) {
	if os.Getenv(fatalVariable) == "" {
		t.Skip("for TestFatalOnTheMainThread")
	}
	ran := false
	Run(func() { ran = true })
	if !ran {
		t.Error("Run does not run")
	}
}
