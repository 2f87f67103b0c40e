package scenario

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"syscall"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// NoStreaming is what an API server answers to a streaming list that has it switched off, or does not know it.
var NoStreaming = Answer{"status 422: streaming lists are switched off", status(metav1.Status{
	Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid,
	Message: "sendInitialEvents: Forbidden: " +
		"sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled",
})}

// NotReady is what an API server answers whose watch cache is still being filled.
var NotReady = Answer{"status 429, Retry-After: 1: the watch cache is not ready", status(metav1.Status{
	Code: http.StatusTooManyRequests, Reason: metav1.StatusReasonTooManyRequests,
	Message: "storage is (re)initializing", Details: &metav1.StatusDetails{RetryAfterSeconds: 1},
})}

// Refused is a machine on which nobody listens.
var Refused = Answer{"connection refused", func(*http.Request, http.RoundTripper) (*http.Response, error) {
	return nil, syscall.ECONNREFUSED
}}

// ClosedAtOnce is a watch that ends in good order before its first event.
var ClosedAtOnce = Answer{"status 200, and the end in good order before any event",
	func(*http.Request, http.RoundTripper) (*http.Response, error) { return answer(http.StatusOK, nil), nil }}

// NoEnd is a server that knows watches and not streaming lists: it never says that the initial events are over.
var NoEnd = Answer{"no bookmark ends the initial events",
	func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
		got, err := next.RoundTrip(r)
		if err == nil {
			got.Body = &withoutEnd{ReadCloser: got.Body, lines: bufio.NewReader(got.Body)}
		}
		return got, err
	}}

// status answers with a Status.
func status(s metav1.Status) func(*http.Request, http.RoundTripper) (*http.Response, error) {
	s.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	s.Status = metav1.StatusFailure
	return func(*http.Request, http.RoundTripper) (*http.Response, error) {
		body, err := json.Marshal(s)
		if err != nil {
			return nil, err
		}
		got := answer(int(s.Code), body)
		if s.Details != nil && s.Details.RetryAfterSeconds > 0 {
			got.Header.Set("Retry-After", strconv.Itoa(int(s.Details.RetryAfterSeconds)))
		}
		return got, nil
	}
}

func answer(code int, body []byte) *http.Response {
	return &http.Response{StatusCode: code, Status: http.StatusText(code), ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(body))}
}

// withoutEnd leaves out the bookmark that ends the initial events.
type withoutEnd struct {
	io.ReadCloser
	lines *bufio.Reader
	rest  []byte
}

func (b *withoutEnd) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		line, err := b.lines.ReadBytes('\n')
		if err != nil {
			return 0, err
		}
		if !bytes.Contains(line, []byte(metav1.InitialEventsAnnotationKey)) {
			b.rest = line
		}
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}
