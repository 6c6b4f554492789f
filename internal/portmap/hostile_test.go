package portmap

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// description is that of a router with one service, whose control address is /control.
const description = `<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><device>
<deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:1</deviceType><UDN>uuid:1</UDN><serviceList><service>
<serviceType>urn:schemas-upnp-org:service:WANIPConnection:1</serviceType><serviceId>1</serviceId>
<SCPDURL>/scpd</SCPDURL><controlURL>/control</controlURL><eventSubURL>/event</eventSubURL></service></serviceList></device></root>`

// loopback is a device at this machine's own address.
func loopback(t *testing.T, place string) device {
	t.Helper()
	at, err := url.Parse(place)
	must.Succeed(t, err)
	a := netip.MustParseAddr(at.Hostname())
	return device{from: a, inside: a, at: at}
}

// described is a router that describes itself so and answers commands so.
func described(t *testing.T, description string, control http.HandlerFunc) router {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, description) })
	mux.HandleFunc("/control", control)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return loopback(t, server.URL).upnp(t.Context())
}

// answers is a router that answers commands so.
func answers(t *testing.T, control http.HandlerFunc) router {
	t.Helper()
	r := described(t, description, control)
	if r == nil {
		t.Fatal("the device is not found")
	}
	return r
}

// A router that talks without end is not listened to without end.
func TestEndlessAnswer(t *testing.T) {
	said := make(chan int, 10)
	u := answers(t, func(w http.ResponseWriter, _ *http.Request) {
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
	u := answers(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprintf(w, `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Client</faultcode>
<faultstring>%s%s</faultstring></s:Fault></s:Body></s:Envelope>`, "\u202enothing\n\n", strings.Repeat("x", 10_000))
	})
	_, err := u.add(t.Context(), 21204, lease)
	if err == nil || len(err.Error()) > 300 || strings.ContainsAny(err.Error(), "\u202e\n") {
		t.Errorf("it says %q", err)
	}
}

// A device sends us nowhere, by what it describes or by a redirect: a machine beside it and a proxy get not a byte.
func TestDevicesSendNowhere(t *testing.T) {
	var got atomic.Int32
	l, err := net.Listen("tcp4", "127.0.0.2:0")
	must.Succeed(t, err)
	victim := &httptest.Server{Listener: watchedListener{l, &got}, Config: &http.Server{Handler: http.NotFoundHandler()}}
	victim.Start()
	defer victim.Close()
	t.Setenv("HTTP_PROXY", victim.URL)
	for name, text := range map[string]string{
		"control":  strings.Replace(description, "/control", victim.URL+"/control", 1),
		"base":     strings.Replace(description, "<device>", "<URLBase>"+victim.URL+"/</URLBase><device>", 1),
		"name":     strings.Replace(description, "/control", strings.Replace(victim.URL, "127.0.0.2", "localhost", 1)+"/control", 1),
		"redirect": description,
	} {
		r := described(t, text, http.RedirectHandler(victim.URL, http.StatusTemporaryRedirect).ServeHTTP)
		if r == nil {
			t.Fatalf("%s: the device is not found", name)
		}
		if m, err := r.add(t.Context(), 21204, lease); err == nil {
			t.Errorf("%s: %+v", name, m)
		}
	}
	for name, h := range map[string]http.Handler{
		"away": http.RedirectHandler(victim.URL, http.StatusFound),
		"home": http.RedirectHandler("/again", http.StatusFound),
	} {
		server := httptest.NewServer(h)
		if r := loopback(t, server.URL).upnp(t.Context()); r != nil {
			t.Errorf("redirected %s: a router is found", name)
		}
		server.Close()
	}
	if got.Load() != 0 {
		t.Errorf("another machine was spoken to %d times", got.Load())
	}
}

// watchedListener counts who comes.
type watchedListener struct {
	net.Listener
	came *atomic.Int32
}

func (l watchedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		l.came.Add(1)
	}
	return c, err
}

