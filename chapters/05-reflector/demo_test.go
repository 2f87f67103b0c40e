package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

// The demo shows what the lesson says it shows.
func TestDemo(t *testing.T) {
	t.Parallel() // it waits
	out := demotest.Play(t, demo())
	demotest.Has(t, out,
		"~ Replace all with 2 objects, at", "~ Add hours at", "~ Delete prices at", "~ Bookmark at", // 1
		"requests meanwhile 0 0", "lunch in the store shop=closed shop=closed", // 3
		"lunch on the server shop=open shop=open", "lunch in the store, after the next change shop=open shop=open",
	)
	resumed := regexp.MustCompile(`~ Bookmark at (\d+) = watch: again > GET \S+&resourceVersion=(\d+) &timeoutSeconds=4&watch=true =`).
		FindStringSubmatch(squeezed(out))
	require.Len(t, resumed, 3, out)
	require.Equal(t, resumed[1], resumed[2], "the watch goes on from the bookmark")
	for failure, row := range rows {
		require.Regexp(t, regexp.QuoteMeta(failure)+" "+row, squeezed(out))
	}
	require.Len(t, rows, len(mishaps()))
}

// What each row of the table of step 2 says of ours, of client-go's, and of the store.
var rows = map[string]string{
	"an event comes late":         "no request - no request - events",
	"no more bookmarks":           "no request - no request - events",
	"no byte and no end":          "no request - no request - nothing",
	"closed in good order":        again("watch, last seen", atOnce, "events"),
	"cut inside an event":         again("watch, last seen", atOnce, "events"),
	"half an event, then closed":  again("watch, last seen", atOnce, "events"),
	"connection refused":          again("watch, last seen", later, "events"),
	"status 429, Retry-After: 3":  `watch, last seen 3\.\d s watch, last seen ` + later + " events",
	"closed before any event":     again("stream, last seen", later, "replaced"),
	"no answer, connection lost":  again("stream, last seen", later, "replaced"),
	"status 503":                  again("stream, last seen", later, "replaced"),
	"status 500":                  again("stream, last seen", later, "replaced"),
	"ERROR event 500":             again("stream, last seen", later, "replaced"),
	"status 410":                  again("stream, last seen", later, "replaced"),
	"ERROR event 410":             again("stream, last seen", later, "replaced"),
	"ERROR event 410, then 410":   again("stream, newest", atOnce, "replaced"),
	"streaming list cut half-way": again("stream, newest", atOnce, "replaced"),
	"streaming list: 429":         again("stream, newest", later, "replaced"),
	"streaming list: 422":         again(`list, "0"`, atOnce, "replaced"),
	"list after that: 503":        again("stream, newest", later, "replaced"),
}

// atOnce is less than the shortest delay of 0.8 s, on a machine with other things to do; later is that or more.
const (
	atOnce = `0\.[0-6] s`
	later  = `(?:0\.[89]|[1-9]\.\d) s`
)

// again is a row in which both do the same.
func again(next, after, told string) string {
	return next + " " + after + " " + next + " " + after + " " + told
}

func squeezed(out string) string { return strings.Join(strings.Fields(out), " ") }

func TestDemoAsksWhatWillHappen(t *testing.T) {
	t.Parallel() // it waits
	demotest.Questions(t, demo())
}

// Each failure shows what the lesson and the symptoms say of it.
func TestDemoFaults(t *testing.T) {
	for fault, shown := range map[string][]string{
		"stall": {"< FAULT stall: no byte from here on, and no end", "= No request followed. The store heard: nothing."},
		"short": {"< LOG Warning: watch ended with error < err: very short watch: shop: Unexpected watch close - watch " +
			"lasted less than a second"},
		"unavailable": {"< LOG Failed to watch < err: the server is currently unable to handle the request"},
		"error-event": {"< LOG Warning: watch ended with error"},
		"no-list":     {"< LOG Failed to watch < err: failed to list *v1.ConfigMap: the server is currently unable"},
		"close":       {"= watch: again > GET"},
		"stop":        {"stopped after ours 0.0 s client-go"},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel() // it waits
			out := demotest.Play(t, demo(), "-fault", fault)
			demotest.Has(t, out, shown...)
		})
	}
	require.NotContains(t, demotest.Play(t, demo(), "-fault", "expired"), "LOG", "a 410 is no news")
	demotest.Has(t, demotest.Refused(t, demo(), "-fault", "explode"), `there is no fault "explode"`)
}

// A streaming list without its last bookmark fills no store.
func TestDemoNoEnd(t *testing.T) {
	t.Parallel() // it waits
	demotest.Has(t, demotest.Play(t, demo(), "-fault", "no-end"), "requests 1 1", "calls of Replace 0 0",
		"hasn't received required bookmark event marking the end of initial events")
}

// The commands of -interactive do what the chapter is about.
func TestInteractive(t *testing.T) {
	demotest.Interactive(t, demo(), "~ Replace all with 0 objects",
		demotest.Typed{Command: "create cm fig"},
		demotest.Typed{Command: "label cm fig shop=open", Shows: []string{"~ Add fig"}},
		demotest.Typed{Command: "label cm fig shop-", Shows: []string{"~ Delete fig"}},
		demotest.Typed{Command: "delete cm fig"})
}
