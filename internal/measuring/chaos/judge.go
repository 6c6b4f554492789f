package chaos

// Judge says what of an outcome the program has not promised, a sentence for each;
// none when all is well.
func Judge(p Plan, o Outcome) []string {
	j := judge{facts: factsOf(&p, &o), o: &o}
	if o.Trouble != "" {
		return []string{"the suite itself failed: " + o.Trouble}
	}
	for _, h := range o.Hung {
		j.say("%s", h)
	}
	for _, l := range o.Leftover {
		j.say("%s is left", l)
	}
	for m := range o.Machines {
		l := &o.Machines[m]
		j.words(Name(m), l)
		j.leftovers(Name(m), l, j.killed(m))
		if j.was(m) {
			j.ending(m)
		} else if !l.Absent {
			j.outside(m)
		}
	}
	j.alike()
	j.spectators()
	for m := range o.Machines {
		j.saves(m)
	}
	j.trades()
	j.together()
	return j.found
}
