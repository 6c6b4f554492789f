package window

// #include <locale.h>
// #include <stdlib.h>
import "C"

import "unsafe"

// useUTF8 has this process' C library take texts as UTF-8. A program begins in the "C" locale,
// in which SDL gives an X11 window no title with other letters than those of ASCII. Consoles
// never see this: they are processes of their own.
func useUTF8() {
	for _, name := range []string{"C.UTF-8", ""} { // or the user's own
		locale := C.CString(name)
		found := C.setlocale(C.LC_CTYPE, locale) != nil
		C.free(unsafe.Pointer(locale))
		if found {
			return
		}
	}
}
