package launch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

// publish has the relays keep an invitation whose text is another one than before.
func (v *Inviter) publish(friends invite.Invitation, text string) {
	if v.coded && text != v.published {
		v.published = text
		v.link.Relays().Publish(v.slot.Place, v.slot.Seal(friends))
	}
}

// codes are the two forms of the code, once a relay gives the invitation for it.
func (v *Inviter) codes() (code, at string) {
	for _, r := range v.relays {
		if r.Public {
			named := v.code
			named.Relay = r.Relay
			return v.code.String(), named.String()
		}
	}
	return "", ""
}

// codeTime is the time that the relays have to say what a code stands for.
const codeTime = 6 * time.Second

// find asks the relays for the invitation that a short code stands for. Any other address
// stays as it is.
func (m Machine) find(ctx context.Context, address string) (string, error) {
	code, found, err := invite.FindCode(address)
	if !found || err != nil {
		return address, err
	}
	names := m.Settings.Net.Relays
	if code.Relay != "" {
		names = []string{code.Relay}
	}
	names = names[:min(len(names), relay.MaxRelays)]
	if len(names) == 0 {
		return "", errors.New("only a relay can look up this code, and your settings name none: add @ and the relay's address to the code, or paste the long invitation")
	}
	v, err := m.lookUp(ctx, names, code)
	if err != nil {
		return "", err
	}
	return v.Text(), nil
}

// moved finds who hosts the room of an invitation now: the code of a room is the same with all of its game hosts,
// and who has an invitation knows it.
func (m Machine) moved(v invite.Invitation) link.Finder {
	if len(v.Relays) == 0 {
		return nil
	}
	return func(ctx context.Context) (string, bool) {
		now, err := m.lookUp(ctx, v.Relays, invite.CodeOf(v.Secret))
		if err != nil || now.Secret != v.Secret || now.Answer {
			return "", false
		}
		return now.Target(), true
	}
}

// lookUp asks relays for the invitation that a code stands for.
func (m Machine) lookUp(ctx context.Context, names []string, code invite.Code) (v invite.Invitation, err error) {
	slot, err := code.Slot()
	if err != nil {
		return v, err
	}
	// Nobody knows the secret, so nobody connects. Without one, all would who dial by an address.
	l, err := udp.Listen(udp.Config{Bind: m.Settings.Net.Bind, Relays: m.Settings.Net.Relays, Here: m.Helping.Here, Room: seal.NewSecret()})
	if err != nil {
		return v, err
	}
	defer l.Close()
	ctx, cancel := context.WithTimeout(ctx, codeTime)
	defer cancel()
	return ask(ctx, l, names, slot)
}

// ask takes the first invitation that opens.
func ask(ctx context.Context, l *udp.Link, names []string, slot invite.Slot) (v invite.Invitation, err error) {
	answers := l.FindRelays(names...).Ask(slot.Place)
	var unknown []string
	for len(unknown) < len(names) {
		select {
		case a := <-answers:
			if v, err = slot.Open(a.Invitation); err == nil {
				return v, nil
			}
			unknown = append(unknown, a.Relay)
		case <-ctx.Done():
			return v, silent(l.Relays().Status(), unknown)
		}
	}
	return v, fmt.Errorf("%s: no room with this code is open; check each letter, and ask the game host whether the room is still open", strings.Join(unknown, ", "))
}

// silent says which relays did not answer, and which did.
func silent(list []relay.Status, unknown []string) error {
	var words []string
	for _, r := range list {
		if r.Refused != "" {
			words = append(words, r.Relay+": "+r.Refused)
		} else if !r.Held {
			words = append(words, "the relay "+r.Relay+" does not answer")
		}
	}
	for _, name := range unknown {
		words = append(words, "the relay "+name+" knows no such room")
	}
	return errors.New("the code could not be looked up: " + strings.Join(words, "; "))
}
