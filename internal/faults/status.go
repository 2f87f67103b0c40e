package faults

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
)

// answer is the API server's way to say that a request failed.
type answer struct {
	Kind       string         `json:"kind"`
	APIVersion string         `json:"apiVersion"`
	Metadata   struct{}       `json:"metadata"`
	Status     string         `json:"status"`
	Message    string         `json:"message"`
	Reason     string         `json:"reason"`
	Details    map[string]any `json:"details,omitempty"`
	Code       int            `json:"code"`
}

// answerFor makes the Status object of a fault.
func answerFor(f Fault, resourceVersion string) answer {
	a := answer{Kind: "Status", APIVersion: "v1", Status: "Failure"}
	switch f.Kind {
	case Gone, Expired:
		a.Code, a.Reason = http.StatusGone, "Expired"
		a.Message = fmt.Sprintf("too old resource version: %s (injected fault)", resourceVersion)
	case TooMany:
		a.Code, a.Reason = http.StatusTooManyRequests, "TooManyRequests"
		a.Message = "too many requests (injected fault)"
		a.Details = map[string]any{"retryAfterSeconds": max(1, int(math.Ceil(f.After.Seconds())))}
	case Unavailable:
		a.Code, a.Reason = http.StatusServiceUnavailable, "ServiceUnavailable"
		a.Message = "the server is currently unable to handle the request (injected fault)"
	default:
		a.Code, a.Reason, a.Message = http.StatusInternalServerError, "InternalError", "internal error (injected fault)"
	}
	return a
}

// write sends the Status as the response.
func (a answer) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	if after, ok := a.Details["retryAfterSeconds"].(int); ok {
		w.Header().Set("Retry-After", strconv.Itoa(after))
	}
	w.WriteHeader(a.Code)
	json.NewEncoder(w).Encode(a)
}

// event is the Status as the ERROR event of a watch, with its newline.
func (a answer) event() []byte {
	line, err := json.Marshal(map[string]any{"type": "ERROR", "object": a})
	if err != nil {
		panic(err) // strings and numbers only
	}
	return append(line, '\n')
}
