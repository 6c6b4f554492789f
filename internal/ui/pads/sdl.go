package pads

// #cgo pkg-config: sdl2
// #include <SDL.h>
import "C"

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"github.com/veandco/go-sdl2/sdl"
)

// Controllers opens game controllers as they come and go, and tells a Mapper what
// is pressed on them. Main thread only, all of it.
type Controllers struct {
	mapper  *Mapper
	open    map[ID]*sdl.GameController
	strange map[ID]*sdl.Joystick // those that SDL knows no buttons of
	lesson  *lesson              // nil: none
	own     map[string]string    // mappings made here, by the GUID of the model
	learned []string             // mappings that are to be kept
	said    string               // why the last lesson came to nothing
	wrong   error                // of the files of mappings
	closed  bool
}

// hintLabels of SDL, set to 0, has it call the buttons of Nintendo's controllers by place, as all others': otherwise
// "a" would be the right one there.
const hintLabels = "SDL_GAMECONTROLLER_USE_BUTTON_LABELS"

// hintMappings names the variable by which Steam, or the player, has mappings for all games. SDL puts none of ours in the place of
// one of those, and says that it has (findings/sdl-mapping-of-the-environment-stays.sh): it is shown an empty one, and gets the
// mappings from us, before those that were made here.
const hintMappings = "SDL_GAMECONTROLLERCONFIG"

func addOfEnvironment() {
	for line := range strings.Lines(os.Getenv(hintMappings)) {
		if line = strings.TrimSpace(line); line != "" {
			sdl.GameControllerAddMapping(line)
		}
	}
}

// start starts SDL's controllers.
func start() error {
	sdl.SetHint(hintLabels, "0")
	sdl.SetHintWithPriority(hintMappings, "", sdl.HINT_OVERRIDE)
	if err := sdl.InitSubSystem(sdl.INIT_GAMECONTROLLER); err != nil {
		return fmt.Errorf("start game controllers: %w", err)
	}
	return nil
}

// OpenControllers starts SDL's controllers. Those that are there already are opened, and those that the mapper
// knows of earlier days first. folder is that of the settings, for mappings; "" for none.
// Without it, or after an error, one plays by keyboard. Controllers are heard also
// while the window has no keyboard only if SDL's hint for it is set, which is left alone.
func OpenControllers(m *Mapper, folder string) (*Controllers, error) {
	if err := start(); err != nil {
		return nil, err
	}
	c := &Controllers{mapper: m, open: map[ID]*sdl.GameController{}, strange: map[ID]*sdl.Joystick{}, own: map[string]string{}}
	c.addOfFile(folder, DatabaseFile)
	addOfEnvironment()
	for _, line := range c.addOfFile(folder, OwnFile) {
		c.own[strings.ToLower(line[:32])] = line
	}
	c.addAll()
	return c, nil
}

func (c *Controllers) addOfFile(folder, name string) (lines []string) {
	if folder == "" {
		return nil
	}
	lines, err := readMappings(filepath.Join(folder, name), sdl.GetPlatform())
	c.wrong = errors.Join(c.wrong, err)
	for _, line := range lines {
		sdl.GameControllerAddMapping(line)
	}
	return lines
}

// Wrong says what in the files of mappings is none; nil for nothing.
func (c *Controllers) Wrong() error {
	if c == nil {
		return nil
	}
	return c.wrong
}

// Look returns the names of the controllers that are plugged in. Main thread only.
func Look() (names []string, err error) {
	if err := start(); err != nil {
		return nil, err
	}
	defer sdl.QuitSubSystem(sdl.INIT_GAMECONTROLLER)
	addOfEnvironment()
	for i := range sdl.NumJoysticks() {
		if sdl.IsGameController(i) {
			names = append(names, sdl.GameControllerNameForIndex(i))
		}
	}
	return names, nil
}

// Event takes an event of SDL's, of any kind: pass it all there are, such as by
// window.Window.OnEvent.
func (c *Controllers) Event(e sdl.Event) {
	if c == nil || c.closed {
		return
	}
	switch e := e.(type) {
	case *sdl.ControllerDeviceEvent:
		switch e.Type {
		case sdl.CONTROLLERDEVICEADDED:
			c.add(int(e.Which))
		case sdl.CONTROLLERDEVICEREMOVED:
			c.remove(ID(e.Which))
		}
	case *sdl.ControllerButtonEvent:
		name := sdl.GameControllerGetStringForButton(sdl.GameControllerButton(e.Button))
		if !c.learns(ID(e.Which)) {
			c.mapper.Button(ID(e.Which), name, e.State == sdl.PRESSED)
		}
	case *sdl.ControllerAxisEvent:
		name := sdl.GameControllerGetStringForAxis(sdl.GameControllerAxis(e.Axis))
		if !c.learns(ID(e.Which)) {
			c.mapper.Axis(ID(e.Which), name, e.Value)
		}
	default:
		c.raw(e)
	}
}

