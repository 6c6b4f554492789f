/*
 * Sleeping between processes, on Windows: WaitOnAddress sees one process only, so each word that somebody
 * sleeps on has an event of its own. The word stays the truth; an event is a call to look again.
 */
#ifndef NETTPLAY_AIR_EVENTS_WINDOWS_H
#define NETTPLAY_AIR_EVENTS_WINDOWS_H

/* One for each seat's turn, for the lock and for the baton. */
#define NP_AIR_EVENTS 18

/* np_events_add tells this process the events of an air that it has mapped, which it gets by other ways
 * than through that memory: what stands there may be a lie. np_events_drop forgets them. */
int np_events_add(void *air, void *const events[NP_AIR_EVENTS]);
void np_events_drop(void *air);

#endif
