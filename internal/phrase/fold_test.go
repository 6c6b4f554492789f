package phrase

import (
	"strings"
	"testing"
)

func TestFold(t *testing.T) {
	for written, sought := range map[string]string{
		"Pokémon":     "pokemon",
		"ＤＳ　ゲーム":      "ds げーむ",
		"ﾎﾟｹｯﾄ":       "ぽけっと",
		"Größe":       "grosse",
		"ÀÇÑÜ":        "acnu",
		"ポケット":        "ぽけっと",
		"plain Words": "PLAIN words",
	} {
		if a, b := Fold(written), Fold(sought); a != b {
			t.Errorf("%q folds to %q, %q to %q", written, a, sought, b)
		}
	}
	if Fold("かき") == Fold("がき") {
		t.Error("ka and ga are one")
	}
}

func TestHas(t *testing.T) {
	text := Fold("Advance Racer DS · アドバンス")
	for query, want := range map[string]bool{"": true, "racer adv": true, "あどばんす": true, "racer x": false} {
		if got := Has(text, strings.Fields(Fold(query))); got != want {
			t.Errorf("%q is found: %t", query, got)
		}
	}
}
