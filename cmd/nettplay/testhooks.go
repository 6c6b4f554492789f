package main

import (
	"net/netip"
	"os"
)

// announceVariable of the environment names the one address that rooms are announced at,
// instead of all local networks, for tests of whole processes.
const announceVariable = "NETTPLAY_ANNOUNCE_TO"

// announceTo is where rooms are announced; none for all local networks.
func announceTo() []netip.AddrPort {
	if at, err := netip.ParseAddrPort(os.Getenv(announceVariable)); err == nil {
		return []netip.AddrPort{at}
	}
	return nil
}
