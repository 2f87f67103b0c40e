package cluster

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Do sends one request and returns the response, its body read. The body may be nil, []byte, string, or anything else that
// encodes to JSON. A header is a "Name: value" string. A transport error fails the test; a status code does not.
func (c *Cluster) Do(method, path string, body any, headers ...string) (*http.Response, []byte) {
	c.t.Helper()
	resp := c.Open(method, path, body, headers...)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatalf("%s %s: reading the body: %v", method, path, err)
	}
	return resp, b
}

// Open is [Cluster.Do] for a response whose body the test reads itself, and closes.
func (c *Cluster) Open(method, path string, body any, headers ...string) *http.Response {
	c.t.Helper()
	var in io.Reader
	switch b := body.(type) {
	case nil:
	case []byte:
		in = bytes.NewReader(b)
	case string:
		in = strings.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			c.t.Fatalf("%s %s: encoding the body: %v", method, path, err)
		}
		in = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.Server.String()+path, in)
	if err != nil {
		c.t.Fatal(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := c.HTTPClient().Do(req)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	return resp
}

// Must is [Cluster.Do] for a request that has to succeed. It decodes the answer into out unless that is nil.
func (c *Cluster) Must(method, path string, body, out any, headers ...string) {
	c.t.Helper()
	resp, raw := c.Do(method, path, body, headers...)
	if resp.StatusCode >= 300 {
		c.t.Fatalf("%s %s: %s: %s", method, path, resp.Status, raw)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(raw, out); err != nil {
		c.t.Fatalf("%s %s: %v in %s", method, path, err, raw)
	}
}

// For returns the cluster as another test, or a subtest, uses it: failures are reported to t.
func (c *Cluster) For(t testing.TB) *Cluster { return &Cluster{Cluster: c.Cluster, t: t} }
