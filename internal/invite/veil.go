package invite

import (
	"net"
	"net/netip"
	"regexp"
	"strings"
)

// Streamer mode: what lets somebody into a room, or tells where a player is, is hidden in all that the window
// writes, whoever wrote it: invitations, codes, addresses of the network, keys.

// hidden stands for what is not shown, whatever its length.
const hidden = "••••••••"

// Secrets, by their looks. The first one that fits a place counts.
var secrets = lazily(strings.Join([]string{
	regexp.QuoteMeta(Prefix) + `\S+`,
	`https?://[^\s#]+#\S+`,                                         // an invitation as a link of the web
	`(?i)\b[0-9a-z]{4}(?:-[0-9a-z]{4}){2,}(?:@[\w.:-]+)?`,          // a code of a room, with its relay; a key
	`\[[0-9A-Fa-f:.]+(?:%\w+)?\](?::\d+)?`,                         // IPv6 in brackets
	`[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:%\w+)?(?:/\d+)?`, // IPv6, or a MAC address; see hide
	`\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b`,
	`@[\w-]+(?:\.[\w-]+)+`,            // a relay behind a code
	`\b[\w-]+(?:\.[\w-]+)+:\d{1,5}\b`, // a host with a port
}, "|"))

// A Veil hides secrets in texts. It remembers what it was asked. Make one with NewVeil.
type Veil struct {
	names *regexp.Regexp // of relays, which are hidden without a port too; nil for none
	known map[string]string
}

// NewVeil makes one that also hides the names of some relays.
func NewVeil(relays []string) *Veil {
	v := &Veil{known: map[string]string{}}
	var names []string
	for _, r := range relays {
		if host, _, err := net.SplitHostPort(r); err == nil {
			r = host
		}
		if r != "" {
			names = append(names, regexp.QuoteMeta(r))
		}
	}
	if len(names) > 0 {
		v.names = regexp.MustCompile(`(?i)\b(?:` + strings.Join(names, "|") + `)\b`)
	}
	return v
}

// maxVeiled is how many texts a veil remembers: more than any screen has.
const maxVeiled = 4096

// Hide returns a text without its secrets.
func (v *Veil) Hide(s string) string {
	if len(s) < 3 {
		return s
	}
	if out, ok := v.known[s]; ok {
		return out
	}
	out := secrets().ReplaceAllStringFunc(s, hide)
	if v.names != nil {
		out = v.names.ReplaceAllString(out, hidden)
	}
	if len(v.known) >= maxVeiled {
		clear(v.known)
	}
	v.known[s] = out
	return out
}

// hide is what is written for something that looks like a secret.
func hide(s string) string {
	if strings.HasPrefix(s, Prefix) {
		return Prefix + hidden
	}
	if strings.Count(s, ":") >= 2 && !strings.HasPrefix(s, "[") && !strings.Contains(s, "@") { // or a time of the day, or words
		bare, _, _ := strings.Cut(s, "/")
		_, mac := net.ParseMAC(s)
		if _, err := netip.ParseAddr(bare); err != nil && mac != nil {
			return s
		}
	}
	return hidden
}
