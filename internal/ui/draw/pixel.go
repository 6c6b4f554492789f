package draw

import "image/color"

// straight returns a colour as four bytes, not premultiplied.
func straight(c color.Color) []byte {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	return []byte{n.R, n.G, n.B, n.A}
}
