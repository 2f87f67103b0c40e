package scripted

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// The kinds of requests.
const (
	listing   = "LIST"
	watching  = "WATCH"
	streaming = "STREAM"
)

func kindOf(q url.Values) string {
	switch {
	case q.Get("sendInitialEvents") == "true":
		return streaming
	case q.Get("watch") == "true":
		return watching
	}
	return listing
}

// asked is a request as the log has it. The timeout is left out: it is drawn at random.
func asked(q url.Values) string {
	text := kindOf(q)
	keys := []string{"resourceVersion", "resourceVersionMatch", "limit", "continue", "allowWatchBookmarks"}
	for _, key := range keys {
		if q.Has(key) {
			text += fmt.Sprintf(" %s=%s", key, q.Get(key))
		}
	}
	return text
}

// RoundTrip is where the client's requests come through.
func (w *World) RoundTrip(r *http.Request) (*http.Response, error) {
	q := r.URL.Query()
	kind := kindOf(q)
	w.Log.Add("%s", asked(q))
	if w.client.Asks != nil {
		w.client.Asks(kind)
	}
	if q.Has("timeoutSeconds") { // the script alone ends responses
		q.Set("timeoutSeconds", "3600000")
		r = r.Clone(r.Context())
		r.URL.RawQuery = q.Encode()
	}
	if next := w.due(); len(next) > 0 {
		gets, ok := inFront[next[0].Kind]
		switch {
		case ok && gets(kind):
			w.hold(faults.Record{Query: q}, next[0])
			return answer(next[0].Kind, r)
		case ok:
			// No request of this kind gets the answer. A watch that nothing ends would be the last of the run.
			w.leave([]faults.Fault{{Kind: faults.Close, Event: 2}})
		}
	}
	return w.proxy.Client().Transport.RoundTrip(r)
}

// due is what happens to the request that has just come.
func (w *World) due() []faults.Fault {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.requests++
	w.next = nil
	if w.requests <= len(w.options.Script) {
		w.next = w.options.Script[w.requests-1]
	}
	return w.next
}

// leave says what the proxy does to the request that is on its way to it.
func (w *World) leave(next []faults.Fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.next = next
}

// Faults is a faults.Script: the proxy does what RoundTrip has left for it.
func (w *World) Faults(_ int, verb faults.Verb) []faults.Fault {
	w.mu.Lock()
	defer w.mu.Unlock()
	return faults.Written(w.next).Faults(0, verb)
}