// A router that answers commands by name: each action has its values, or the number of a fault.
func TestWhatRoutersAnswer(t *testing.T) {
	const address = "<NewExternalIPAddress>203.0.113.7</NewExternalIPAddress>"
	const private = "<NewExternalIPAddress>10.0.0.7</NewExternalIPAddress>"
	for name, c := range map[string]struct {
		address, add, forever any
		want                  string // the mapping or the error
		asked                 string
	}{
		"maps":                       {address, "", "", "203.0.113.7:21204", "address add"},
		"only without end":           {address, 725, "", "203.0.113.7:21204", "address add forever"},
		"taken":                      {address, 718, "", "718", "address add add add add add"},
		"not even without end":       {address, 725, 501, "501", "address add forever"},
		"no address":                 {501, "", "", "address", "address"},
		"empty address":              {"<NewExternalIPAddress></NewExternalIPAddress>", "", "", ErrBehind.Error(), "address"},
		"no words":                   {"<NewExternalIPAddress>here</NewExternalIPAddress>", "", "", "unable to parse IP", "address"},
		"behind, and maps":           {private, "", "", "10.0.0.7:21204", "address add"},
		"behind, and maps nothing":   {private, 501, "", ErrBehind.Error(), "address add"},
		"an address of nobody":       {"<NewExternalIPAddress>0.0.0.0</NewExternalIPAddress>", "", "", "not one that a machine can have", "address add delete"},
		"breaks off amid a mapping":  {address, 0, "", "forward UDP port 21204", "address add delete"},
		"breaks off at the 2nd kind": {address, 725, 0, "forward UDP port 21204", "address add forever delete"},
	} {
		var mu sync.Mutex // the one of a connection that breaks off may not have ended when the next one comes
		var asked []string
		r := answers(t, func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			_, action, _ := strings.Cut(strings.Trim(r.Header.Get("SOAPACTION"), `"`), "#")
			said := any("")
			switch body := texts(r.Body); {
			case action == "GetExternalIPAddress":
				asked, said = append(asked, "address"), c.address
			case action == "AddPortMapping" && strings.HasSuffix(body, ",0"):
				asked, said = append(asked, "forever"), c.forever
			case action == "AddPortMapping":
				asked, said = append(asked, "add"), c.add
				if !strings.Contains(body, "127.0.0.1") {
					t.Errorf("%s: asked for %s", name, body)
				}
			case action == "DeletePortMapping":
				asked = append(asked, "delete")
			}
			switch said := said.(type) {
			case string:
				fmt.Fprintf(w, `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><u:%sResponse xmlns:u="urn:schemas-upnp-org:service:WANIPConnection:1">%s</u:%[1]sResponse></s:Body></s:Envelope>`, action, said)
			case int:
				if said == 0 {
					panic(http.ErrAbortHandler)
				}
				w.WriteHeader(http.StatusInternalServerError)
				fmt.Fprintf(w, `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail><UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>%d</errorCode></UPnPError></detail></s:Fault></s:Body></s:Envelope>`, said)
			}
		})
		m, err := (&keeper{port: 21204}).add(t.Context(), r)
		got := fmt.Sprint(m.Outside)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || m.Outside.IsValid() != (err == nil) {
			t.Errorf("%s: %s", name, got)
		}
		mu.Lock()
		if got := strings.Join(asked, " "); got != c.asked {
			t.Errorf("%s: the router is asked for %s", name, got)
		}
		mu.Unlock()
	}
}

// Where another machine has the port, the next one that is free is forwarded, renewed and given back.
func TestTakenPort(t *testing.T) {
	asked := make(chan string, 10)
	r := answers(t, func(w http.ResponseWriter, r *http.Request) {
		_, action, _ := strings.Cut(strings.Trim(r.Header.Get("SOAPACTION"), `"`), "#")
		outside, _, _ := strings.Cut(texts(r.Body), ",")
		if action == "GetExternalIPAddress" {
			envelope(w, action, "<NewExternalIPAddress>203.0.113.7</NewExternalIPAddress>")
			return
		}
		asked <- action + " " + outside
		if outside != "1024" {
			w.WriteHeader(http.StatusInternalServerError)
			fmt.Fprint(w, `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail><UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>718</errorCode></UPnPError></detail></s:Fault></s:Body></s:Envelope>`)
			return
		}
		envelope(w, action, "")
	})
	k := &keeper{port: 65535}
	for range 2 {
		if m, err := k.add(t.Context(), r); err != nil || m.Outside.String() != "203.0.113.7:1024" {
			t.Errorf("%v, %v", m, err)
		}
	}
	must.Succeed(t, r.remove(t.Context(), k.port))
	for _, want := range []string{"AddPortMapping 65535", "AddPortMapping 1024", "AddPortMapping 1024", "DeletePortMapping 1024"} {
		if got := <-asked; got != want {
			t.Errorf("the router is asked for %s, not %s", got, want)
		}
	}
}
