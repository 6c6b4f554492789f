package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
	"golang.org/x/net/ipv4"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/service"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// In a watched world there are a player's machine and another one that has all addresses there are, of IPv4 and of IPv6.
// Whatever connection is opened, somebody takes it and answers with a redirect into the player's own network. The kernel
// of the player's machine notes each address, with protocol and port, to which a datagram of UDP or the beginning of a
// connection goes out: on the network, and on the machine itself.
const (
	worldVariable = "NETTPLAY_TEST_WORLD" // a world in JSON, for TestServeTheWorld

	homeAt    = "192.168.7.2"
	gatewayAt = "192.168.7.1"
	nameAt    = "45.80.9.53"       // of the server of names
	webAt     = "45.80.6.6"        // of a relay that is none
	victimAt  = "192.168.7.77:631" // to which all redirects lead
	webPort   = 8080               // where all connections end

	evilName  = "evil.example:631" // a relay whose name leads to services of the player's networks
	webRelay  = "web.example:21205"
	homeRelay = "127.0.0.1:21200" // and two without a name
	sixRelay  = "[fd07::77]:80"

	acting   = 4 * time.Second // more than the first claims and requests take
	waitMost = time.Minute
)

// world is what the other machine does.
type world struct {
	Relay   string           // "host:port" of an honest one; "" for none
	Rooms   []*relay.Listing // that it lists
	Devices []upnpDevice
}

// upnpDevice answers searches.
type upnpDevice struct {
	From     string // the address
	Location string // what it says that it is at
	Control  string // the address for commands, in its description
	Base     string // to which that is relative
}

const rootDevice = `<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><URLBase>%s</URLBase><device>
<deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:1</deviceType><UDN>uuid:1</UDN><serviceList><service>
<serviceType>urn:schemas-upnp-org:service:WANIPConnection:1</serviceType><serviceId>1</serviceId>
<SCPDURL>/scpd</SCPDURL><controlURL>%s</controlURL><eventSubURL>/event</eventSubURL></service></serviceList></device></root>`

// TestServeTheWorld is the other machine, which the lab starts in a process.
func TestServeTheWorld(t *testing.T) {
	var w world
	if text := os.Getenv(worldVariable); text == "" {
		t.Skip("it serves until it is killed")
	} else {
		must.Succeed(t, json.Unmarshal([]byte(text), &w))
	}
	web, err := net.Listen("tcp", fmt.Sprint(":", webPort))
	must.Succeed(t, err)
	go func() { _ = http.Serve(web, http.HandlerFunc(w.web)) }()
	names, err := net.ListenPacket("udp4", net.JoinHostPort(nameAt, "53"))
	must.Succeed(t, err)
	go answerNames(names)
	if len(w.Devices) > 0 {
		search, err := net.ListenPacket("udp4", "239.255.255.250:1900")
		must.Succeed(t, err)
		must.Succeed(t, w.join(search))
		go w.answerSearches(search)
	}
	if w.Relay != "" {
		at, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort(w.Relay)))
		must.Succeed(t, err)
		go func() { _, _ = service.Run(t.Context(), service.Config{UDP: at}) }()
	}
	for _, room := range w.Rooms {
		listed, once := make(chan struct{}), new(sync.Once)
		s, err := online.New(online.Config{Relays: []string{w.Relay}, Tell: func(v online.View) {
			if v.Relays[0].Kept {
				once.Do(func() { close(listed) })
			}
		}})
		must.Succeed(t, err)
		s.List(room)
		go func() { _ = s.Run(t.Context()) }()
		<-listed
	}
	fmt.Println("the world is there")
	select {}
}

// join has a socket take what is sent to the devices of all networks.
func (w world) join(search net.PacketConn) error {
	p := ipv4.NewPacketConn(search)
	cards, err := net.Interfaces()
	for _, card := range cards {
		if card.Flags&net.FlagLoopback == 0 {
			err = p.JoinGroup(&card, &net.UDPAddr{IP: net.IPv4(239, 255, 255, 250)})
		}
	}
	return err
}

var redirects atomic.Int64

// web answers requests, at whatever address.
func (w world) web(out http.ResponseWriter, r *http.Request) {
	for _, d := range w.Devices {
		if "http://"+r.Host+r.URL.Path == d.Location && d.Control != "" {
			fmt.Fprintf(out, rootDevice, d.Base, d.Control)
			return
		}
	}
	to := victimAt
	if redirects.Add(1)%2 == 0 {
		to = "127.0.0.1:631"
	}
	http.Redirect(out, r, "http://"+to+"/printers", http.StatusFound)
}

