package main

import (
	"context"
	"fmt"
	"runtime"
)

func versionCommand() command {
	c := command{
		name: "version", summary: "say which nettplay this is",
		help: `All players of a room need the same version of the protocol; the answer at the
door says who must update.

Example: nettplay version`,
	}
	c.run = func(_ context.Context, env *environment, args []string) error {
		rest, err := parse(flagSet(env, c), args)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return usagef("it takes no argument, but got %q", rest[0])
		}
		fmt.Fprintf(env.stdout, "nettplay %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return nil
	}
	return c
}
