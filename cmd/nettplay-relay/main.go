// Nettplay-relay carries the sealed datagrams of players whose routers keep them apart. It
// cannot read them, keeps no log of addresses, and needs neither files nor another server:
//
//	nettplay-relay --listen :21206
//
// Players put HOST:21206 into the setting net.relays, or start with --relay HOST:21206.
// docs/relay.md is for those who run one, package internal/relay has the relay itself.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/nettplay/nettplay/internal/relay/service"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second signal ends the program at once
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "nettplay-relay:", err)
		os.Exit(1)
	}
}

// run runs the program until ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	c, err := settings(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		help(stdout)
	}
	if err != nil {
		return err
	}
	switch {
	case c.tell:
		fmt.Fprintln(stdout, "nettplay-relay", version)
		return nil
	case c.manual:
		return book().Page(stdout)
	}
	cfg, err := c.listen()
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "carrying datagrams on UDP %s\n", cfg.UDP.LocalAddr())
	for _, l := range cfg.Tunnels {
		fmt.Fprintf(stdout, "taking WebSockets on TCP %s\n", l.Addr())
	}
	leave, err := c.join(&cfg, stdout)
	if err != nil {
		closeAll(cfg)
		return err
	}
	defer leave()
	did, err := service.Run(ctx, cfg)
	fmt.Fprintf(stdout, "carried %d datagrams, %d bytes; %d were beyond their sender's rate\n", did.Carried, did.Bytes, did.Refused+did.Crowded)
	return err
}
