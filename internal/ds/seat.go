package ds

import "strconv"

// A Seat is a player's place in a game, 0 to [MaxSeats]-1. The console of a seat runs on
// every machine.
type Seat int

// Seats is for ranging over all seats: for seat := range ds.Seats.
const Seats Seat = MaxSeats

// String is the seat as players count it: from 1.
func (s Seat) String() string { return strconv.Itoa(int(s) + 1) }
