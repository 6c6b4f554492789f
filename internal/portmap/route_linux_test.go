package portmap

import (
	"strings"
	"testing"
)

func TestDefaultGateway(t *testing.T) {
	const table = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth0	0002A8C0	00000000	0001	0	0	0	00FFFFFF	0	0	0
eth0	00000000	0102A8C0	0003	0	0	0	00000000	0	0	0
`
	if got := defaultGateway(strings.NewReader(table), route4); got.String() != "192.168.2.1" {
		t.Errorf("got %v", got)
	}
	if got := defaultGateway(strings.NewReader("nonsense\n00000000\n x 00000000 zz"), route4); got.IsValid() {
		t.Errorf("got %v", got)
	}
}

func TestDefaultGateway6(t *testing.T) {
	const (
		own     = "20010db8000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0\n"
		blocked = "00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo\n"
		router  = "00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000002 00000000 00000003     eth0\n"
	)
	if a := defaultGateway(strings.NewReader(own+blocked+router), route6); a.String() != "fe80::1%eth0" {
		t.Errorf("got %v", a)
	}
	for _, table := range []string{"", own + blocked, "nonsense\n" + strings.Repeat("0 ", 12)} {
		if a := defaultGateway(strings.NewReader(table), route6); a.IsValid() {
			t.Errorf("%q: got %v", table, a)
		}
	}
}

func FuzzRoutes(f *testing.F) {
	f.Add("00000000000000000000000000000000 00 0 0 fe800000000000000000000000000001 0 0 0 0 eth0\n")
	f.Fuzz(func(t *testing.T, table string) {
		if a := defaultGateway(strings.NewReader(table), route6); a.IsValid() && (!a.Is6() || a.IsUnspecified()) {
			t.Fatalf("%q: %v", table, a)
		}
		if ip := defaultGateway(strings.NewReader(table), route4); ip.IsValid() && !ip.Is4() {
			t.Fatalf("%q: %v", table, ip)
		}
	})
}
