package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// NewRequest makes a request whose body, if it is not nil, is JSON: a string and a []byte as they are, anything else
// encoded. A PATCH is a merge patch (RFC 7396), as `kubectl label` and `kubectl annotate` send it.
func NewRequest(ctx context.Context, method, url string, body any) (*http.Request, error) {
	raw, err := encode(body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: encoding the body: %w", method, url, err)
	}
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", mediaType(method))
	}
	return req, nil
}

// SendJSON sends what [NewRequest] makes. It returns the status code and the body of the answer; a refusal by the
// server is no error.
func SendJSON(ctx context.Context, c *http.Client, method, url string, body any) (code int, raw []byte, err error) {
	req, err := NewRequest(ctx, method, url, body)
	if err != nil {
		return 0, nil, err
	}
	resp, err := c.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	raw, err = io.ReadAll(resp.Body)
	return resp.StatusCode, raw, err
}

// MustSendJSON is [SendJSON] for a request that has to succeed: a status code from 300 on is an error with the server's
// words.
func MustSendJSON(ctx context.Context, client *http.Client, method, url string, body any) (answer []byte, err error) {
	code, answer, err := SendJSON(ctx, client, method, url, body)
	if err != nil || code < http.StatusMultipleChoices {
		return answer, err
	}
	var status struct{ Message string }
	if json.Unmarshal(answer, &status) != nil || status.Message == "" {
		status.Message = string(answer) // not a Status: a proxy's words, or a line of priority and fairness
	}
	return answer, fmt.Errorf("%s %s: %d %s: %s", method, url, code, http.StatusText(code), status.Message)
}

// encode makes the bytes of a body.
func encode(body any) ([]byte, error) {
	switch b := body.(type) {
	case nil:
		return nil, nil
	case string:
		return []byte(b), nil
	case []byte:
		return b, nil
	}
	return json.Marshal(body)
}

func mediaType(method string) string {
	if method == http.MethodPatch {
		return "application/merge-patch+json"
	}
	return "application/json"
}
