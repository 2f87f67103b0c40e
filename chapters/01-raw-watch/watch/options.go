package watch

import (
	"net/url"
	"strconv"
)

// Options are the query parameters of a list and of a watch. Zero values are left out, so that the server's defaults
// hold.
// Upstream: metav1.ListOptions.
type Options struct {
	// LabelSelector and FieldSelector narrow the collection.
	LabelSelector, FieldSelector string
	// ResourceVersion is where a watch starts: after that version. Without it, a watch starts with one ADDED event for
	// each object that is there.
	ResourceVersion string
	// ResourceVersionMatch says how ResourceVersion is meant: "NotOlderThan", and for a list also "Exact".
	ResourceVersionMatch string
	// SendInitialEvents makes a watch begin with the objects that are there ("true"), or without them ("false"). Both
	// need ResourceVersionMatch "NotOlderThan".
	SendInitialEvents string
	// AllowWatchBookmarks asks for BOOKMARK events.
	AllowWatchBookmarks bool
	// TimeoutSeconds is when the server ends a watch. Without it, the server chooses between 30 and 60 minutes.
	TimeoutSeconds int
	// Limit and Continue page a list.
	Limit    int
	Continue string
}

// query returns the parameters, encoded.
func (o Options) query(watch bool) string {
	q := url.Values{}
	set := func(name, value string) {
		if value != "" {
			q.Set(name, value)
		}
	}
	set("labelSelector", o.LabelSelector)
	set("fieldSelector", o.FieldSelector)
	set("resourceVersion", o.ResourceVersion)
	set("resourceVersionMatch", o.ResourceVersionMatch)
	set("sendInitialEvents", o.SendInitialEvents)
	set("continue", o.Continue)
	if watch {
		q.Set("watch", "true")
	}
	if o.AllowWatchBookmarks {
		q.Set("allowWatchBookmarks", "true")
	}
	if o.TimeoutSeconds != 0 {
		q.Set("timeoutSeconds", strconv.Itoa(o.TimeoutSeconds))
	}
	if o.Limit != 0 {
		q.Set("limit", strconv.Itoa(o.Limit))
	}
	return q.Encode()
}
