package ds

// A Seat is a player's place in a game, 0 to [MaxSeats]-1. The console of a seat runs
// on every machine. Players count seats from 1.
type Seat = int

// Seats is for ranging over all seats: for seat := range ds.Seats.
const Seats Seat = MaxSeats
