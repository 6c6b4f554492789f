package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestProgramEndsInGoodOrder(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	over := make(chan error, 1)
	go func() {
		over <- run(ctx, []string{"--listen", "127.0.0.1:0"}, in, in)
		in.Close()
	}()
	first := make([]byte, 200)
	n, err := out.Read(first)
	if err != nil || !strings.HasPrefix(string(first[:n]), "carrying datagrams on UDP 127.0.0.1:") {
		t.Fatalf("%q, %v", first[:n], err)
	}
	cancel()
	rest, err := io.ReadAll(out)
	if err != nil || !strings.Contains(string(rest), "carried 0 datagrams") {
		t.Errorf("at the end: %q, %v", rest, err)
	}
	if err := <-over; err != nil {
		t.Error(err)
	}
}

func TestWrongFlagsAreSaid(t *testing.T) {
	for _, args := range [][]string{{"--machines", "0"}, {"--rate", "1"}, {"extra"}, {"--nonsense"}} {
		var b bytes.Buffer
		if err := run(t.Context(), args, &b, &b); !errors.Is(err, errUsage) || b.Len() == 0 {
			t.Errorf("%q: %v, says %q", args, err, b.String())
		}
	}
}
