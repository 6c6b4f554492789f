package film

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/nettplay/nettplay/internal/disk"
)

// The screens of several consoles in one image, each with a caption, as screenshots and the demo show them.

// Console is one console's screens with the words above them.
type Console struct {
	Title  string      // such as "Ann (seat 1)"; cut to the picture's width
	Note   string      // smaller, below the title, such as the frame number
	Screen image.Image // top over bottom
	Mine   bool        // drawn with an accent: the console of the player who took the picture
}

const (
	margin   = 12
	caption  = 40
	maxWidth = 4 // consoles in a row
)

var (
	background   = color.RGBA{0x1b, 0x1d, 0x23, 0xff}
	captionColor = color.RGBA{0xf2, 0xf3, 0xf5, 0xff}
	faint        = color.RGBA{0x9a, 0xa0, 0xad, 0xff}
	accent       = color.RGBA{0x5b, 0xc8, 0xaf, 0xff}
)

// Compose draws the consoles side by side, four in a row.
func Compose(consoles []Console) (*image.RGBA, error) {
	faces, err := newFaces()
	if err != nil {
		return nil, err
	}
	cell := image.Point{}
	for _, c := range consoles {
		cell.X, cell.Y = max(cell.X, c.Screen.Bounds().Dx()), max(cell.Y, c.Screen.Bounds().Dy())
	}
	columns := max(min(len(consoles), maxWidth), 1)
	rows := max((len(consoles)+columns-1)/columns, 1)
	out := image.NewRGBA(image.Rect(0, 0, margin+columns*(cell.X+margin), margin+rows*(cell.Y+caption+margin)))
	draw.Draw(out, out.Bounds(), image.NewUniform(background), image.Point{}, draw.Src)
	for i, c := range consoles {
		at := image.Pt(margin+(i%columns)*(cell.X+margin), margin+(i/columns)*(cell.Y+caption+margin))
		drawConsole(out, faces, c, at, cell.X)
	}
	return out, nil
}

func drawConsole(out *image.RGBA, f faces, c Console, at image.Point, width int) {
	if c.Mine {
		bar := image.Rect(at.X, at.Y+2, at.X+3, at.Y+caption-8)
		draw.Draw(out, bar, image.NewUniform(accent), image.Point{}, draw.Src)
	}
	writeCaption(out, f.title, captionColor, c.Title, at.Add(image.Pt(9, 15)), width-9)
	writeCaption(out, f.note, faint, c.Note, at.Add(image.Pt(9, 30)), width-9)
	where := image.Rectangle{Min: at.Add(image.Pt(0, caption))}
	where.Max = where.Min.Add(c.Screen.Bounds().Size())
	draw.Draw(out, where, c.Screen, c.Screen.Bounds().Min, draw.Src)
}

type faces struct{ title, note font.Face }

func newFaces() (faces, error) {
	parsed, err := opentype.Parse(gomedium.TTF)
	if err != nil {
		return faces{}, err
	}
	title, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 14, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		return faces{}, err
	}
	note, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 11, DPI: 72, Hinting: font.HintingFull})
	return faces{title, note}, err
}

// writeCaption draws one line of captionColor, with an ellipsis where it would be too wide.
func writeCaption(out draw.Image, face font.Face, c color.Color, s string, at image.Point, width int) {
	if font.MeasureString(face, s).Ceil() > width {
		runes := []rune(s)
		for len(runes) > 0 && font.MeasureString(face, string(runes)+"…").Ceil() > width {
			runes = runes[:len(runes)-1]
		}
		s = string(runes) + "…"
	}
	d := font.Drawer{Dst: out, Src: image.NewUniform(c), Face: face, Dot: fixed.P(at.X, at.Y)}
	d.DrawString(s)
}

// WritePNG writes an image to path. A file that is there is replaced only once
// the new one is complete.
func WritePNG(path string, img image.Image) error {
	return disk.WriteFunc(path, 0o644, func(w io.Writer) error { return png.Encode(w, img) })
}