func (w world) answerSearches(search net.PacketConn) {
	for b := make([]byte, 2000); ; {
		_, from, err := search.ReadFrom(b)
		if err != nil {
			return
		}
		for _, d := range w.Devices {
			conn, err := net.ListenPacket("udp4", net.JoinHostPort(d.From, "0"))
			if err != nil {
				continue
			}
			_, _ = conn.WriteTo([]byte("HTTP/1.1 200 OK\r\nST: urn:schemas-upnp-org:service:WANIPConnection:1\r\nLocation: "+d.Location+"\r\n\r\n"), from)
			conn.Close()
		}
	}
}

// answerNames tells the addresses of the two relays' names.
func answerNames(conn net.PacketConn) {
	for b := make([]byte, 2000); ; {
		n, from, err := conn.ReadFrom(b)
		if err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(b[:n]) != nil || len(m.Questions) != 1 {
			continue
		}
		m.Response, m.Additionals = true, nil
		q := m.Questions[0]
		list := map[string][]string{
			"evil.example.": {"127.0.0.1", "192.168.7.77", "10.1.2.3", "169.254.169.254"},
			"web.example.":  {webAt},
		}[q.Name.String()]
		for _, a := range list {
			if q.Type == dnsmessage.TypeA {
				m.Answers = append(m.Answers, dnsmessage.Resource{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 1}, Body: &dnsmessage.AResource{A: netip.MustParseAddr(a).As4()},
				})
			}
		}
		if list == nil {
			m.RCode = dnsmessage.RCodeNameError
		}
		if out, err := m.Pack(); err == nil {
			_, _ = conn.WriteTo(out, from)
		}
	}
}

// watchedLab is a watched world.
type watchedLab struct {
	*natLab
	home string // the player's machine
	game string
}

func newWatchedLab(t *testing.T, w world) *watchedLab {
	t.Helper()
	exe, err := exec.LookPath("nettplay") // this test binary, as for the scripts
	must.Succeed(t, err)
	l := &watchedLab{natLab: newLab(t, filepath.Dir(exe), "h", "w")}
	l.home = l.machine("h")
	all := l.machine("w")
	names := filepath.Join("/etc/netns", l.home)
	must.Succeed(t, os.MkdirAll(names, 0o755))
	t.Cleanup(func() { _ = os.RemoveAll(names); _ = os.Remove("/etc/netns") }) // that of all only where it is empty
	must.Succeed(t, os.WriteFile(filepath.Join(names, "resolv.conf"), []byte("nameserver "+nameAt+"\n"), 0o644))
	l.cable(l.home, homeAt, all, gatewayAt)
	l.write("world.nft", fmt.Sprintf(`table inet world {
	chain pre { type nat hook prerouting priority -100; iifname "%s" meta l4proto tcp redirect to :%d; }
	chain out { type filter hook output priority 0; icmp type { destination-unreachable, redirect } drop; icmpv6 type destination-unreachable drop; }
}
`, l.home, webPort))
	l.write("watch.nft", `table inet watch {
	set four { type ipv4_addr . inet_proto . inet_service; flags dynamic; size 65535; }
	set six { type ipv6_addr . inet_proto . inet_service; flags dynamic; size 65535; }
	chain out { type filter hook output priority -300;
		meta l4proto tcp tcp flags & (syn | ack) != syn accept;
		meta nfproto ipv4 meta l4proto { tcp, udp } update @four { ip daddr . meta l4proto . th dport };
		meta nfproto ipv6 meta l4proto { tcp, udp } update @six { ip6 daddr . meta l4proto . th dport };
	}
}
`)
	for _, c := range [][]string{
		{l.home, "ip", "addr", "add", "2001:db8:7::2/64", "dev", all, "nodad"},
		{l.home, "ip", "route", "add", "default", "via", gatewayAt},
		{all, "ip", "addr", "add", "2001:db8:7::1/64", "dev", l.home, "nodad"},
		{l.home, "ip", "-6", "route", "add", "default", "via", "2001:db8:7::1"},
		{all, "ip", "addr", "add", "192.168.7.77/24", "dev", l.home},
		{all, "ip", "route", "add", "local", "0.0.0.0/0", "dev", "lo", "table", "main"},
		{all, "ip", "-6", "route", "add", "local", "::/0", "dev", "lo", "table", "main"},
		{all, "nft", "-f", filepath.Join(l.dir, "world.nft")},
		{l.home, "nft", "-f", filepath.Join(l.dir, "watch.nft")},
	} {
		l.in(c[0], c[1:]...)
	}
	text, err := json.Marshal(w)
	must.Succeed(t, err)
	_, says := l.start(all, "world", "env", worldVariable+"="+string(text), os.Args[0], "-test.run", "^TestServeTheWorld$")
	l.until("the world", func() bool { return strings.Contains(says(), "the world is there") })
	paths, err := romstest.WriteFiles(l.dir, romstest.ROM{Name: "save.nds", Data: romstest.Save})
	must.Succeed(t, err)
	l.game = paths[0]
	return l
}

