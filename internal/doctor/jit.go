package doctor

import (
	"fmt"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
)

// jitToTry are the options that turn on the JIT of a core that does without one by itself.
func jitToTry(core emucore.Core) (options []ds.Option, ok bool) {
	profile := emucore.ProfileFor(core.Name)
	jit, ok := profile.JITOption(true)
	if !ok || profile.Compiles(nil) {
		return nil, false
	}
	return []ds.Option{jit}, true
}

// jitWorth is the factor by which a console must be faster for advice.
const jitWorth = 1.15

// judgeJIT takes frames a second, of one console at the head, without the core's JIT and with it.
func judgeJIT(interpreted, compiled []float64, err error) Finding {
	f := Finding{Subject: "jit"}
	switch {
	case err != nil:
		f.Words, f.Detail = "The core's JIT did not run; the core works without it.", err.Error()
	case compiled[0] < interpreted[0]*jitWorth:
		f.Words = fmt.Sprintf("The core's JIT gains little: %.0f frames a second with one console, %.0f without it.", compiled[0], interpreted[0])
	default:
		f.Words = fmt.Sprintf("The core's JIT makes %.0f frames a second with one console, %.0f without it.", compiled[0], interpreted[0])
		f.Advice = "If games are slow in rooms that you open, set core.jit to \"on\". It is experimental."
	}
	return f
}
