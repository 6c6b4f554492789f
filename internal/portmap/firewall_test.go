package portmap

import (
	"encoding/xml"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// firewalled is a router that describes itself at a place, opens pinholes so, and notes what it
// is asked to do and by whom.
func firewalled(t *testing.T, result func(w http.ResponseWriter, action string)) (d device, asked func() []string) {
	t.Helper()
	l, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Skipf("SKIPPED: no IPv6 here: %v", err)
	}
	said := make(chan string, 10)
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, strings.NewReplacer("WANIPConnection", "WANIPv6FirewallControl").Replace(description))
	})
	mux.HandleFunc("/control", func(w http.ResponseWriter, r *http.Request) {
		_, action, _ := strings.Cut(strings.Trim(r.Header.Get("SOAPACTION"), `"`), "#")
		from := netip.MustParseAddrPort(r.RemoteAddr).Addr()
		said <- fmt.Sprintf("%s %s from %v", action, texts(r.Body), from)
		result(w, action)
	})
	server := &httptest.Server{Listener: l, Config: &http.Server{Handler: mux}}
	server.Start()
	t.Cleanup(server.Close)
	return loopback(t, server.URL), func() (list []string) {
		for len(said) > 0 {
			list = append(list, <-said)
		}
		return list
	}
}

// texts are all values in a document.
func texts(r io.Reader) string {
	var list []string
	for d := xml.NewDecoder(r); ; {
		token, err := d.Token()
		if err != nil {
			return strings.Join(list, ",")
		}
		if c, ok := token.(xml.CharData); ok && len(strings.TrimSpace(string(c))) > 0 {
			list = append(list, string(c))
		}
	}
}

func envelope(w io.Writer, action, values string) {
	fmt.Fprintf(w, `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><u:%sResponse xmlns:u="urn:schemas-upnp-org:service:WANIPv6FirewallControl:1">%s</u:%[1]sResponse></s:Body></s:Envelope>`, action, values)
}

// TestFirewallIsOpenedAndClosed: the pinhole is for the address that asks, is renewed under its
// own number, and is given back by it.
func TestFirewallIsOpenedAndClosed(t *testing.T) {
	d, asked := firewalled(t, func(w http.ResponseWriter, action string) { envelope(w, action, "<UniqueID>417</UniqueID>") })
	r := d.firewall(t.Context())
	if r == nil {
		t.Fatal("it is not found")
	}
	for range 2 {
		m, err := r.add(t.Context(), 21204, lease)
		if want := netip.MustParseAddrPort("[::1]:21204"); err != nil || m.Outside != want || m.By != "UPnP" {
			t.Fatalf("%+v, %v", m, err)
		}
	}
	if err := r.remove(t.Context(), 21204); err != nil {
		t.Error(err)
	}
	add := "AddPinhole 0,::1,21204,17,1200 from ::1"
	if got := asked(); !slices.Equal(got, []string{add, add, "DeletePinhole 417 from ::1"}) {
		t.Errorf("asked %q", got)
	}
}

// TestFirewallRefuses: what a device says instead of a number is no pinhole, and its words are
// fit to be shown.
func TestFirewallRefuses(t *testing.T) {
	for name, result := range map[string]func(http.ResponseWriter, string){
		"fault": func(w http.ResponseWriter, _ string) {
			w.WriteHeader(http.StatusInternalServerError)
			fmt.Fprintf(w, `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>%s</faultstring></s:Fault></s:Body></s:Envelope>`, "\u202e"+strings.Repeat("x", 5000))
		},
		"number":  func(w http.ResponseWriter, action string) { envelope(w, action, "<UniqueID>70000</UniqueID>") },
		"nothing": func(http.ResponseWriter, string) {},
	} {
		d, _ := firewalled(t, result)
		m, err := d.firewall(t.Context()).add(t.Context(), 21204, lease)
		if err == nil || m.Outside.IsValid() || len(err.Error()) > 300 || strings.Contains(err.Error(), "\u202e") {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
}
