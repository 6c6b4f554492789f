package start

// firewallWords is empty: firewalls of Linux ask nothing.
const firewallWords = ""
