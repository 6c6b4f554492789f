package launch

import (
	"context"
	"errors"
	"time"

	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// EnterTime is the time that a room of a quick match has to let a player in: longer than that takes by
// WebSocket, with the time in which UDP is tried first.
const EnterTime = 10 * time.Second

// Enter runs a session that joins a room, and gives up if it is not in the room after EnterTime. entered tells
// whether it was; if not, err says why.
func Enter(ctx context.Context, cfg session.Config) (report notice.Report, entered bool, err error) {
	trying, giveUp := context.WithCancel(ctx)
	defer giveUp()
	late := time.AfterFunc(EnterTime, giveUp)
	defer late.Stop()
	next := cfg.Notify
	cfg.Notify = func(n notice.Notice) {
		if _, there := n.(notice.RoomNotice); there {
			entered = entered || late.Stop() // false: it was too late
		}
		if next != nil {
			next(n)
		}
	}
	report, err = session.Run(trying, cfg)
	if !entered && trying.Err() != nil && ctx.Err() == nil {
		err = &notice.Failure{Result: notice.ResultLost, Err: errors.New("it does not answer")}
	}
	return report, entered, err
}

// NextRoom reports whether a quick match tries another room after one that it could not enter: there is nothing
// wrong with this machine.
func NextRoom(err error) bool {
	f, ok := errors.AsType[*notice.Failure](err)
	return ok && (f.Refused || f.Result == notice.ResultLost)
}
