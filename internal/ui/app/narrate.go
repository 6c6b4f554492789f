package app

import (
	"strings"

	"github.com/nettplay/nettplay/internal/speech"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// narrator decides what is read aloud: what the player comes to, and short messages. It is pure.
type narrator struct {
	heard widgets.Heard
}

// next is what is to be said of a picture, with the messages that came with it; "" for nothing new.
func (n *narrator) next(now widgets.Heard, messages []string) string {
	if now == n.heard && len(messages) == 0 {
		return ""
	}
	words := messages
	switch {
	case now.Place != n.heard.Place:
		words = append(words, now.Place, now.Words)
	case now.Words != n.heard.Words:
		words = append(words, now.Words)
	}
	n.heard = now
	var all []string
	for _, w := range words {
		if w = strings.TrimSpace(w); w != "" {
			all = append(all, strings.TrimSuffix(w, "."))
		}
	}
	return strings.Join(all, ". ")
}

// narrate reads aloud what is new in the picture, if the settings say so.
func (p *program) narrate() {
	messages := p.shell.told
	p.shell.told = nil
	if !p.shell.Config.Audio.Speak {
		if p.speaker != nil {
			p.speaker.Close()
			p.speaker, p.narrator = nil, narrator{}
		}
		return
	}
	if p.speaker == nil {
		p.speaker = speech.Open()
	}
	for i, text := range messages {
		messages[i] = p.ui.Canvas().Veiled(p.ui.Say(text))
	}
	if text := p.narrator.next(p.ui.Heard(), messages); text != "" {
		p.speaker.Say(p.ui.Canvas().Language().Code(), text)
	}
}
