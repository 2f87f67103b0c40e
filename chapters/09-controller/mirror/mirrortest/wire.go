package mirrortest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The two collections that a controller watches, as the last part of their paths.
const (
	configMaps = "configmaps"
	namespaces = "namespaces"
)

// wire is the controller's transport.
type wire struct {
	next  http.RoundTripper
	gates map[string]*gate // by collection: of what its watches and lists say

	lock    sync.Mutex // guards what is below
	writes  []string   // as in "PUT b/menu: 200"
	streams map[string][]*stream
	expired map[string]bool                // by collection: its next watch from a version is refused
	answer  func(*http.Request) (code int) // to a write, in place of the server; 0 lets it pass
}

func newWire(next http.RoundTripper) *wire {
	return &wire{next: next, gates: map[string]*gate{configMaps: newGate(), namespaces: newGate()},
		streams: map[string][]*stream{}, expired: map[string]bool{}}
}

// RoundTrip implements http.RoundTripper.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet {
		return w.write(r)
	}
	collection := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	gate, ok := w.gates[collection]
	if !ok {
		return w.next.RoundTrip(r) // of one object, or discovery
	}
	select {
	case <-gate.passage():
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	query := r.URL.Query()
	if query.Get("watch") == "" {
		return w.next.RoundTrip(r)
	}
	if query.Get("sendInitialEvents") != "true" && w.takeExpired(collection) {
		return refusal(r, http.StatusGone, metav1.StatusReasonExpired), nil
	}
	response, err := w.next.RoundTrip(r)
	if err == nil {
		s := &stream{ReadCloser: response.Body, gate: gate, cut: make(chan struct{})}
		response.Body = s
		w.lock.Lock()
		w.streams[collection] = append(w.streams[collection], s)
		w.lock.Unlock()
	}
	return response, err
}

func (w *wire) takeExpired(collection string) bool {
	w.lock.Lock()
	defer w.lock.Unlock()
	was := w.expired[collection]
	w.expired[collection] = false
	return was
}

// write passes a write on, unless it is to be answered here.
func (w *wire) write(r *http.Request) (response *http.Response, err error) {
	w.lock.Lock()
	answer := w.answer
	w.lock.Unlock()
	if code := answered(answer, r); code != 0 {
		response = refusal(r, code, metav1.StatusReasonInternalError)
	} else if response, err = w.next.RoundTrip(r); err != nil {
		return nil, err
	}
	path := strings.TrimPrefix(r.URL.Path, "/api/v1/namespaces/")
	w.lock.Lock()
	defer w.lock.Unlock()
	w.writes = append(w.writes, fmt.Sprintf("%s %s: %d", r.Method, strings.Replace(path, "/configmaps", "", 1),
		response.StatusCode))
	return response, nil
}

func answered(answer func(*http.Request) int, r *http.Request) int {
	if answer == nil {
		return 0
	}
	return answer(r)
}

func refusal(r *http.Request, code int, reason metav1.StatusReason) *http.Response {
	status := metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure,
		Reason: reason, Code: int32(code), Message: "the test answers so"}
	text, _ := json.Marshal(status)
	return &http.Response{StatusCode: code, Status: http.StatusText(code), Request: r,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(text))}
}

// refuse has all writes answered by a function from now on, where that does not return 0. nil ends it.
func (w *wire) refuse(answer func(*http.Request) int) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.answer = answer
}

// cut breaks the watches of a collection that are open.
func (w *wire) cut(collection string) {
	w.lock.Lock()
	streams := w.streams[collection]
	w.streams[collection] = nil
	w.lock.Unlock()
	for _, s := range streams {
		_ = s.Close()
	}
}

// expire breaks the watches of a collection, and has the next one refused, so that the collection is listed again.
func (w *wire) expire(collection string) {
	w.lock.Lock()
	w.expired[collection] = true
	w.lock.Unlock()
	w.cut(collection)
}

// wrote are the writes so far.
func (w *wire) wrote() []string {
	w.lock.Lock()
	defer w.lock.Unlock()
	return slices.Clone(w.writes)
}
