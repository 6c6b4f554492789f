package room

import (
	"cmp"
	"net"
	"strconv"
	"strings"

	"github.com/boombuler/barcode/qr"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// invitation is the game host's part of the lobby in which friends are invited.
type invitation struct {
	answer string // that a friend sent back
	shown  bool   // the picture is
	text   string // that the picture holds
	qr     draw.Texture
	side   int // of the picture, in modules
}

// invite says how friends get here.
func (v *Lobby) invite(u *widgets.UI, r *Room) {
	free := r.Present() < r.Room.Settings.Seats
	if !r.Hosting {
		return
	}
	u.Card(func() {
		u.Heading("Invite your friends")
		switch watch := r.Room.Settings.Spectators > len(r.Room.Spectators); {
		case !free && watch:
			u.Note("All seats are taken. Friends can watch: they press Watch under Join.")
		case !free:
			u.Note("All seats are taken, and there is no room for more spectators. You can add seats in the room's settings below.")
		}
		if r.inviting() != "" {
			v.closed(u, r.Invited)
			v.copies(u, r)
			v.code(u, r.Invited)
			if !r.Invited.Closed {
				u.Note(r.Invited.Words)
			}
		}
		if v.Config.Room.Announce {
			u.Note("Friends on your network find the room under Join, or type:")
		} else {
			u.Note("The room is not shown on your network. Friends there type:")
		}
		for _, addr := range v.Addresses[:min(len(v.Addresses), 2)] {
			v.CopyLine(u, "addr "+addr, inviteAddress(addr, r.Port))
		}
		v.letIn(u)
	})
}

// closed warns of what keeps friends out, and says what to do.
func (v *Lobby) closed(u *widgets.UI, by launch.Invitation) {
	var words []string
	if by.Closed {
		words = append(words, by.Words)
	}
	if by.Back {
		words = append(words, "Friends who cannot get in are shown an answer to send you: paste it below.")
	}
	if by.Relays != "" {
		words = append(words, by.Relays)
	}
	if len(words) > 0 {
		screen.Offer(u, widgets.Warning, strings.Join(words, " "),
			widgets.Button{Text: "Relays", Name: "relays", Icon: draw.IconSettings, Tip: "The relays in the settings", Do: func() { v.settings.OpenAt(settings.PageNetwork) }})
	}
}

// copies offers the invitation to be sent, in both forms where there are two.
func (v *Lobby) copies(u *widgets.UI, r *Room) {
	by, web := r.Invited, widgets.Button{}
	if by.Web != "" {
		web = widgets.Button{Text: "Copy as a web link", Name: "web link", Icon: draw.IconCopy, Tip: "The same as a link that every chat makes clickable. It opens a page that leads to nettplay.", Do: func() {
			v.Copy(by.Web, "Copied. Your friends click the link, or paste it into nettplay.")
		}}
	}
	u.Flow(func() {
		u.Buttons(
			v.unlessAbove(r, v.copyInvitation(r, "invitation")),
			web,
			widgets.Button{Text: "QR code", Name: "qr", Tip: "The invitation for the camera of a phone", Do: v.ShowPicture})
	})
}

// unlessAbove is a button that copies the invitation, or none while the one above Start does: who is alone in a room has one
// that is obviously the one to use.
func (v *Lobby) unlessAbove(r *Room, b widgets.Button) widgets.Button {
	if v.state(r).mend.Name == "mend invite" {
		return widgets.Button{}
	}
	return b
}

// code shows the short form of the invitation, large enough to be read out.
func (v *Lobby) code(u *widgets.UI, by launch.Invitation) {
	if by.Code == "" {
		return
	}
	style := draw.Style{Size: 25, Weight: draw.Bold}
	if u.Area().W < 400 {
		style.Size = 17
	}
	u.Tight(func() {
		u.Bar(func() { u.Text(style, widgets.Normal, by.Code, draw.Start) },
			widgets.Button{Text: "Copy", Name: "code", Icon: draw.IconCopy, Tip: by.CodeAt, Do: func() { v.Copy(by.CodeAt, "Copied: "+by.CodeAt) }})
		_, relay, _ := strings.Cut(by.CodeAt, "@")
		u.Note("Or read out this code: friends type it under Join. If their settings lack this relay, they add @" + relay + ".")
	})
}

// letIn takes the answer of a friend who could not come in.
func (v *Lobby) letIn(u *widgets.UI) {
	answer := &v.inviting.answer
	u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
		e := u.Field(widgets.Field{Name: "answer", Hint: "A friend's answer, if one cannot get in", Max: MaxPasted, Secret: v.Config.Video.Streamer}, answer)
		if (u.Button(widgets.Button{Text: "Let them in", Name: "let in", Disabled: *answer == ""}) || e.Entered) && *answer != "" {
			v.TakeAnswer(*answer)
		}
	})
}

// TakeAnswer lets a friend in, by an answer that may have other text around it.
func (v *Lobby) TakeAnswer(text string) {
	if v.control == nil {
		return
	}
	if err := v.control.LetIn(text); err != nil {
		v.Say(screen.Sentence(err.Error()))
		return
	}
	v.inviting.answer = ""
	v.Tell("Your friend has 20 seconds to come in.")
}

// MaxPasted is the limit of characters of a chat around an invitation, or an answer, that are taken.
const MaxPasted = 4000

// inviteAddress returns the address that friends type.
func inviteAddress(addr string, port int) string {
	if port == config.DefaultPort {
		return addr
	}
	return net.JoinHostPort(addr, strconv.Itoa(port))
}

// ShowPicture shows the invitation as a picture.
func (v *Lobby) ShowPicture() { v.inviting.shown = true }

// quiet is the white margin of a QR code, in modules.
const quiet = 4

// picture shows the invitation as a QR code over the lobby.
func (v *Lobby) picture(u *widgets.UI, r *Room) {
	p := &v.inviting
	if !p.shown || r.inviting() == "" {
		return
	}
	if text := cmp.Or(r.Invited.Web, r.Invited.Text); p.text != text { // a phone knows what to do with a link of the web
		v.drawPicture(text)
	}
	screen.Dialog(u, widgets.Modal{Name: "qr", Title: "The invitation as a QR code", Width: 400}, func() { p.shown = false }, func() {
		if v.Config.Video.Streamer {
			u.Note("Streamer mode hides it: whoever sees the picture could come in. “Copy the invitation” works as ever.")
			return
		}
		high := u.Canvas().Bounds().H - 160 // for the picture
		if high > 300 {
			u.Note("Scan it with a phone to get the invitation as text.")
			high -= 30
		}
		whole, pixel := float32(p.side+2*quiet), 1/u.Canvas().Scale()
		module := max(2*pixel, pixel*float32(int(min(340, high)/whole/pixel)))
		place := u.Cell(0, whole*module)
		place = u.Canvas().Snap(place.Centered(whole*module, whole*module))
		u.Canvas().Fill(place, draw.White)
		u.Canvas().Image(p.qr, place.Inset(quiet*module))
	}, widgets.Button{Text: "Close", Name: "close", Kind: widgets.Primary})
}

func (v *Lobby) drawPicture(text string) {
	p := &v.inviting
	if p.text != "" {
		v.Store.Free(p.qr)
	}
	p.text, p.qr, p.side = text, 0, 0
	code, err := qr.Encode(text, qr.L, qr.Unicode)
	if err != nil {
		return // only for a text that is longer than any invitation
	}
	p.qr, p.side = v.Store.NewImage(code, false), code.Bounds().Dx()
}
