package cluster

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// Open sends one request, and returns the response, whose body the test reads and closes. The body of the request may
// be nil, []byte, string, or anything else that encodes to JSON. A header is a "Name: value" string. A transport error
// fails the test; a status code does not.
func Open(t testing.TB, client *http.Client, method, url string, body any, headers ...string) *http.Response {
	t.Helper()
	req, err := lab.NewRequest(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	return resp
}

// Do is [Open] for a response whose body is read.
func Do(t testing.TB, client *http.Client, method, url string, body any, headers ...string) (*http.Response, []byte) {
	t.Helper()
	resp := Open(t, client, method, url, body, headers...)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: reading the body: %v", method, url, err)
	}
	return resp, b
}

// Open is [Open] to a path of the cluster.
func (c *Cluster) Open(method, path string, body any, headers ...string) *http.Response {
	c.t.Helper()
	return Open(c.t, c.HTTPClient(), method, c.Server.String()+path, body, headers...)
}

// Do is [Do] to a path of the cluster.
func (c *Cluster) Do(method, path string, body any, headers ...string) (*http.Response, []byte) {
	c.t.Helper()
	return Do(c.t, c.HTTPClient(), method, c.Server.String()+path, body, headers...)
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