// raw takes an event that only joysticks have: a controller is one, too.
func (c *Controllers) raw(e sdl.Event) {
	switch e := e.(type) {
	case *sdl.JoyDeviceAddedEvent:
		c.add(int(e.Which))
	case *sdl.JoyDeviceRemovedEvent:
		c.removeStrange(ID(e.Which))
	case *sdl.JoyButtonEvent:
		if c.learns(ID(e.Which)) {
			c.lesson.button(int(e.Button), e.State == sdl.PRESSED)
			c.learn()
		}
	case *sdl.JoyHatEvent:
		if c.learns(ID(e.Which)) {
			c.lesson.hat(int(e.Hat), e.Value)
			c.learn()
		}
	case *sdl.JoyAxisEvent:
		if c.learns(ID(e.Which)) {
			c.lesson.move(int(e.Axis), e.Value)
			c.learn()
		}
	}
}

// addAll opens all controllers that are not open yet: those that were here before first, for the others have the
// numbers that those leave.
func (c *Controllers) addAll() {
	var known, others []int
	for i := range sdl.NumJoysticks() {
		at := &others
		if j := sdl.JoystickOpen(i); j != nil {
			if sdl.IsGameController(i) && c.mapper.Knows(hardware(j, sdl.GameControllerNameForIndex(i))) {
				at = &known
			}
			j.Close()
		}
		*at = append(*at, i)
	}
	for _, i := range append(known, others...) {
		c.add(i)
	}
}

// add opens controller i, as they are numbered now.
func (c *Controllers) add(i int) {
	if !sdl.IsGameController(i) {
		c.addStrange(i)
		return
	}
	if line := c.own[guidText(sdl.JoystickGetDeviceGUID(i))]; line != "" && c.open[ID(C.SDL_JoystickGetDeviceInstanceID(C.int(i)))] == nil {
		sdl.GameControllerAddMapping(line) // SDL has the last one for all models of that number (findings/sdl-mapping-goes-to-the-namesakes.sh)
	}
	pad := sdl.GameControllerOpen(i)
	if pad == nil {
		return // unplugged again
	}
	id := ID(pad.Joystick().InstanceID())
	if c.open[id] != nil {
		pad.Close() // SDL counts how often it was opened
		return
	}
	c.removeStrange(id)
	c.open[id] = pad
	about := hardware(pad.Joystick(), pad.Name())
	about.Kind = KindOf(kindOf(pad), pad.Vendor(), about.Name)
	c.mapper.Connect(id, about)
}

// What has fewer buttons than this, or nothing to steer with, is something else: sensors and keyboards call themselves
// joysticks, too.
const leastButtons = 4

// addStrange opens a joystick that SDL knows no buttons of.
func (c *Controllers) addStrange(i int) {
	j := sdl.JoystickOpen(i)
	if j == nil {
		return
	}
	id := ID(j.InstanceID())
	steers := j.NumAxes() >= 2 || j.NumHats() >= 1 || j.NumButtons() >= leastButtons+4
	if c.strange[id] != nil || j.NumButtons() < leastButtons || !steers {
		j.Close()
		return
	}
	c.strange[id] = j
}

// hardware returns what a controller tells of itself.
func hardware(j *sdl.Joystick, name string) Hardware {
	joystick := (*C.SDL_Joystick)(unsafe.Pointer(j))
	serial, port := origin(sysfs, C.GoString(C.SDL_JoystickPath(joystick)))
	if own := C.GoString(C.SDL_JoystickGetSerial(joystick)); own != "" {
		serial = own
	}
	return Hardware{Name: name, Serial: serial, Port: port}
}

// guidText is the GUID of a controller's model as mappings have it. The binding's own function gives the first 22 digits only.
func guidText(guid sdl.JoystickGUID) string {
	var text [33]C.char
	C.SDL_JoystickGetGUIDString(*(*C.SDL_JoystickGUID)(unsafe.Pointer(&guid)), &text[0], C.int(len(text)))
	return C.GoString(&text[0])
}

// kindOf returns what SDL takes a controller for.
func kindOf(pad *sdl.GameController) Kind {
	switch C.SDL_GameControllerGetType((*C.SDL_GameController)(unsafe.Pointer(pad))) {
	case C.SDL_CONTROLLER_TYPE_XBOXONE:
		return Xbox
	case C.SDL_CONTROLLER_TYPE_PS3:
		return PlayStation3
	case C.SDL_CONTROLLER_TYPE_PS4:
		return PlayStation4
	case C.SDL_CONTROLLER_TYPE_PS5:
		return PlayStation5
	case C.SDL_CONTROLLER_TYPE_NINTENDO_SWITCH_PRO, C.SDL_CONTROLLER_TYPE_NINTENDO_SWITCH_JOYCON_PAIR:
		return Nintendo
	case C.SDL_CONTROLLER_TYPE_NINTENDO_SWITCH_JOYCON_LEFT, C.SDL_CONTROLLER_TYPE_NINTENDO_SWITCH_JOYCON_RIGHT:
		return JoyCon
	}
	return Plain
}

