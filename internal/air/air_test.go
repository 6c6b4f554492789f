package air

import (
	"math/rand/v2"
	"testing"
)

// TestModel: the C takes the decisions of the model, whatever the order in which
// consoles arrive.
func TestModel(t *testing.T) {
	n := uint64(96)
	if testing.Short() {
		n = 48
	}
	packets, heard, granted, left, passed := 0, 0, 0, 0, 0
	for seed := range n {
		sc := newScenario(seed, 1+int(seed%16), int(seed/16%3), 4+int64(seed%20))
		want := modelled(t, sc, 1)
		packets += len(want.trace)
		granted += want.granted
		left += want.left
		passed += want.passed
		for _, c := range want.count {
			heard += c
		}
		if err := compare(t, sc, Config{}, want, 2); err != nil {
			t.Fatalf("%v: %v", sc, err)
		}
	}
	t.Logf("%d packets, %d answers, %d granted, %d left to consoles, %d passed in silence", packets, heard, granted, left, passed)
	if packets < 2000 || heard < 5000 || granted < 100 || left < 100 || passed < 100 {
		t.Error("that shows little")
	}
}

// TestModelOrder: nor does the model's outcome depend on the order.
func TestModelOrder(t *testing.T) {
	for seed := range uint64(50) {
		sc := newScenario(seed, 2+int(seed%5), int(seed%3), 20)
		a, b := modelled(t, sc, 1), modelled(t, sc, 2)
		if err := a.differs(&b); err != nil {
			t.Fatalf("%v: %v", sc, err)
		}
	}
}

func FuzzModel(f *testing.F) {
	f.Add(uint64(1), uint64(2), uint8(3), uint8(1), uint8(10))
	f.Add(uint64(7), uint64(1), uint8(16), uint8(2), uint8(30))
	f.Add(uint64(3), uint64(3), uint8(2), uint8(0), uint8(20))
	f.Fuzz(func(t *testing.T, seed, order uint64, consoles, skew, frames uint8) {
		sc := newScenario(seed, 1+int(consoles%16), int(skew%4), 1+int64(frames%32))
		want := modelled(t, sc, order)
		if err := compare(t, sc, Config{}, want, 1); err != nil {
			t.Fatalf("%v: %v", sc, err)
		}
	})
}

func modelled(t testing.TB, sc *scenario, order uint64) outcome {
	m := newModel(sc.skew, 0)
	m.plain = sc.plain
	o, err := play(sc, m, rand.New(rand.NewPCG(order, 1)))
	if err != nil {
		t.Fatalf("%v: the model: %v", sc, err)
	}
	return o
}

// compare plays sc on the real air in some orders.
func compare(t testing.TB, sc *scenario, cfg Config, want outcome, orders uint64) error {
	for order := range orders {
		cfg.Skew, cfg.Plain = sc.skew, sc.plain
		m := newReal(t, cfg)
		t.Cleanup(m.close)
		got, err := play(sc, m, rand.New(rand.NewPCG(order, 2)))
		if err == nil {
			err = got.differs(&want)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
