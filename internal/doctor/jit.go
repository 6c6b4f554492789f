package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/emucore"
)

// jitToTry are the options that turn on the JIT of a core that does without one by itself.
func jitToTry(core emucore.Core) (options map[string]string, ok bool) {
	profile := emucore.ProfileFor(core.Name)
	jit, ok := profile.JITOption(true)
	if !ok || profile.Compiles(nil) {
		return nil, false
	}
	return map[string]string{jit.Key: jit.Value}, true
}

// alone returns the frames a second that this machine makes of one console.
func alone(ctx context.Context, start func(context.Context) (Console, error), span time.Duration) (float64, error) {
	all, closeAll, err := consoles(ctx, start, 1)
	if err != nil {
		return 0, err
	}
	defer closeAll()
	for range warmUp {
		if _, err := all[0].Step(emucore.Input{}); err != nil {
			return 0, err
		}
	}
	return rate(ctx, all, span)
}

// jitWorth is the factor by which a console must be faster for advice.
const jitWorth = 1.15

// judgeJIT takes frames a second of one console without the core's JIT and with it.
func judgeJIT(interpreted, compiled float64, err error) Finding {
	f := Finding{Subject: "jit"}
	switch {
	case err != nil:
		f.Words = "The core's JIT did not run: " + sentence(err.Error())
	case compiled < interpreted*jitWorth:
		f.Words = fmt.Sprintf("The core's JIT gains little: %.0f frames a second with one console, %.0f without it.", compiled, interpreted)
	default:
		f.Words = fmt.Sprintf("The core's JIT makes %.0f frames a second with one console, %.0f without it.", compiled, interpreted)
		f.Advice = "If games are slow in rooms that you open, set core.jit to \"on\". It is experimental."
	}
	return f
}
