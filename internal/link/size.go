package link

// The sizes of datagrams, in bytes of UDP payload. All that sends datagrams between machines takes its own
// limits from these; package paths finds out what lies between them.
const (
	// PathBase is what a path is taken to carry until more is known of it: with the headers of UDP and IPv6
	// it stays below 1,280 bytes, which VPNs and mobile networks carry as well (RFC 8899 calls it BASE_PLPMTU).
	PathBase = 1200
	// PathLeast is what the worst path carries. There a large datagram goes in two pieces.
	PathLeast = 740

	// wrapping is the most that stands around an ENet datagram: sealing (32), once more where another
	// machine carries it, with that one's name (44), and a relay's header (14).
	wrapping = 32 + 44 + 14

	// PathPayload is what is left of PathBase for an ENet datagram, by whichever way it goes.
	PathPayload = PathBase - wrapping
)
