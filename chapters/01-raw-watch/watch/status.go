package watch

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
)

// StatusError is the Status object with which the API server says that something failed. It comes as the body of a
// response with an error code, and as the object of an ERROR event inside a response that began with 200. Upstream:
// errors.StatusError.
type StatusError struct {
	Code    int    `json:"code"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
	Details struct {
		RetryAfterSeconds int `json:"retryAfterSeconds"`
	} `json:"details"`
}

// Error gives the code, the reason and the server's own words.
func (s *StatusError) Error() string {
	return fmt.Sprintf("the API server answered %d %s: %s", s.Code,
		cmp.Or(s.Reason, http.StatusText(s.Code)), s.Message)
}

// decodeStatus reads a Status. code is that of the response, for a body that is none: a proxy's error page, say.
func decodeStatus(body []byte, code int) *StatusError {
	s := &StatusError{Code: code}
	if err := json.Unmarshal(body, s); err != nil {
		s.Message = fmt.Sprintf("%.200q", body)
	}
	return s
}
