package room

import (
	"math/bits"

	"github.com/nettplay/nettplay/internal/ds"
)

// MachineSet is a set of machines.
type MachineSet uint16

// Has reports whether a machine is one of them.
func (v MachineSet) Has(machine int) bool {
	return machine >= 0 && machine < ds.MaxMachines && v&(1<<machine) != 0
}

// With returns the set with a machine.
func (v MachineSet) With(machine int) MachineSet { return v | 1<<machine }

// Without returns the set without a machine.
func (v MachineSet) Without(machine int) MachineSet { return v &^ (1 << machine) }

// Count is the number of machines in the set.
func (v MachineSet) Count() int { return bits.OnesCount16(uint16(v)) }
