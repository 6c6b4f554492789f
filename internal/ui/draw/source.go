package draw

import (
	"image"
	"os"
	"slices"
	"unicode"

	"github.com/hajimehoshi/bitmapfont/v3"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// source is one font.
type source interface {
	has(r rune) bool
	// open returns the font at a size of px pixels, nil if it has none, and by how much its
	// pictures are to be enlarged.
	open(px float32) (face font.Face, enlarge int)
}

// outline is a font of outlines.
type outline struct {
	font  *sfnt.Font
	plain bool // without a stroke through its zero
	buf   sfnt.Buffer
}

func (o *outline) has(r rune) bool {
	i, err := o.font.GlyphIndex(&o.buf, r)
	return err == nil && i != 0
}

func (o *outline) open(px float32) (font.Face, int) {
	face, _ := opentype.NewFace(o.font, &opentype.FaceOptions{Size: float64(px), DPI: 72, Hinting: font.HintingNone})
	if o.plain {
		return &plainZero{Face: face, font: o.font, ppem: fixed.Int26_6(px*64 + 0.5)}, 1
	}
	return face, 1
}

// bitmap is the font of last resort, 12 pixels high and enlarged by whole numbers.
type bitmap struct{}

// has looks for a pixel: the font says of every letter of 16 bits that it has it, and of half of them it has only an
// empty place (findings/bitmapfont-has-what-it-has-not.sh).
func (bitmap) has(r rune) bool {
	if unicode.Is(unicode.Zs, r) {
		_, ok := bitmapfont.Face.GlyphAdvance(r)
		return ok
	}
	alpha, _ := rasterise(bitmapfont.Face, 1, r, 0)
	return alpha != nil && slices.ContainsFunc(alpha.Pix, func(a uint8) bool { return a > 0 })
}

func (bitmap) open(px float32) (font.Face, int) { return bitmapfont.Face, max(1, int(px/12+0.25)) }

// openSystem opens the first font of the system that can be read and has both
// a kana and a kanji; nil for none. Its file stays open, for glyphs are read when needed.
func openSystem(paths []string) source {
	for _, path := range paths {
		if o := openFile(path); o != nil && o.has('あ') && o.has('漢') {
			return o
		}
	}
	return nil
}

func openFile(path string) *outline {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	if all, err := opentype.ParseCollectionReaderAt(file); err == nil {
		if f, err := all.Font(0); err == nil { // of Noto Sans CJK the Japanese one
			return &outline{font: f}
		}
	}
	_ = file.Close()
	return nil
}

// SystemFonts returns where fonts with Japanese letters are looked for, in
// this order: the paths that Debian, Fedora, Arch, openSUSE, Flatpak's
// run-time, macOS and Windows put them in.
func SystemFonts() []string {
	return []string{
		"/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
		"/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
		"/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc",
		"/usr/share/fonts/google-noto-sans-cjk-fonts/NotoSansCJK-Regular.ttc",
		"/usr/share/fonts/truetype/NotoSansCJK-Regular.ttc",
		"/run/host/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
		"/run/host/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
		"/usr/share/fonts/opentype/ipafont-gothic/ipag.ttf",
		"/usr/share/fonts/opentype/ipaexfont-gothic/ipaexg.ttf",
		"/usr/share/fonts/ipa-gothic/ipag.ttf",
		"/usr/share/fonts/OTF/ipag.ttf",
		"/usr/share/fonts/truetype/vlgothic/VL-Gothic-Regular.ttf",
		"/usr/share/fonts/vlgothic/VL-Gothic-Regular.ttf",
		"/usr/share/fonts/truetype/takao-gothic/TakaoGothic.ttf",
		"/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
		"/usr/share/fonts/google-droid/DroidSansFallback.ttf",
		"/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
		"/System/Library/Fonts/ヒラギノ角ゴシック W3.ttc",
		os.Getenv("SystemRoot") + `\Fonts\YuGothM.ttc`, // in every edition since Windows 10
		os.Getenv("SystemRoot") + `\Fonts\meiryo.ttc`,
		os.Getenv("SystemRoot") + `\Fonts\msgothic.ttc`,
	}
}

// rasterise returns the opacity of a letter, nil if there is nothing to see: its pixels, and where they lie
// from the pen, of which x is the part of a pixel to the right of a whole one.
func rasterise(face font.Face, enlarge int, r rune, x float32) (alpha *image.Alpha, at image.Point) {
	dot := fixed.Point26_6{X: fixed.Int26_6(x * 64)}
	if enlarge > 1 {
		dot.X = 0
	}
	dr, m, mp, _, ok := face.Glyph(dot, r)
	if !ok || dr.Empty() {
		return nil, image.Point{}
	}
	out := image.NewAlpha(image.Rect(0, 0, dr.Dx()*enlarge, dr.Dy()*enlarge))
	for y := range out.Rect.Max.Y {
		for x := range out.Rect.Max.X {
			_, _, _, a := m.At(mp.X+x/enlarge, mp.Y+y/enlarge).RGBA()
			out.Pix[out.PixOffset(x, y)] = uint8(a >> 8)
		}
	}
	return out, dr.Min.Mul(enlarge)
}
