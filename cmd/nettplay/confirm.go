package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
)

// confirm asks a question that is answered by yes or no. With --yes nobody is asked; where
// nobody can answer, that is an error.
func (o *coresCall) confirm(ctx context.Context, question string) (yes bool, err error) {
	if o.yes {
		o.console.say("%s Yes.", question)
		return true, nil
	}
	if o.env.stdin == nil {
		return false, &exitError{code: 1, err: fmt.Errorf("nobody can answer here: %s", question), hint: "--yes says yes."}
	}
	if o.answers == nil {
		o.answers = linesOf(ctx, o.env.stdin)
	}
	o.console.say("%s [y/N]", question)
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case line := <-o.answers: // "" when nothing more can be read
		return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(line))), nil
	}
}

// linesOf reads lines until ctx ends. A read that waits is left behind, as nothing can end it.
func linesOf(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for scan := bufio.NewScanner(in); scan.Scan(); {
			select {
			case lines <- scan.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}
