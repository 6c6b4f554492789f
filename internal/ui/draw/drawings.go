package draw

// The colours of drawings.
var (
	yellow = RGB(0xffcf3f)
	dark   = RGB(0x5a3a12)
	jet    = RGB(0x2b2b33)
	snow   = RGB(0xffffff)
	red    = RGB(0xe8404f)
	tongue = RGB(0xf26d7d)
	sky    = RGB(0x4fb3f6)
	blue   = RGB(0x3d7de0)
	green  = RGB(0x43b45c)
	orange = RGB(0xf5902c)
	purple = RGB(0x9a5fd0)
	silver = RGB(0xb9c0cc)
	brown  = RGB(0x9a6238)
	skin   = RGB(0xffcb4d) // gives way to the tone that is asked for
)

// smiley is a round face with things on it.
func smiley(parts ...part) []part {
	return append([]part{{yellow, dot(12, 12, 11)}}, parts...)
}

// The eyes and mouths of faces.
var (
	eyes     = mirrored(oval(8, 9.6, 1.5, 2.1))
	merry    = mirrored(bow(8, 10.6, 2.3, 195, 345, 1.6))
	shut     = mirrored(bow(8, 9, 2.3, 15, 165, 1.6))
	dashes   = mirrored(bar(5.8, 9.8, 9.8, 9.8, 1.6))
	squint   = of(bar(5.5, 7.4, 9.6, 9.5, 1.6), bar(9.6, 9.5, 5.5, 11.6, 1.6), bar(18.5, 7.4, 14.4, 9.5, 1.6), bar(14.4, 9.5, 18.5, 11.6, 1.6))
	wink     = of(oval(8, 9.6, 1.5, 2.1), bar(14, 9.6, 18, 9.2, 1.6))
	hearts   = mirrored(heart(7.4, 9.4, 3.6))
	stars    = mirrored(star(7.4, 9.4, 4.1))
	goggle   = mirrored(dot(7.6, 9.6, 3.1))
	pupils   = mirrored(dot(7.6, 9.6, 1.4))
	smile    = bow(12, 11.5, 6, 25, 155, 1.6)
	frown    = bow(12, 21, 5, 215, 325, 1.6)
	flat     = bar(8, 16.5, 16, 16.5, 1.6)
	gape     = both(dot(12, 13, 6.2), below(13.2))
	teeth    = both(gape, above(15.2))
	licker   = both(dot(12, 20.2, 3.7), gape)
	oh       = oval(12, 17.2, 2.4, 2.9)
	puckers  = of(bow(12, 15.2, 1.4, -100, 80, 1.3), bow(12, 18, 1.4, -80, 100, 1.3))
	cheeks   = mirrored(oval(5.2, 14.2, 2.3, 1.6))
	brows    = of(bar(5.6, 6, 9.8, 8, 1.6), bar(18.4, 6, 14.2, 8, 1.6))
	worried  = of(bar(5.4, 6.6, 9, 5, 1.4), bar(18.6, 6.6, 15, 5, 1.4))
	leftTear = drop(6, 16.4, 2.2)
)

// laughs is an open mouth, with a look of the same colour; gape itself is none.
func laughs(look stroke) []part {
	return []part{{dark, of(look, gape)}, {snow, teeth}, {tongue, licker}}
}

// thumb is one that points up from a fist.
func thumb(up bool) stroke {
	s := of(block(3, 11, 7, 21, 1), block(8, 10.5, 19.5, 21.2, 3), bar(11.5, 13, 13.6, 4.6, 4.2), block(15, 10, 21, 14, 2), block(15, 13, 21.4, 17, 2))
	if up {
		return s
	}
	return func(x, y float64) float64 { return s(x, 24-y) }
}

