package start

// firewallWords are about the question that Windows asks when a program first waits for others.
const firewallWords = "When nettplay first looks for rooms or opens one, Windows asks whether it may be reached. Tick private and public networks, and press Allow. " +
	"If you cancel, friends reach you only through a relay. Windows asks once; later you find nettplay in its settings, under Allow an app through firewall."
