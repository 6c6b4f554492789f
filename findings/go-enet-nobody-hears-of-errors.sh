#!/bin/sh
# go-enet: a packet that ENet refuses is no error, and stays in memory for good; a friend whose name cannot be found is called at 0.0.0.0.
#
# Package:  github.com/codecat/go-enet v0.0.0-20230124183417-a8586e7e37c4 on libenet7, libenet-dev 1.3.17+ds-2 (Debian 12).
# Guess:    enet_address_set_host and enet_peer_send return -1 when they fail, and the Go functions that return an error return one then; where there is no
#           place for it, as in NewAddress, Connect fails, or the time-out comes. A packet belongs to the library once it is handed over.
# Seen:     all those results are thrown away. SendPacket, SendBytes and BroadcastPacket return nil whatever happens. ENet leaves a packet that it does
#           not take to its owner, whom nobody tells: each one sent between the end of a connection and the event about it, or on a channel that is
#           not there, is lost memory. An address whose name is not found, misspelled or asked for without a network, is 0.0.0.0. To send
#           there is on Linux to send to oneself, so that a name typed wrong ends as a friend who is not there, half a minute later. Look names up
#           with package net, and send only between EventConnect and one's own Disconnect.
#           nettplay does so.
# Output:   no.such.host.invalid is 0.0.0.0; Connect: error <nil>
#           sent on a channel that is not there: error <nil>
#           10000 packets of 10 kB sent behind Disconnect: errors 0, memory grown by more than 90 MB: true
#
# Needs Go and pkg-config.
. "$(dirname "$0")/begin.inc"
fetch libenet7=1.3.17+ds-2 libenet-dev=1.3.17+ds-2
PKG_CONFIG_PATH=$(dirname "$(find "$dir/root" -name libenet.pc)") PKG_CONFIG_SYSROOT_DIR=$dir/root PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_ALLOW_SYSTEM_CFLAGS PKG_CONFIG_ALLOW_SYSTEM_LIBS
cat >go.mod <<'M'
module heard

go 1.21
M
cat >main.go <<'G'
package main

import (
	"fmt"
	"os"

	"github.com/codecat/go-enet"
)

// memory is what the process has of it, in bytes.
func memory() int {
	var pages, resident int
	b, _ := os.ReadFile("/proc/self/statm")
	fmt.Sscan(string(b), &pages, &resident)
	return resident * os.Getpagesize()
}

func main() {
	enet.Initialize()
	host, err := enet.NewHost(nil, 4, 1, 0, 0)
	if err != nil {
		panic(err)
	}
	friend := enet.NewAddress("no.such.host.invalid", 7777)
	peer, err := host.Connect(friend, 1, 0)
	fmt.Printf("no.such.host.invalid is %s; Connect: error %v\n", friend, err)
	fmt.Printf("sent on a channel that is not there: error %v\n", peer.SendBytes([]byte("x"), 7, enet.PacketFlagReliable))
	peer.Disconnect(0)
	before, failed, data := memory(), 0, make([]byte, 10000)
	for i := range data {
		data[i] = 1
	}
	for i := 0; i < 10000; i++ {
		if peer.SendBytes(data, 0, enet.PacketFlagUnsequenced) != nil {
			failed++
		}
	}
	for i := 0; i < 10; i++ {
		host.Service(20)
	}
	host.Destroy()
	fmt.Printf("10000 packets of 10 kB sent behind Disconnect: errors %d, memory grown by more than 90 MB: %v\n", failed, memory()-before > 90e6)
}
G
go mod edit -require=github.com/codecat/go-enet@v0.0.0-20230124183417-a8586e7e37c4
go mod tidy -e >/dev/null 2>&1
go run . | tee seen
[ "$(cat seen)" = "no.such.host.invalid is 0.0.0.0; Connect: error <nil>
sent on a channel that is not there: error <nil>
10000 packets of 10 kB sent behind Disconnect: errors 0, memory grown by more than 90 MB: true" ] || {
	echo "changed: errors are told, or refused packets are freed" >&2
	exit 1
}
