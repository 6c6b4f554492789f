package emucore

import (
	"context"
	"fmt"
	"os"
	"time"
)

// childEnv makes this test binary a program that starts a console and waits to
// be killed, or stopped: its value is "running", "loading" or "snapshots", what to do then.
const childEnv = "NETTPLAY_TEST_CHILD"

// child is that program. It prints the worker's process id.
func child() {
	core, err := OpenCore(context.Background(), os.Getenv("NETTPLAY_TEST_CHILD_CORE"))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	rom, err := OpenROM(os.Getenv("NETTPLAY_TEST_CHILD_ROM"))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	cfg := Config{Core: core, ROM: rom, TestOptions: map[string]string{}}
	if os.Getenv(childEnv) == "loading" {
		cfg.TestOptions["world_do"] = "load hang"
		cfg.limits.load = time.Hour
		fmt.Println("loading")
	}
	cfg.Rollback = os.Getenv(childEnv) == "snapshots"
	c, err := Start(context.Background(), cfg)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for place := 0; cfg.Rollback && place < MaxSnapshots; place++ {
		if err := c.snapshot(place); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	fmt.Println(c.proc.proc.Pid)
	for {
		if _, err := c.Step(Input{}); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
}