func (l *watchedLab) until(what string, ok func() bool) {
	l.t.Helper()
	for late := time.Now().Add(waitMost); !ok(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(late) {
			l.t.Fatalf("waited for a minute for %s", what)
		}
	}
}

// player starts a program of a player, who has the core and names no server but in these further settings of the net.
func (l *watchedLab) player(name, net string, args ...string) (over func() error, says func() string) {
	l.t.Helper()
	home := filepath.Join(l.dir, name)
	must.Succeed(l.t, os.MkdirAll(filepath.Join(home, "nettplay"), 0o700))
	checkedCores(l.t, filepath.Join(home, "verdicts"), testcore.Path(l.t))
	must.Succeed(l.t, knowCores(filepath.Join(home, "verdicts"), home))
	l.write(name+"/nettplay/config.toml", fmt.Sprintf("[core]\nname = %q\n[net]\nstun = []\n%s\n", testcore.Path(l.t), net))
	return l.start(l.home, name, append([]string{"env", "SDL_VIDEODRIVER=dummy", "SDL_AUDIODRIVER=dummy", "XDG_RUNTIME_DIR=" + l.dir, l.exe}, args...)...)
}

var spoken = regexp.MustCompile(`([0-9a-f.:]+) \. (6|17) \. (\d+)`)

// spokenTo are the addresses that got something from the player's machine.
func (l *watchedLab) spokenTo() (list []string) {
	for _, set := range []string{"four", "six"} {
		for _, m := range spoken.FindAllStringSubmatch(l.in(l.home, "nft", "-n", "list", "set", "inet", "watch", set), -1) {
			list = append(list, map[string]string{"6": "tcp ", "17": "udp "}[m[2]]+m[1]+" "+m[3])
		}
	}
	return list
}

// judge waits until all in must were spoken to, and some seconds, and looks for others, of which those in may are right.
func (l *watchedLab) judge(must, may []string) {
	l.t.Helper()
	for late := time.Now().Add(waitMost); time.Now().Before(late) && slices.ContainsFunc(must, func(x string) bool { return !slices.Contains(l.spokenTo(), x) }); {
		time.Sleep(100 * time.Millisecond)
	}
	time.Sleep(acting)
	list := l.spokenTo()
	for _, at := range list {
		if !slices.Contains(slices.Concat(must, may), at) {
			l.t.Errorf("%s got something", at)
		}
	}
	for _, x := range must {
		if !slices.Contains(list, x) {
			l.t.Errorf("%s got nothing: is anything watched?", x)
		}
	}
	if l.t.Failed() {
		for _, name := range []string{"world", "join", "match", "host", "window"} {
			if b, err := os.ReadFile(filepath.Join(l.dir, name+".log")); err == nil {
				l.t.Logf("%s:\n%s", name, b)
			}
		}
	}
	l.t.Logf("%d addresses got something: %s", len(list), strings.Join(list, ", "))
}

// names and beacons are what any machine says.
var (
	names   = "udp " + nameAt + " 53"
	beacons = []string{"udp 192.168.7.255 21205", "udp 127.255.255.255 21205", "udp ff12::6e65:7474:706c:6179 21205"}
)

// hostile is an invitation with relays that are none, and addresses of all sorts.
func hostile() invite.Invitation {
	key, _ := seal.NewKey()
	v := invite.Invitation{Secret: seal.NewSecret(), Key: key.Public(), Relays: []string{evilName, webRelay, homeRelay}}
	for _, a := range []string{"45.80.1.9:5000", "192.168.7.50:5001", "[2001:db8:9::1]:5002"} {
		v.Addresses = append(v.Addresses, netip.MustParseAddrPort(a))
	}
	return v
}

var hostileAddresses = []string{"udp 45.80.1.9 5000", "udp 192.168.7.50 5001", "udp 2001:db8:9::1 5002"}

