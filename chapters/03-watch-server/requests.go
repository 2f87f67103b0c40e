package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// request sends JSON and returns the code and the raw answer.
func (s *server) request(ctx context.Context, method, url, body string) (int, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	if method == "DELETE" {
		r.Body, r.ContentLength = http.NoBody, 0
	}
	response, err := s.http.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}

// send is a request that has to succeed.
func (s *server) send(ctx context.Context, method, url, body string) error {
	code, answer, err := s.request(ctx, method, url, body)
	if err == nil && code >= 300 {
		err = fmt.Errorf("%s %s on %s: %d: %s", method, url, s.name, code, answer)
	}
	return err
}

// versionOf reads metadata.resourceVersion, and the message if it is a Status.
func versionOf(answer []byte) (version, message string) {
	var o struct {
		Metadata struct{ ResourceVersion string }
		Message  string
	}
	_ = json.Unmarshal(answer, &o)
	return o.Metadata.ResourceVersion, o.Message
}

// event is a line of a watch, as far as the demo shows it.
type event struct {
	Type   string
	Object struct {
		Code            int
		Reason, Message string
		Metadata        struct{ Name, ResourceVersion string }
	}
}

func parse(line []byte) (e event, err error) {
	err = json.Unmarshal(line, &e)
	return e, err
}
