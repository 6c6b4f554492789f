package main

import (
	"context"
	"fmt"
	"runtime"
)

// version is set by the Makefile.
var version = "unknown"

func versionCommand() command {
	return command{
		name: "version", uses: onVersion, takes: "no argument", summary: "say which nettplay this is",
		help: `All players of a room need the same version of the protocol. A room that refuses
you says which side must update. "nettplay --version" does the same.

Example: nettplay version`,
		run: func(_ context.Context, c *call) error {
			_, err := fmt.Fprintf(c.env.stdout, "nettplay %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
