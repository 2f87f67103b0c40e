package faultserver

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// collectionOf is the resource that a request lists or watches, "configmaps" or "deployments.apps"; ok is false for
// any other request.
func collectionOf(r *http.Request) (resource string, ok bool) {
	if r.Method != http.MethodGet {
		return "", false
	}
	path, old := faults.CollectionPath(r.URL.Path)
	parts := strings.Split(strings.TrimSuffix(strings.TrimPrefix(path, "/"), "/"), "/")
	group := ""
	switch {
	case len(parts) > 2 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) > 3 && parts[0] == "apis":
		group, parts = "."+parts[1], parts[3:]
	default:
		return "", false
	}
	if parts[0] == "namespaces" && len(parts) > 2 && parts[2] != "status" && parts[2] != "finalize" {
		parts = parts[2:]
	}
	resource = parts[0] + group
	return resource, resourceName.MatchString(resource) && // whatever else a path may have in it
		(len(parts) == 1 || len(parts) == 2 && old)
}

// inJSON has a request that may be answered in JSON accept nothing else. It says whether the answer is JSON.
func inJSON(h http.Header) bool {
	var kept []string
	for _, one := range strings.Split(strings.Join(h.Values("Accept"), ","), ",") {
		media, _, _ := strings.Cut(strings.TrimSpace(one), ";")
		if media == "" || media == "*/*" || media == "application/*" {
			kept = append(kept, "application/json")
		} else if media == "application/json" {
			kept = append(kept, strings.TrimSpace(one))
		}
	}
	if len(kept) == 0 {
		return false
	}
	h.Set("Accept", strings.Join(kept, ","))
	return true
}

// form is what a program wants the objects to be, "" for whole ones: "Table", or "PartialObjectMetadata". Two
// informers of one program may differ in nothing else.
func form(h http.Header) string {
	_, form, _ := strings.Cut(h.Get("Accept"), "as=")
	form, _, _ = strings.Cut(form, ",")
	form, _, _ = strings.Cut(form, ";")
	return strings.TrimSuffix(form, "List")
}

// asked is one list or watch that came through.
type asked struct {
	resource string
	n        int // counted for the resource
	at       time.Duration
	verb     faults.Verb
	path     string
	query    url.Values
	form     string
	struck   []struck

	agent     string // the user agent, as it is shown
	userAgent string // whole
	process   int    // 0 where it is not known

	socket    bool          // a watch over a WebSocket
	illegible bool          // the program accepts no JSON: nothing can happen at an event
	record    faults.Record // what came of it, once it has ended or the server is closed
	ended     bool
	over      time.Duration // when it ended
}

// struck is one fault that came to pass.
type struck struct {
	faults.Fault
	at     time.Duration
	before int // how many requests there had been, of all resources
	where  where
}

// isTrue says whether a parameter is true, as kube-apiserver reads it: each value but 0 and false is.
func isTrue(q url.Values, name string) bool {
	values := q[name]
	return len(values) > 0 && values[0] != "0" && !strings.EqualFold(values[0], "false")
}

// place is the fault as a script names it, in the request that it struck.
func (a *asked) place(f faults.Fault) string {
	f.Request = a.n
	return part{a.resource, f}.String()
}

// same says whether b asks for what a did: the same objects and selectors, from another version perhaps.
func (a *asked) same(b *asked) bool {
	collection := func(path string) string {
		path, _ = faults.CollectionPath(path)
		return strings.TrimSuffix(path, "/")
	}
	return a.resource == b.resource && collection(a.path) == collection(b.path) && a.form == b.form &&
		a.query.Get("labelSelector") == b.query.Get("labelSelector") &&
		a.query.Get("fieldSelector") == b.query.Get("fieldSelector")
}

// kinship is what is known of the senders of two requests.
type kinship int

const (
	strangers   kinship = iota // two programs, or two processes of one
	namesakes                  // one program, and nobody knows whether one process
	sameProcess                // one process, which may have more than one user agent
)

// sender compares who sent a with who sent b.
func (a *asked) sender(b *asked) kinship {
	switch {
	case a.process != 0 && b.process != 0 && a.process == b.process:
		return sameProcess
	case a.process != 0 && b.process != 0 || a.userAgent != b.userAgent:
		return strangers
	}
	return namesakes
}

// left out of a line are the parameters that say nothing about what comes back.
var leftOut = []string{"watch", "allowWatchBookmarks", "timeoutSeconds", "timeout", "resourceVersionMatch", "pretty"}

// shownQuery is a query with the parameters that matter, as they were sent.
func shownQuery(raw string, all bool) string {
	var kept []string
	for _, p := range strings.Split(raw, "&") {
		name, _, _ := strings.Cut(p, "=")
		if p != "" && (all || !slices.Contains(leftOut, name)) {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return printable("?" + strings.Join(kept, "&"))
}

// program is a user agent without version and platform.
func program(agent string) string {
	name, _, _ := strings.Cut(strings.TrimSpace(agent), " ")
	name, _, _ = strings.Cut(name, "/")
	return printable(name)
}

// printable makes what a program sent harmless on a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
}
