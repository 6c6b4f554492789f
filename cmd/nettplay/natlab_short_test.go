package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestTwoHomesMeet is a short form of the lab, for each run of the tests: through a router that
// opens, and by an answer that is sent back.
func TestTwoHomesMeet(t *testing.T) {
	for _, kinds := range [][2]string{{"UPnP", "symmetric"}, {"port-restricted", "port-restricted"}} {
		t.Run(kinds[0]+", "+kinds[1], func(t *testing.T) {
			t.Parallel()
			kind := func(name string) routerKind {
				return routerKinds[slices.IndexFunc(routerKinds, func(k routerKind) bool { return k.name == name })]
			}
			a, b := kind(kinds[0]), kind(kinds[1])
			if err := labCan(a.upnp); err != nil {
				t.Skipf("SKIPPED: here can be no lab of routers: %v", err)
			}
			exe, err := exec.LookPath("nettplay") // this test binary, as for the scripts
			if err != nil {
				t.Fatal(err)
			}
			if o := newPairLab(t, filepath.Dir(exe), a, b, false).meet(a, b, false); o.Path != "direct" {
				t.Errorf("%+v", o)
			}
		})
	}
}

// labCan says what keeps this computer from having labs.
func labCan(upnp bool) error {
	if os.Geteuid() != 0 {
		return errors.New("this is not root")
	}
	programs := []string{"ip", "nft", "sysctl"}
	if upnp {
		programs = append(programs, "miniupnpd")
	}
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			return err
		}
	}
	name := fmt.Sprintf("n%d-%d", os.Getpid(), pairLabs.Add(1))
	defer func() { _ = exec.Command("ip", "netns", "del", name).Run() }()
	for _, c := range [][]string{
		{"netns", "add", name},
		{"netns", "exec", name, "sysctl", "-qw", "net.ipv4.ip_forward=1"},
		{"netns", "exec", name, "nft", "add table inet filter; add chain inet filter post { type nat hook postrouting priority 100; }"},
	} {
		if out, err := exec.Command("ip", c...).CombinedOutput(); err != nil {
			return fmt.Errorf("ip %q: %w: %s", c, err, out)
		}
	}
	return nil
}
