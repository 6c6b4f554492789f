package main

import (
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/cluster"
	"github.com/nettplay/nettplay/internal/relay/service"
)

// config are the settings: of the file, then of the flags.
type config struct {
	Listen    string             `toml:"listen"`
	Drain     duration           `toml:"drain"`
	Status    string             `toml:"status"`
	Limits    relay.Limits       `toml:"limits"`
	WebSocket webSocket          `toml:"websocket"`
	Name      string             `toml:"name"`
	NATS      addresses          `toml:"nats"`
	Node      cluster.NodeConfig `toml:"node"`

	tell, manual bool // only the version is wanted, or the manual page
}

type webSocket struct {
	Listen      string `toml:"listen"`
	Proxied     bool   `toml:"proxied"`
	TLSListen   string `toml:"tls_listen"`
	Certificate string `toml:"certificate"`
	Key         string `toml:"key"`
}

// duration is a time in words, such as "15s".
type duration struct{ time.Duration }

func (d *duration) UnmarshalText(b []byte) (err error) {
	d.Duration, err = time.ParseDuration(string(b))
	return err
}

func (d duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// same has WebSockets taken on the port of the datagrams.
const same = "same"

func defaults() config {
	return config{
		Listen: fmt.Sprintf(":%d", relay.Port), Drain: duration{15 * time.Second},
		Limits:    relay.Limits{}.WithDefaults(),
		WebSocket: webSocket{Listen: same}, NATS: addresses{}, Node: cluster.NodeConfig{Routes: []string{}},
	}
}

// flagsOf are the program's flags, which go into c, and path, which gets the name of the file.
func flagsOf(c *config, path *string) *flag.FlagSet {
	flags := flag.NewFlagSet("nettplay-relay", flag.ContinueOnError)
	flags.StringVar(path, "config", "", "settings `file`; flags go before it")
	flags.StringVar(&c.Listen, "listen", c.Listen, "UDP `address` to listen on, HOST:PORT or :PORT")
	flags.StringVar(&c.WebSocket.Listen, "websocket", c.WebSocket.Listen, "TCP `address` for WebSockets, without encryption; \"same\" for that of --listen, \"\" for none")
	flags.StringVar(&c.Status, "status", "", "TCP `address` for /metrics and /healthz; \"\" for none")
	flags.IntVar(&c.Limits.Mailboxes, "machines", c.Limits.Mailboxes, "most machines at once")
	flags.IntVar(&c.Limits.PerHost, "per-host", c.Limits.PerHost, "most machines of one IPv4 address or IPv6 network")
	flags.IntVar(&c.Limits.Rate, "rate", c.Limits.Rate, "most bytes a second from one machine")
	flags.IntVar(&c.Limits.HostRate, "host-rate", c.Limits.HostRate, "most bytes a second from one address or network")
	flags.StringVar(&c.Name, "name", c.Name, "`HOST:PORT` where players reach this relay; for one of several")
	flags.Func("nats", "`URLs` of NATS, with commas between, for a relay that is one of several", c.NATS.set)
	flags.DurationVar(&c.Drain.Duration, "drain", c.Drain.Duration, "how long players have to go elsewhere at the end")
	flags.BoolVar(&c.tell, "version", false, "say which nettplay-relay this is")
	flags.BoolVar(&c.manual, "manual", false, "print the manual page")
	return flags
}

// settings reads the flags, and the file that they name.
func settings(args []string, stderr io.Writer) (c config, err error) {
	c = defaults()
	path := ""
	flags := flagsOf(&c, &path)
	flags.SetOutput(stderr)
	flags.Usage = func() {}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return c, err
	case err != nil:
		fmt.Fprintln(stderr, `"nettplay-relay --help" shows the flags.`)
		return c, errUsage
	}
	if path != "" {
		if err := c.read(path); err != nil {
			return c, err
		}
		_ = flags.Parse(args) // it worked before
	}
	if flags.NArg() > 0 {
		err = errors.New("nettplay-relay takes no argument")
	} else {
		err = c.validate()
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return c, errUsage
	}
	return c, nil
}