func (c *Controllers) remove(id ID) {
	pad := c.open[id]
	if pad == nil {
		return
	}
	delete(c.open, id)
	pad.Close()
	c.mapper.Disconnect(id)
	c.unplugged(id)
}

func (c *Controllers) removeStrange(id ID) {
	if j := c.strange[id]; j != nil {
		delete(c.strange, id)
		j.Close()
		c.unplugged(id)
	}
}

// unplugged ends the lesson of a controller that is gone.
func (c *Controllers) unplugged(id ID) {
	if c.learns(id) {
		c.lesson = nil
	}
}

// A Strange is a controller that SDL knows no buttons of. It does nothing until somebody has taught them.
type Strange struct {
	ID   ID
	Name string // as it calls itself; not to be trusted
}

// Strange returns the controllers that nobody knows the buttons of, by ID.
func (c *Controllers) Strange() (list []Strange) {
	if c == nil {
		return nil
	}
	for id, j := range c.strange {
		list = append(list, Strange{id, j.Name()})
	}
	slices.SortFunc(list, func(a, b Strange) int { return int(a.ID - b.ID) })
	return list
}

// Teach begins a lesson in which the buttons of a controller are pressed in turn; another one ends. It does nothing else
// meanwhile.
func (c *Controllers) Teach(id ID) {
	if c == nil || c.closed {
		return
	}
	j, name := c.strange[id], ""
	if pad := c.open[id]; pad != nil {
		j, name = pad.Joystick(), pad.Name()
	}
	if j == nil {
		return
	}
	if name == "" {
		name = j.Name()
	}
	var axes []int16
	for i := range j.NumAxes() {
		axes = append(axes, j.Axis(i))
	}
	about := Hardware{Name: name}
	c.lesson, c.said = newLesson(id, about, guidText(j.GUID()), axes, j.NumButtons(), j.NumHats()), ""
	c.mapper.Release()
}

// learns reports whether the buttons of a controller are being taught.
func (c *Controllers) learns(id ID) bool { return c.lesson != nil && c.lesson.id == id }

// Lesson returns what the player is to press, nil while no lesson goes on.
func (c *Controllers) Lesson() *Lesson {
	if c == nil || c.lesson == nil {
		return nil
	}
	return c.lesson.view()
}

// Skip goes on with the next button of the lesson: the controller does not have this one.
func (c *Controllers) Skip() {
	if c != nil && c.lesson != nil {
		c.lesson.skip()
		c.learn()
	}
}

// Again has the last button of the lesson pressed once more.
func (c *Controllers) Again() {
	if c != nil && c.lesson != nil {
		c.lesson.back()
	}
}

// EndLesson ends the lesson. Nothing comes of it.
func (c *Controllers) EndLesson() {
	if c != nil {
		c.lesson = nil
	}
}

// learn takes over what came out of the lesson once it is over.
func (c *Controllers) learn() {
	l := c.lesson
	if !l.over() {
		return
	}
	c.lesson = nil
	text, why := l.mapping(sdl.GetPlatform())
	if why == "" && sdl.GameControllerAddMapping(text) < 0 {
		why = "SDL rejects these buttons: " + sdl.GetError().Error()
	}
	if c.said = why; why != "" {
		return
	}
	c.learned, c.own[l.model] = append(c.learned, text), text
	if pad := c.open[l.id]; pad != nil { // its name may have changed, and its sticks are to be told again
		c.remove(l.id)
	}
	c.addAll() // SDL tells nothing of one that it has a mapping of from now on
}

// Learned returns the mappings that came out of lessons and are to be kept, and why the last lesson came to nothing,
// or "". It forgets both.
func (c *Controllers) Learned() (mappings []string, why string) {
	if c == nil {
		return nil, ""
	}
	mappings, why = c.learned, c.said
	c.learned, c.said = nil, ""
	return mappings, why
}

// Close closes all controllers. It can be called again.
func (c *Controllers) Close() {
	if c == nil || c.closed {
		return
	}
	for id := range c.open {
		c.remove(id)
	}
	for id := range c.strange {
		c.removeStrange(id)
	}
	c.closed = true
	sdl.QuitSubSystem(sdl.INIT_GAMECONTROLLER)
}
