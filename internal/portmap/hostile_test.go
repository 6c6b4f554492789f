package portmap

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/huin/goupnp/dcps/internetgateway2"

	"github.com/nettplay/nettplay/internal/must"
)

// description is that of a router with one service, whose control address is /control.
const description = `<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><device>
<deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:1</deviceType><UDN>uuid:1</UDN><serviceList><service>
<serviceType>urn:schemas-upnp-org:service:WANIPConnection:1</serviceType><serviceId>1</serviceId>
<SCPDURL>/scpd</SCPDURL><controlURL>/control</controlURL><eventSubURL>/event</eventSubURL></service></serviceList></device></root>`

// local is a device that was found by its address, and so does not know ours.
type local struct{ gateway }

func (local) LocalAddr() net.IP { return net.IPv4(127, 0, 0, 1) }

// device is a router that answers commands so.
func device(t *testing.T, control http.HandlerFunc) upnp {
	t.Helper()
	bounded()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, description) })
	mux.HandleFunc("/control", control)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	at, err := url.Parse(server.URL)
	must.Succeed(t, err)
	found, err := internetgateway2.NewWANIPConnection1ClientsByURLCtx(t.Context(), at)
	list := gateways(found, nil, err)
	if len(list) != 1 {
		t.Fatalf("the device is not found: %v", err)
	}
	return upnp{local{list[0]}}
}

// A router that talks without end is not listened to without end.
func TestEndlessAnswer(t *testing.T) {
	said := make(chan int, 10)
	u := device(t, func(w http.ResponseWriter, _ *http.Request) {
		n, _ := fmt.Fprint(w, `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>`)
		for n < 1<<30 {
			more, err := fmt.Fprint(w, "<a>", strings.Repeat("x", 1<<16), "</a>")
			if n += more; err != nil {
				break
			}
		}
		said <- n
	})
	if _, err := u.add(t.Context(), 21204, lease); err == nil {
		t.Error("that is an answer")
	}
	if n := <-said; n >= 1<<30 {
		t.Errorf("%d bytes were read", n)
	}
}

// A router's words in an error are fit to be shown.
func TestRudeAnswer(t *testing.T) {
	u := device(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprintf(w, `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Client</faultcode>
<faultstring>%s%s</faultstring></s:Fault></s:Body></s:Envelope>`, "\u202enothing\n\n", strings.Repeat("x", 10_000))
	})
	_, err := u.add(t.Context(), 21204, lease)
	if err == nil || len(err.Error()) > 300 || strings.ContainsAny(err.Error(), "\u202e\n") {
		t.Errorf("it says %q", err)
	}
}

// A device sends us nowhere but to others in the local network.
func TestDevicesAreLocal(t *testing.T) {
	away := httptest.NewServer(http.RedirectHandler("http://203.0.113.7/", http.StatusFound))
	defer away.Close()
	for _, at := range []string{"http://203.0.113.7/", "http://example.com/", "http://[2001:db8::1]:80/", away.URL} {
		answer, err := client.Get(at)
		if err == nil {
			answer.Body.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "no address of the local network") {
			t.Errorf("%s: %v", at, err)
		}
	}
}