// drawings are the emoji that have a picture, each of at most 16 parts, the lowest first. The most common of chats are
// here, and what players say.
func drawings() map[rune][]part {
	return map[rune][]part{
		'😀': smiley(laughs(eyes)...),
		'😃': smiley(laughs(eyes)...),
		'😄': smiley(laughs(merry)...),
		'😁': smiley(part{dark, merry}, part{snow, gape}, part{dark, both(gape, of(bar(5, 16, 19, 16, .7), bar(9.5, 13, 9.5, 20, .7), bar(14.5, 13, 14.5, 20, .7)))}),
		'😆': smiley(laughs(squint)...),
		'😅': smiley(append(laughs(merry), part{sky, drop(19.5, 6.2, 2.4)})...),
		'😂': smiley(append(laughs(merry), part{sky, mirrored(drop(3.2, 15.8, 2.6))})...),
		'🤣': smiley(append(laughs(squint), part{sky, mirrored(drop(3.4, 16.4, 3))})...),
		'😊': smiley(part{tongue.Fade(0.6), cheeks}, part{dark, of(merry, smile)}),
		'🙂': smiley(part{dark, of(eyes, smile)}),
		'☺': smiley(part{tongue.Fade(0.6), cheeks}, part{dark, of(shut, smile)}),
		'😉': smiley(part{dark, of(wink, smile)}),
		'😍': smiley(append([]part{{red, hearts}}, laughs(gape)...)...),
		'🤩': smiley(append([]part{{orange, stars}}, laughs(gape)...)...),
		'🥰': smiley(part{tongue.Fade(0.6), cheeks}, part{dark, of(merry, smile)}, part{red, of(heart(20, 5, 3.4), heart(3.5, 19, 3), heart(21, 18.5, 2.4))}),
		'😘': smiley(part{dark, of(wink, puckers)}, part{red, heart(18.6, 17, 3)}),
		'😋': smiley(part{dark, of(merry, smile)}, part{tongue, dot(16.2, 17, 2.3)}),
		'😛': smiley(part{dark, of(eyes, bow(12, 11.5, 6, 15, 165, 1.6))}, part{tongue, block(9.6, 16.6, 14.6, 22, 2.4)}),
		'😜': smiley(part{dark, of(wink, bow(12, 11.5, 6, 15, 165, 1.6))}, part{tongue, block(9.6, 16.6, 14.6, 22, 2.4)}),
		'🤪': smiley(part{snow, of(dot(7.4, 9, 3.6), dot(16.6, 10, 2.6))}, part{dark, of(dot(8.2, 9.6, 1.5), dot(16, 10.6, 1.2), bow(12, 12, 6, 15, 165, 1.6))}, part{tongue, block(10.6, 17, 15.4, 22, 2.4)}),
		'🤔': smiley(part{dark, of(eyes, bar(8.4, 15.4, 14.6, 14.6, 1.5), bow(16, 9, 4, 230, 320, 1.3))}, part{orange, of(block(6, 17, 13, 23, 2.4), bar(7.6, 18, 7.8, 14.4, 2.4))}),
		'😐': smiley(part{dark, of(eyes, flat)}),
		'😑': smiley(part{dark, of(dashes, flat)}),
		'😶': smiley(part{dark, eyes}),
		'🙄': smiley(part{snow, goggle}, part{dark, of(mirrored(dot(7.6, 7.7, 1.4)), flat)}),
		'😏': smiley(part{dark, of(eyes, bow(13.5, 11, 5.6, 20, 100, 1.6))}),
		'😌': smiley(part{dark, of(shut, smile)}),
		'😴': smiley(part{dark, of(shut, oh)}, part{blue, of(bar(16, 1.6, 21.4, 1.6, 1.6), bar(21.4, 1.6, 16.4, 7, 1.6), bar(16.4, 7, 21.8, 7, 1.6))}),
		'😮': smiley(part{dark, of(eyes, oh)}),
		'😲': smiley(part{snow, goggle}, part{dark, of(pupils, oh)}),
		'😱': {{RGB(0x8fc7f2), dot(12, 11, 10.4)}, {snow, goggle}, {dark, of(pupils, oval(12, 17, 2.6, 4))}, {yellow, mirrored(block(1, 12, 5.2, 23, 2))}},
		'😳': smiley(part{red.Fade(0.5), cheeks}, part{snow, goggle}, part{dark, of(pupils, bar(9.6, 17, 14.4, 17, 1.6))}),
		'😢': smiley(part{dark, of(eyes, worried, frown)}, part{sky, leftTear}),
		'😭': smiley(part{sky, mirrored(block(5, 11, 9.4, 23, 1.6))}, part{dark, of(shut, oval(12, 17, 3.4, 3.2))}),
		'😞': smiley(part{dark, of(shut, worried, frown)}),
		'🙁': smiley(part{dark, of(eyes, frown)}),
		'☹': smiley(part{dark, of(eyes, frown)}),
		'🥺': smiley(part{dark, of(mirrored(oval(7.6, 10.6, 2.8, 3.2)), worried, bow(12, 19.4, 2.6, 215, 325, 1.4))}, part{snow, mirrored(dot(6.8, 9.4, 1.1))}),
		'😠': smiley(part{dark, of(eyes, brows, frown)}),
		'😡': {{red, dot(12, 12, 11)}, {RGB(0x4a0d12), of(eyes, brows, frown)}},
		'🤬': {{red, dot(12, 12, 11)}, {RGB(0x4a0d12), of(eyes, brows)}, {jet, block(4, 14, 20, 19.4, 1.4)}, {snow, of(bar(7, 15.4, 7.8, 18, 1), bar(10, 18, 12, 15.4, 1), bar(14, 15.4, 14.6, 18, 1), bar(16.4, 16.6, 18.4, 16.6, 1))}},
		'😎': smiley(part{jet, of(block(2.4, 6.6, 11, 12.6, 2.4), block(13, 6.6, 21.6, 12.6, 2.4), bar(3, 7.6, 21, 7.6, 1.8))}, part{dark, smile}),
		'🤓': smiley(part{snow, goggle}, part{jet, mirrored(bow(7.2, 9.6, 3.7, 0, 360, 1.3))}, part{jet, of(pupils, bar(10.6, 9, 13.4, 9, 1.3), smile)}, part{snow, block(10.4, 17, 13.6, 20, .6)}),
		'🥳': smiley(part{dark, of(merry, smile)}, part{purple, shape(13, 4.4, 21.6, 8, 21.4, 0)}, part{red, dot(21.2, 1.6, 1.5)}, part{green, of(dot(3, 4, 1.3), dot(22, 14, 1.2))}, part{sky, of(dot(7, 1.8, 1.2), dot(2, 18.6, 1.2))}),
		'😇': {{sky, cut(oval(12, 3, 8, 2.8), oval(12, 3, 6, 1.3))}, {yellow, dot(12, 13.6, 9.8)}, {dark, of(mirrored(bow(8.4, 12.6, 2, 195, 345, 1.5)), bow(12, 13, 5, 25, 155, 1.5))}},
		'🤯': smiley(part{orange, of(dot(6, 4, 3.6), dot(12, 2.6, 3.4), dot(18, 4, 3.6), block(6, 3, 18, 7, 1))}, part{snow, mirrored(dot(7.6, 11.4, 2.8))}, part{dark, of(mirrored(dot(7.6, 11.4, 1.2)), oval(12, 18, 2.4, 2.6))}),
		'😬': smiley(part{dark, of(eyes, block(5.6, 14, 18.4, 19.6, 2.4))}, part{snow, block(6.6, 15, 17.4, 18.6, 1.6)}, part{dark, of(bar(6, 16.8, 18, 16.8, .8), bar(10, 14, 10, 19, .8), bar(14, 14, 14, 19, .8))}),
		'🙃': smiley(part{dark, func(x, y float64) float64 { return of(eyes, smile)(x, 24-y) }}),
		'🤗': smiley(part{dark, of(merry, smile)}, part{orange, mirrored(of(oval(4, 19.4, 3.6, 3), bar(5.6, 17.6, 7.6, 15.6, 2)))}),
		'🫡': smiley(part{dark, of(eyes, bar(8.6, 16.6, 14.6, 16.6, 1.6))}, part{orange, of(bar(21, 12.4, 14.4, 5.2, 4), bar(17, 13.4, 21, 12, 3.4))}),
		'😈': {{purple, of(dot(12, 13, 10), mirrored(shape(3, 9, 3.4, 0.6, 8.6, 4.6)))}, {RGB(0x2f1350), of(mirrored(oval(8, 11.6, 1.5, 1.9)), bar(5.6, 7.8, 9.8, 9.8, 1.5), bar(18.4, 7.8, 14.2, 9.8, 1.5), bow(12, 13, 5.6, 20, 160, 1.6))}},
		'😵': smiley(part{dark, of(bar(5.6, 7.6, 9.8, 11.6, 1.6), bar(9.8, 7.6, 5.6, 11.6, 1.6), bar(14.2, 7.6, 18.4, 11.6, 1.6), bar(18.4, 7.6, 14.2, 11.6, 1.6), oh)}),
		'🥲': smiley(part{dark, of(merry, smile)}, part{sky, leftTear}),
		'🤡': {{orange, mirrored(dot(3.6, 8, 3.6))}, {RGB(0xf9ead9), dot(12, 12.4, 10)}, {sky, mirrored(oval(8, 9.6, 2, 3.6))}, {jet, mirrored(dot(8, 9.8, 1.3))}, {red, of(dot(12, 13, 2.4), bow(12, 12.6, 6, 20, 160, 2.6))}},
		'💀': {{RGB(0xe6e9ef), of(dot(12, 10, 9), block(7.4, 13, 16.6, 22, 2))}, {jet, of(mirrored(dot(8, 11, 2.6)), shape(12, 13.6, 13.4, 16, 10.6, 16), bar(10.4, 19, 10.4, 22, .9), bar(13.6, 19, 13.6, 22, .9))}},
		'👻': {{RGB(0xf1f2f8), cut(of(dot(12, 9.6, 8), block(4, 9, 20, 21, 1)), of(dot(6.8, 22, 2.2), dot(12, 22, 2.2), dot(17.2, 22, 2.2)))}, {jet, of(mirrored(oval(8.8, 9.4, 1.5, 2)), oval(12, 15, 1.9, 2.4))}},
		'💩': {{brown, of(block(2.6, 15.4, 21.4, 22, 3.3), block(5, 10, 19, 17, 3.3), block(8, 5.4, 16, 12, 3), shape(9.6, 7, 12.4, 1.4, 15, 7))}, {snow, mirrored(dot(9, 13, 2.2))}, {jet, of(mirrored(dot(9, 13, 1.1)), bow(12, 15.4, 3, 20, 160, 1.3))}},
		'🤖': {{silver, of(block(3.4, 6, 20.6, 21, 3), bar(12, 2.4, 12, 7, 1.4), dot(12, 2.4, 1.8), mirrored(block(1, 11, 4, 16, 1)))}, {sky, mirrored(dot(8.2, 11.4, 2.4))}, {jet, of(mirrored(dot(8.2, 11.4, 1)), block(7.4, 15.6, 16.6, 18.4, 1.2))}},
		'👍': {{skin, thumb(true)}, {blue, block(1.6, 11.4, 5.6, 21.6, 1)}},
		'👎': {{skin, thumb(false)}, {blue, block(1.6, 2.4, 5.6, 12.6, 1)}},
		'👏': {{skin, of(bar(8, 20, 4.4, 11, 4.4), bar(9.6, 17, 7.4, 7.4, 3.2), bar(15.6, 20, 19.6, 10, 4.4), bar(14.6, 16, 15.6, 7, 3.2), dot(11.8, 18, 5))}, {orange, of(bar(4, 3, 5.6, 5.6, 1.4), bar(11.8, 1.4, 11.8, 4.6, 1.4), bar(19.6, 3, 18, 5.6, 1.4))}},
		'🙏': {{skin, of(bar(11, 4, 10, 17, 3), bar(13, 4, 14, 17, 3), shape(8.6, 14, 15.4, 14, 18, 20, 6, 20))}, {blue, of(shape(5.6, 18.6, 11.6, 18.6, 11.6, 23.4, 3.4, 23.4), shape(18.4, 18.6, 12.4, 18.6, 12.4, 23.4, 20.6, 23.4))}},
		'💪': {{skin, of(bar(6, 6, 4.4, 15, 5), bar(5, 17, 14, 18.6, 7.4), dot(14, 15, 5), bar(14, 18, 20, 19.4, 6.4), block(5, 2.4, 11, 8.4, 2.6))}},
		'👋': {{skin, of(oval(12.6, 15.4, 6, 6.4), bar(9.6, 14, 5.4, 6.6, 2.9), bar(11, 12, 8.6, 4, 2.9), bar(13.6, 12, 12.6, 3.4, 2.9), bar(16, 13, 16.6, 5.4, 2.9), bar(16, 17, 20.6, 12, 2.9))}, {sky, of(bow(7, 9, 8, 165, 215, 1.2), bow(16, 16, 7.6, 20, 65, 1.2))}},
		'✋': {{skin, of(block(7, 11, 18, 22, 4), bar(8.4, 13, 8.4, 5, 2.7), bar(11.3, 12, 11.3, 3, 2.7), bar(14.2, 12, 14.2, 3.4, 2.7), bar(17, 13, 17, 6, 2.6), bar(8, 18, 4, 13, 2.8))}},
		'✌': {{skin, of(block(7, 12, 17.4, 22, 3.6), bar(9, 14, 6.4, 4, 3.2), bar(14, 14, 17, 4, 3.2), block(12, 12, 18.6, 17, 2.2))}, {dark.Fade(0.4), bow(12.4, 16.4, 2.8, 100, 250, 1)}},
		'👌': {{skin, of(bow(7.4, 12.6, 3.8, 0, 360, 2.7), block(9, 12, 19, 22, 4), bar(12.6, 14, 12, 3.6, 2.7), bar(15.6, 14, 16, 4, 2.7), bar(18, 15, 20, 6.4, 2.7))}},
		'🙌': {{skin, mirrored(of(block(2.6, 8, 9.4, 16.6, 2.6), bar(4, 9, 3, 4, 2.2), bar(6, 9, 6, 3, 2.2), bar(8, 9, 9, 4, 2.2)))}, {blue, mirrored(block(3, 16, 9, 22.6, 1.4))}, {orange, of(bar(12, 1.4, 12, 4.4, 1.3), bar(12, 7, 12, 8, 1.3))}},
		'🤝': {{skin, of(bar(2, 9, 12, 14, 7), bar(22, 9, 12, 14, 7))}, {dark.Fade(0.4), of(bar(9, 12, 13, 16.6, 1), bar(12.4, 10.4, 16.4, 15, 1))}, {blue, of(bar(1.6, 7, 2.8, 13, 3.6), bar(22.4, 7, 21.2, 13, 3.6))}},
		'👀': {{RGB(0xd9dde6), mirrored(oval(6.4, 12, 5.4, 8))}, {snow, mirrored(oval(6.4, 12, 4.6, 7.2))}, {jet, of(oval(8, 13, 2.2, 3.4), oval(19.2, 13, 2.2, 3.4))}},
		'🧠': {{RGB(0xf0a0b0), of(dot(7.4, 9, 5), dot(16.6, 9, 5), dot(12, 7.6, 4.6), dot(6.4, 14.4, 4.6), dot(17.6, 14.4, 4.6), block(7, 8, 17, 20, 4))}, {RGB(0xc46880), of(bar(12, 4, 12, 19, 1.1), mirrored(bow(7.4, 9.6, 2.4, 60, 240, 1.1)), mirrored(bow(8, 15.6, 2.4, 90, 260, 1.1)))}},
		'❤': {{red, heart(12, 11.4, 10.6)}},
		'🧡': {{orange, heart(12, 11.4, 10.6)}},
		'💛': {{yellow, heart(12, 11.4, 10.6)}},
		'💚': {{green, heart(12, 11.4, 10.6)}},
		'💙': {{blue, heart(12, 11.4, 10.6)}},
		'💜': {{purple, heart(12, 11.4, 10.6)}},
		'🖤': {{jet, heart(12, 11.4, 10.6)}, {silver.Fade(0.5), dot(7.4, 7.4, 1.6)}},
		'💕': {{tongue, of(heart(8.4, 9, 7), heart(17.4, 16.6, 5.4))}},
		'💔': {{red, cut(heart(12, 11.4, 10.6), of(bar(12, 4, 9.6, 10, 1.5), bar(9.6, 10, 14, 13, 1.5), bar(14, 13, 12, 21, 1.5)))}},
		'🔥': {{orange, of(dot(12, 15, 8), shape(4.4, 13, 6.4, 6, 8.6, 9, 12.6, .8, 17, 8, 18.4, 6, 19.8, 14))}, {yellow, of(dot(12, 17.8, 4.4), shape(7.8, 16.6, 12.4, 9.4, 16, 16))}},
		'⭐': {{yellow, star(12, 12.6, 11.4)}},
		'🌟': {{yellow, star(12, 13, 9.6)}, {orange, of(bar(2, 4, 4, 6, 1.3), bar(22, 4, 20, 6, 1.3), bar(12, .8, 12, 1.6, 1.3))}},
		'✨': {{yellow, of(spark(10, 13, 9.4), spark(19, 5, 4.6), spark(19.6, 19.4, 3.6))}},
		'🎉': {{orange, shape(2, 22, 7.4, 8.4, 15.6, 16.6)}, {red, of(bar(4.6, 16, 8.4, 19.4, 1.5), dot(18, 4, 1.6))}, {sky, of(bow(16, 9, 5, 180, 270, 1.6), dot(21, 11, 1.5))}, {green, of(bow(16.4, 14, 4, 225, 315, 1.6), dot(11, 3, 1.5))}, {purple, of(dot(21, 18, 1.5), dot(15, 8, 1.3))}},
		'🎊': {{purple, of(dot(5, 6, 2), dot(18, 5, 1.6), dot(20, 17, 2), dot(6, 19, 1.6))}, {orange, of(bar(9, 4, 11, 8, 1.8), bar(15, 15, 18, 20, 1.8), dot(13, 20, 1.5))}, {green, of(bar(3, 13, 8, 12, 1.8), bar(14, 10, 20, 11, 1.8))}, {red, of(dot(12, 13, 2.2), dot(12, 3, 1.4))}},
		'🎮': {{RGB(0x565c70), of(block(3, 7, 21, 16, 4.4), mirrored(bar(5, 13, 4, 17.4, 5)))}, {silver, of(bar(5.4, 11, 9.4, 11, 1.6), bar(7.4, 9, 7.4, 13, 1.6))}, {red, dot(18.6, 11, 1.2)}, {green, dot(16.6, 13, 1.2)}, {sky, dot(14.6, 11, 1.2)}, {yellow, dot(16.6, 9, 1.2)}},
		'🕹': {{RGB(0x565c70), block(3, 15, 21, 21.6, 2)}, {silver, bar(12, 8, 12, 16, 2)}, {red, dot(12, 6, 4)}, {yellow, dot(17.8, 17, 1.4)}},
		'🏆': {{orange, mirrored(bow(6, 7, 3.4, 90, 300, 1.8))}, {yellow, of(block(6, 2, 18, 8, 1), both(dot(12, 7, 6), below(6)), bar(12, 12, 12, 18, 2.4))}, {brown, block(7, 17.6, 17, 22, 1)}},
		'🥇': {{blue, of(shape(5, 1, 10, 1, 13, 11, 10, 12), shape(19, 1, 14, 1, 11, 11, 14, 12))}, {yellow, dot(12, 15.6, 7)}, {dark, of(bar(12.4, 12.6, 12.4, 18.6, 1.7), bar(10.8, 13.8, 12.4, 12.6, 1.5))}},
		'💯': {{red, of(bar(3.4, 7, 3.4, 15, 1.9), bow(9.4, 11, 3.4, 0, 360, 1.9), bow(18.4, 11, 3.4, 0, 360, 1.9), bar(4, 18.4, 20, 17, 1.7), bar(7, 21.8, 17, 20.8, 1.6))}},
		'✅': {{green, block(2, 2, 22, 22, 4)}, {snow, of(bar(6.6, 12.6, 10.4, 16.6, 2.6), bar(10.4, 16.6, 17.6, 7.6, 2.6))}},
		'❌': {{red, of(bar(4.4, 4.4, 19.6, 19.6, 4), bar(19.6, 4.4, 4.4, 19.6, 4))}},
		'❓': {{red, of(bow(12, 7.6, 4.6, 180, 400, 3), bar(14.6, 11, 12, 13.4, 3), bar(12, 13, 12, 15, 3), dot(12, 20, 2))}},
		'❗': {{red, of(shape(9.8, 2, 14.2, 2, 13.2, 15.6, 10.8, 15.6), dot(12, 20, 2.1))}},
		'⚡': {{yellow, shape(14.6, 1, 4.6, 13.4, 11, 13.4, 8.4, 23, 19.4, 9.4, 12.8, 9.4)}},
		'☀': {{orange, of(bar(12, 1.4, 12, 22.6, 1.8), bar(1.4, 12, 22.6, 12, 1.8), bar(4.6, 4.6, 19.4, 19.4, 1.8), bar(19.4, 4.6, 4.6, 19.4, 1.8))}, {yellow, dot(12, 12, 6.6)}},
		'🌙': {{yellow, cut(dot(11, 12, 10.4), dot(15.8, 9.4, 8.8))}},
		'🌈': {{red, both(bow(12, 19, 10, 180, 360, 1.9), above(19))}, {yellow, both(bow(12, 19, 8.2, 180, 360, 1.9), above(19))}, {green, both(bow(12, 19, 6.4, 180, 360, 1.9), above(19))}, {blue, both(bow(12, 19, 4.6, 180, 360, 1.9), above(19))}},
		'🍕': {{orange, both(shape(1, 3, 23, 3, 12, 23), above(7))}, {yellow, shape(3, 6, 21, 6, 12, 22.4)}, {red, of(dot(9, 9.4, 2), dot(15, 10, 2), dot(12, 15, 1.9))}},
		'☕': {{RGB(0xe6e9ef), of(block(3, 9, 17, 21, 4), bow(17, 14, 3.4, -90, 90, 1.9))}, {brown, oval(10, 11, 5.6, 1.5)}, {silver, of(bar(7, 2.4, 7, 5.8, 1.4), bar(10.4, 1.6, 10.4, 5.8, 1.4), bar(13.6, 2.4, 13.6, 5.8, 1.4))}},
		'🎂': {{RGB(0xf7e3c5), block(3, 11, 21, 22, 2)}, {tongue, of(block(3, 10, 21, 14, 2), dot(6, 14.4, 1.7), dot(12, 14.4, 1.7), dot(18, 14.4, 1.7))}, {sky, of(bar(7.4, 6, 7.4, 10, 1.6), bar(12, 6, 12, 10, 1.6), bar(16.6, 6, 16.6, 10, 1.6))}, {orange, of(drop(7.4, 3.8, 1.1), drop(12, 3.8, 1.1), drop(16.6, 3.8, 1.1))}},
		'🐱': {{RGB(0xf5b74a), of(dot(12, 13.6, 9.4), mirrored(shape(2.8, 11, 3.4, 1.6, 10, 5)))}, {jet, of(mirrored(oval(8, 12.4, 1.3, 1.9)), bow(10.4, 16.4, 1.7, 10, 170, 1.1), bow(13.6, 16.4, 1.7, 10, 170, 1.1), mirrored(bar(1.4, 15, 5.4, 15.6, .8)))}, {tongue, shape(10.8, 14.6, 13.2, 14.6, 12, 16.2)}},
		'🐶': {{RGB(0xd9a066), dot(12, 13, 9.4)}, {brown, mirrored(oval(4, 10.4, 3, 6.2))}, {RGB(0xf6e6d0), oval(12, 17, 5, 4.4)}, {jet, of(mirrored(oval(8.4, 11.4, 1.3, 1.8)), oval(12, 15, 1.9, 1.4), bar(12, 15, 12, 18, .9))}, {tongue, block(10.6, 17.6, 13.4, 21.4, 1.4)}},
		'💤': {{blue, of(bar(3, 13, 9.4, 13, 2), bar(9.4, 13, 3.4, 21, 2), bar(3.4, 21, 9.8, 21, 2), bar(13, 4, 20, 4, 2.2), bar(20, 4, 13.4, 12.6, 2.2), bar(13.4, 12.6, 20.4, 12.6, 2.2))}},
		'💥': {{orange, shape(12, .6, 14.4, 7, 20.6, 2.6, 18, 9.4, 23.4, 12, 18, 14.6, 20.6, 21.4, 14.4, 17, 12, 23.4, 9.6, 17, 3.4, 21.4, 6, 14.6, .6, 12, 6, 9.4, 3.4, 2.6, 9.6, 7)}, {yellow, dot(12, 12, 4)}},
		'🚀': {{silver, of(oval(12, 10, 4.6, 9.4), block(8.4, 9, 15.6, 17, 1))}, {red, mirrored(shape(8, 11, 3.6, 18.4, 8.4, 17))}, {sky, dot(12, 8.4, 2)}, {orange, shape(9, 17.4, 15, 17.4, 12, 23.4)}},
	}
}