func (c *config) read(path string) error {
	meta, err := toml.DecodeFile(path, c)
	if err != nil {
		return fmt.Errorf("read the settings: %w", err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return fmt.Errorf("read the settings: %s has no setting %q", path, unknown[0])
	}
	names := map[string]string{} // capital letters are as good as small ones: two spellings are one setting, by chance the one or the other
	for _, key := range meta.Keys() {
		name := key.String()
		if before := names[strings.ToLower(name)]; before != "" && before != name {
			return fmt.Errorf("read the settings: %s has one setting twice, %q and %q", path, before, name)
		}
		names[strings.ToLower(name)] = name
	}
	for _, file := range []*string{&c.WebSocket.Certificate, &c.WebSocket.Key} {
		if *file != "" && !filepath.IsAbs(*file) {
			*file = filepath.Join(filepath.Dir(path), *file)
		}
	}
	return nil
}

func (c config) validate() error {
	l := c.Limits
	switch {
	case l.Mailboxes < 1 || l.PerHost < 1 || l.Rooms < 1 || l.Heard < 1:
		return errors.New("a relay is for one machine at least")
	case l.Rate < relay.MaxDatagram || l.HostRate < l.Rate:
		return fmt.Errorf("a machine's rate is at least %d bytes a second, and an address's at least a machine's", relay.MaxDatagram)
	case l.PairRate < relay.MaxDatagram || l.PairDatagrams < 1:
		return fmt.Errorf("the rate from one machine to another one is at least %d bytes and one datagram a second", relay.MaxDatagram)
	case c.Drain.Duration < 0:
		return errors.New("the time to go elsewhere is negative")
	case (c.WebSocket.TLSListen == "") != (c.WebSocket.Certificate == "") || (c.WebSocket.Certificate == "") != (c.WebSocket.Key == ""):
		return errors.New("encryption wants all of tls_listen, certificate and key")
	case c.Name != "" && !relay.IsName(c.Name):
		return fmt.Errorf("the relay's name is HOST:PORT with at most %d letters", relay.MaxName)
	}
	return c.validateService()
}

// listen opens all sockets.
func (c config) listen() (cfg service.Config, err error) {
	cfg = service.Config{
		Limits:  c.Limits,
		Proxied: c.WebSocket.Proxied, Drain: c.Drain.Duration,
	}
	defer func() {
		if err != nil {
			closeAll(cfg)
		}
	}()
	conn, err := net.ListenPacket("udp", c.Listen)
	if err != nil {
		return cfg, fmt.Errorf("listen on %q: %w", c.Listen, err)
	}
	cfg.UDP = conn.(*net.UDPConn)
	plain := c.WebSocket.Listen
	if plain == same {
		plain = cfg.UDP.LocalAddr().String()
	}
	open := func(addr string) (l net.Listener) {
		if addr != "" && err == nil {
			if l, err = net.Listen("tcp", addr); err != nil {
				err = fmt.Errorf("listen on TCP %q: %w", addr, err)
			}
		}
		return l
	}
	if l := open(plain); l != nil {
		cfg.Tunnels = append(cfg.Tunnels, l)
	}
	cfg.Status = open(c.Status)
	if l := open(c.WebSocket.TLSListen); l != nil {
		files := &certificate{cert: c.WebSocket.Certificate, key: c.WebSocket.Key}
		if _, err := files.get(nil); err != nil {
			_ = l.Close()
			return cfg, err
		}
		cfg.Tunnels = append(cfg.Tunnels, tls.NewListener(l, &tls.Config{GetCertificate: files.get, MinVersion: tls.VersionTLS12}))
	}
	return cfg, err
}

func closeAll(cfg service.Config) {
	if cfg.UDP != nil {
		_ = cfg.UDP.Close()
	}
	for _, l := range cfg.Tunnels {
		_ = l.Close()
	}
	if cfg.Status != nil {
		_ = cfg.Status.Close()
	}
}

// errUsage is of a flag that is wrong; the flag package has said it.
var errUsage = errors.New("wrong flags")
