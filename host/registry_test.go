package host

import (
	"testing"

	"github.com/nettplay/nettplay/host/message"
)

// The sender of a message without a row in registry would be expelled: so each message has
// a row, and each row says who acts on it.
func TestEveryMessageHasARow(t *testing.T) {
	for k, e := range registry {
		if k == 0 {
			t.Errorf("%v has a row and no number", e.typ)
		}
		acts := e.fromHost != nil || e.fromPeer != nil
		for _, take := range e.fromClient {
			acts = acts || take != nil
		}
		if !acts {
			t.Errorf("nobody acts on %v", k)
		}
	}
	if len(registry) != message.Kinds() {
		t.Errorf("%d types of messages, %d rows", message.Kinds(), len(registry))
	}
}
