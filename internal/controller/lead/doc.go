// Package lead sees to it that one controller writes at a time.
//
// Who leads holds a Lease and renews it. A leader that is paused, or cut off, and
// goes on cannot know at once that another one leads by now: it would finish what it
// had begun. So the Term remembers when the Lease was last renewed for certain, and
// a request that changes something is sent only while nobody else can have taken
// over. What is sent then and arrives late is the API server's to refuse: counts,
// statuses and histories are written with the version that they were read at.
package lead
