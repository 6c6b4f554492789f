package launch

import (
	"log/slog"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// Logged is a session's Notify that writes what happens to a log, and then tells next.
// Without a log it is next.
func Logged(log *slog.Logger, next func(notice.Notice)) func(notice.Notice) {
	if log == nil {
		return next
	}
	for _, p := range emucore.Protections() {
		if p.Missing != "" {
			log.Warn("a core's sandbox is not complete", "against", p.Against, "it", p.Text, "why", p.Missing)
		}
	}
	return func(n notice.Notice) {
		logNotice(log, n)
		next(n)
	}
}

// logNotice writes events at the level info, and notices that come many times at debug.
func logNotice(log *slog.Logger, n notice.Notice) {
	switch n := n.(type) {
	case notice.Opened:
		log.Info("room opened", "address", n.Addr)
	case notice.Connecting:
		log.Info("connecting", "address", n.Addr)
	case notice.Unanswered:
		log.Info("no address of the invitation answers")
	case notice.Message:
		log.Info("message", "from", n.From, "text", n.Text)
	case notice.Playing:
		log.Info("game began", "players", len(n.Room.Players), "delay", n.Room.Settings.Delay)
	case notice.GameOver:
		log.Info("game over", "result", n.Report.Result, "frames", n.Report.Frames, "error", n.Err)
	case notice.Paused:
		log.Info("pause", "on", n.Paused, "frame", n.Frame)
	case notice.Power:
		log.Info("message", "text", n.Words())
	case notice.Waiting:
		log.Info("waiting", "for", n.For)
	case notice.Blockers:
		log.Info("the start is held up", "by", n.Words())
	case notice.StartFailed:
		log.Info("message", "text", n.String())
	case notice.JoinFailed:
		log.Info("message", "text", n.Words)
	case notice.BadLine:
		log.Info("one connection is much worse than the others", "of", n.Nickname)
	case notice.Unsaved:
		log.Warn("a save could not be kept", "seat", n.Seat, "error", n.Err)
	case notice.Saved:
		log.Info("save committed", "frame", n.Frame)
	case notice.RoomNotice:
		log.Debug("room", "phase", n.Room.Phase, "players", len(n.Room.Players), "me", n.Me)
	case notice.Figures:
		log.Debug("figures", "frame", n.Frame, "fps", n.FPS, "rtt", n.RTT, "waiting", n.Waiting)
	case notice.Transfer:
		log.Debug("transfer", "sent", n.Up.Done, "of", n.Up.Total, "received", n.Down.Done, "ofreceived", n.Down.Total)
	case notice.CatchingUp:
		log.Debug("catching up", "frames", n.Behind)
	}
}
