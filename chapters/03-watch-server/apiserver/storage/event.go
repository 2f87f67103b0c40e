package storage

// EventType is the type of an event on the wire.
type EventType string

// The types of event that a watch stream carries, but for ERROR, which is the HTTP side's.
const (
	Added    EventType = "ADDED"
	Modified EventType = "MODIFIED"
	Deleted  EventType = "DELETED"
	Bookmark EventType = "BOOKMARK"
)

// Event is one line of a watch, before it is written.
type Event struct {
	Type     EventType
	Object   *Object // nil in a bookmark
	Revision uint64
}

// eventFor is what a change looks like to one query. An object that begins to match is ADDED, however
// old it is; one that matches no more is DELETED, although it lives on. A DELETED carries the last
// state that matched, under the revision of the write that ended it: a client that resumes from
// there does not see the same event again.
func (c *change) eventFor(q Query) (Event, bool) {
	matched, matches := q.Matches(c.before), q.Matches(c.after)
	switch {
	case matched && matches:
		return Event{Type: Modified, Object: c.after, Revision: c.revision}, true
	case matches:
		return Event{Type: Added, Object: c.after, Revision: c.revision}, true
	case matched:
		if c.gone == nil {
			c.gone = c.before.withRevision(c.revision)
		}
		return Event{Type: Deleted, Object: c.gone, Revision: c.revision}, true
	}
	return Event{}, false
}
