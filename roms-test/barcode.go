package romstest

import (
	"errors"
	"fmt"
	"image"
)

// The barcode fills the last eight rows of the bottom screen, so of any picture
// that ends with it. A bit is a cell 8 pixels wide, white for one and nearly black
// for zero, the highest bit first.
//
//	row 0     the guard: 1 0 1 0 ...
//	rows 1-6  the number
//	row 7     the guard inverted: 0 1 0 1 ...
//
// The guards tell a barcode from a picture that happens to be black or white there.
const (
	screenWidth   = 256
	cellWidth     = 8
	barcodeHeight = 8
	guard         = 0xAAAAAAAA
)

// ErrNoBarcode is matched by the errors of [ReadBarcode].
var ErrNoBarcode = errors.New("no barcode in the picture")

// ReadBarcode reads the hash from the last rows of a program's picture: of both
// screens, or of the bottom one alone. It checks every pixel, so a picture that is
// scaled, cut, half drawn or painted over is an error.
func ReadBarcode(img image.Image) (uint32, error) {
	b := img.Bounds()
	if b.Dx() != screenWidth || b.Dy() < barcodeHeight {
		return 0, fmt.Errorf("%w: %dx%d pixels, not %d wide", ErrNoBarcode, b.Dx(), b.Dy(), screenWidth)
	}
	var rows [barcodeHeight]uint32
	for y := range rows {
		var err error
		if rows[y], err = readRow(img, b.Min.X, b.Max.Y-barcodeHeight+y); err != nil {
			return 0, fmt.Errorf("%w: row %d: %w", ErrNoBarcode, y, err)
		}
	}
	if rows[0] != guard || rows[barcodeHeight-1] != ^uint32(guard) {
		return 0, fmt.Errorf("%w: guards %08X and %08X", ErrNoBarcode, rows[0], rows[barcodeHeight-1])
	}
	for y, row := range rows[1 : barcodeHeight-1] {
		if row != rows[1] {
			return 0, fmt.Errorf("%w: row %d says %08X, row 1 %08X", ErrNoBarcode, y+1, row, rows[1])
		}
	}
	return rows[1], nil
}

// readRow reads 32 cells of one row of pixels.
func readRow(img image.Image, left, y int) (uint32, error) {
	var row uint32
	for x := range screenWidth {
		bit, err := readBit(img, left+x, y)
		if err != nil {
			return 0, fmt.Errorf("pixel %d: %w", x, err)
		}
		if x%cellWidth == 0 {
			row = row<<1 | bit
		} else if row&1 != bit {
			return 0, fmt.Errorf("pixel %d: not of one colour with its cell", x)
		}
	}
	return row, nil
}

// readBit tells light from dark. The colours are far enough from the limits for any
// pixel format of a core.
func readBit(img image.Image, x, y int) (uint32, error) {
	r, g, b, _ := img.At(x, y).RGBA()
	switch low, high := min(r, g, b)>>8, max(r, g, b)>>8; {
	case low >= 0xE0:
		return 1, nil
	case high < 0x20:
		return 0, nil
	}
	return 0, errors.New("neither light nor dark")
}
