package wire

import (
	"math/rand/v2"
	"testing"
)

// TestCleaningTwiceChangesNothing: also where what is dropped has kept marks, or spaces, apart.
func TestCleaningTwiceChangesNothing(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	runes := []rune{'a', ' ', 0x301, 0x20dd, 0xe000, 0xfffff, 0x200b, 0x2028, 0x202e, 0xfffd, 0x1f600, 0xad, '\n', 0}
	for range 200_000 {
		text := make([]rune, dice.IntN(12))
		for i := range text {
			text[i] = runes[dice.IntN(len(runes))]
		}
		most := 1 + dice.IntN(40)
		once := CleanPrinting(string(text), most)
		if again := CleanPrinting(once, most); again != once || len(once) > most {
			t.Fatalf("%q of at most %d bytes becomes %q, and then %q", string(text), most, once, again)
		}
	}
}
