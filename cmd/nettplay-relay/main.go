// Nettplay-relay carries the sealed datagrams of players whose routers keep them apart. It
// cannot read them, keeps no log of addresses, and needs neither files nor another server:
//
//	nettplay-relay --listen :21206
//
// Players put HOST:21206 into the setting net.relays, or start with --relay HOST:21206.
// Package internal/relay has the relay itself.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/nettplay/nettplay/internal/relay"
)

// version is set by the Makefile.
var version = "unknown"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
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

// errUsage is of a flag that is wrong; the flag package has said it.
var errUsage = errors.New("wrong flags")

// run runs the program until ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var limits relay.Limits
	flags := flag.NewFlagSet("nettplay-relay", flag.ContinueOnError)
	flags.SetOutput(stderr)
	listen := flags.String("listen", ":21206", "UDP `address` to listen on, HOST:PORT or :PORT")
	flags.IntVar(&limits.Mailboxes, "machines", 10_000, "most machines at once")
	flags.IntVar(&limits.PerHost, "per-host", 64, "most machines of one IPv4 address or IPv6 network")
	flags.IntVar(&limits.Rate, "rate", 2<<20, "most bytes a second from one machine")
	tell := flags.Bool("version", false, "say which nettplay-relay this is")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return errUsage
	}
	if *tell {
		fmt.Fprintln(stdout, "nettplay-relay", version)
		return nil
	}
	if flags.NArg() > 0 || limits.Mailboxes < 1 || limits.PerHost < 1 || limits.Rate < relay.MaxDatagram {
		fmt.Fprintf(stderr, "nettplay-relay takes no argument, and its limits are above zero; --rate is at least %d\n", relay.MaxDatagram)
		return errUsage
	}
	at, err := net.ResolveUDPAddr("udp", *listen)
	if err != nil {
		return fmt.Errorf("listen on %q: %w", *listen, err)
	}
	conn, err := net.ListenUDP("udp", at)
	if err != nil {
		return fmt.Errorf("listen on %q: %w", *listen, err)
	}
	fmt.Fprintf(stdout, "carrying datagrams on UDP %s\n", conn.LocalAddr())
	did, err := relay.Serve(ctx, conn, limits)
	fmt.Fprintf(stdout, "carried %d datagrams, %d bytes; %d were beyond their sender's rate\n", did.Carried, did.Bytes, did.Refused)
	return err
}