// TestLabWatchedWorld: whatever an invitation, a link, an open room or a device on the network names, the program speaks to
// nobody but those whom it may.
//
//   - To join, it sends datagrams of its own protocol to each address of the invitation, and claims to each relay. Requests
//     of the web go to relays on the internet only.
//   - For a link that a page has opened it asks first, and sends nothing.
//   - Of an open room it uses the addresses, and no relay but the one that lists the room.
//   - A UPnP device is asked at the address that it answers from.
func TestLabWatchedWorld(t *testing.T) {
	if err := labCan(false); err != nil {
		t.Skipf("SKIPPED: here can be no lab of routers: %v", err)
	}
	t.Parallel()
	t.Run("invitation", func(t *testing.T) {
		t.Parallel()
		for name, relays := range map[string][]string{"names": {evilName, webRelay, homeRelay}, "IPv6": {sixRelay, "[::1]:631", "[fe80::1]:631"}} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				l := newWatchedLab(t, world{})
				v := hostile()
				v.Relays = relays
				l.player("join", "forward = false", "join", "--headless", "--rom", l.game, v.Text())
				must := append([]string{"udp 192.168.7.77 631", "udp 127.0.0.1 21200", "udp " + webAt + " 21205", "tcp " + webAt + " 443", "tcp " + webAt + " 21205", names}, hostileAddresses...)
				may := append([]string{"udp 127.0.0.1 631", "udp 10.1.2.3 631", "udp 169.254.169.254 631"}, beacons...)
				if name == "IPv6" {
					must, may = append([]string{"udp fd07::77 80"}, hostileAddresses...), append([]string{"udp ::1 631", "udp fe80::1 631"}, beacons...)
				}
				l.judge(must, may)
			})
		}
	})
	t.Run("link", func(t *testing.T) {
		t.Parallel()
		l := newWatchedLab(t, world{})
		l.player("window", "", hostile().Text())
		l.until("the window", func() bool { _, err := os.Stat(filepath.Join(l.dir, "nettplay", "window")); return err == nil })
		l.player("second", "", hostile().Text()) // which hands it to the first, if that is ready
		l.judge(nil, beacons)
	})
	t.Run("quick match", func(t *testing.T) {
		t.Parallel()
		paths, err := romstest.WriteFiles(t.TempDir(), romstest.ROM{Name: "save.nds", Data: romstest.Save})
		must.Succeed(t, err)
		rom, err := emucore.OpenROM(paths[0])
		must.Succeed(t, err)
		build := sha256.Sum256(must.Read(t, testcore.Path(t)))
		v, at := hostile(), "45.80.9.1:21205"
		room := &relay.Listing{Room: "Eve's Room", Host: "Eve", Game: "Game", Seats: 4, Free: 3, ROM: rom.SHA256, CoreBuild: build, Invitation: v.Bytes()}
		l := newWatchedLab(t, world{Relay: at, Rooms: []*relay.Listing{room}})
		over, says := l.player("match", "forward = false", "match", "--headless", "--relay", at, l.game)
		l.until("the room of one's own", func() bool {
			return strings.Contains(strings.Join(strings.Fields(says()), " "), "Everybody can find the room now")
		})
		l.kill("match")
		_ = over()
		if !strings.Contains(says(), "Room does not answer.") {
			t.Errorf("the room is not found:\n%s", says())
		}
		l.judge(append([]string{"udp 45.80.9.1 21205"}, hostileAddresses...), beacons)
	})
	for name, devices := range map[string][]upnpDevice{
		"UPnP, descriptions": {
			{From: gatewayAt, Location: "http://" + gatewayAt + ":5000/away"}, // redirected
			{From: gatewayAt, Location: "http://" + victimAt + "/root.xml", Control: "/control"},
			{From: gatewayAt, Location: "http://127.0.0.1:631/root.xml", Control: "/control"},
			{From: "192.168.7.79", Location: "http://" + homeAt + ":631/root.xml", Control: "/control"},
		},
		"UPnP, commands on this machine":     {{From: gatewayAt, Location: "http://" + gatewayAt + ":5000/root.xml", Control: "http://127.0.0.1:631/printers"}},
		"UPnP, commands elsewhere":           {{From: gatewayAt, Location: "http://" + gatewayAt + ":5000/root.xml", Control: "/printers", Base: "http://" + victimAt + "/"}},
		"UPnP, commands that are redirected": {{From: gatewayAt, Location: "http://" + gatewayAt + ":5000/root.xml", Control: "/control"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newWatchedLab(t, world{Devices: devices})
			_, says := l.player("host", "", "host", "--headless", "--players", "2", l.game)
			l.until("the room", func() bool { return strings.Contains(strings.Join(strings.Fields(says()), " "), "may not get through") })
			l.judge([]string{"tcp " + gatewayAt + " 5000", "udp 239.255.255.250 1900"}, append([]string{
				"udp " + gatewayAt + " 5351", "udp 2001:db8:7::1 5351", "udp ff02::c 1900", names,
			}, beacons...))
		})
	}
}
