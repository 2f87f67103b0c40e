package lab

import (
	"io"
	"net/http"
	"strings"
)

// Aloud returns a client that shows each request in the moment in which it is sent, and is c otherwise. The line is
// made from the request itself, so that nothing is shown that was not sent: verb, path and the whole query, the values
// of the named headers, and the body, if there is one.
func (n *Narrator) Aloud(c *http.Client, headers ...string) *http.Client {
	aloud := *c
	aloud.Transport = n.AloudTransport(c.Transport, headers...)
	return &aloud
}

// AloudTransport is [Narrator.Aloud] for what is given a transport and makes a client of its own.
func (n *Narrator) AloudTransport(t http.RoundTripper, headers ...string) http.RoundTripper {
	if t == nil {
		t = http.DefaultTransport
	}
	return &aloudTransport{next: t, narrator: n, headers: headers}
}

// AloudParts is [Narrator.Aloud] for bodies of which some fields matter, "metadata.resourceVersion" say: one that is
// too long for the page is shown with these and without the others.
func (n *Narrator) AloudParts(c *http.Client, fields ...string) *http.Client {
	aloud := *n.Aloud(c)
	aloud.Transport.(*aloudTransport).fields = fields
	return &aloud
}

// aloudTransport shows requests.
type aloudTransport struct {
	next     http.RoundTripper
	narrator *Narrator
	headers  []string
	fields   []string // of a body that is too long
}

// RoundTrip implements http.RoundTripper.
func (t *aloudTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	t.narrator.request(r, t.headers, t.fields)
	return t.next.RoundTrip(r)
}

// CloseIdleConnections lets http.Client.CloseIdleConnections reach the transport.
func (t *aloudTransport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// Request shows a request that is about to be sent, where [Narrator.Aloud] cannot be in between. What does not fit on
// the first line follows on others: the query broken at its parameters, each named header on a line of its own, and the
// body cut in its middle.
func (n *Narrator) Request(r *http.Request, headers ...string) { n.request(r, headers, nil) }

func (n *Narrator) request(r *http.Request, headers, fields []string) {
	lines := queryLines(r.Method + " " + n.shortened(r.URL.RequestURI()))
	last := len(lines) - 1
	if body := bodyOf(r); body != "" {
		switch {
		case len([]rune(lines[last]))+1+len([]rune(body)) <= Columns:
			lines[last] += " " + body
		case len([]rune(body)) <= Columns-2:
			lines = append(lines, body)
		default:
			lines = append(lines, partsOf(body, fields)...)
		}
	}
	for _, name := range headers {
		lines = append(lines, name+": "+r.Header.Get(name))
	}
	n.marked(">", dim, cut(lines[0]))
	for _, line := range lines[1:] {
		n.marked(" ", dim, cut("  "+line))
	}
}

// shortened replaces the part of a path that leads into the run's namespace with dots, but for the first time that it
// is shown. Any other namespace is always shown, or nobody could tell them apart.
func (n *Narrator) shortened(uri string) string {
	const in = "/namespaces/"
	before, after, ok := strings.Cut(uri, in)
	namespace, rest, inNamespace := strings.Cut(after, "/")
	if !ok || !inNamespace || strings.ContainsAny(namespace, "?&") {
		return uri
	}
	prefix := before + in + namespace
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.own != "" && namespace != n.own {
		return uri
	}
	if !n.known[prefix] {
		if n.known == nil {
			n.known = map[string]bool{}
		}
		n.known[prefix] = true
		return uri
	}
	return ".../" + rest
}

// queryLines breaks a request line before its query, or at the parameters of that, where it is longer than the page.
func queryLines(line string) (lines []string) {
	for len(line) > Columns {
		at := strings.LastIndexAny(line[:Columns], "?&")
		if at <= 0 {
			break
		}
		lines, line = append(lines, line[:at]), line[at:]
	}
	return append(lines, line)
}

// bodyOf reads a copy of a request's body; a body that can be read only once is left alone.
func bodyOf(r *http.Request) string {
	if r.GetBody == nil {
		return ""
	}
	body, err := r.GetBody()
	if err != nil {
		return ""
	}
	defer body.Close()
	text, _ := io.ReadAll(body) // what cannot be read here cannot be sent either, and the sending says so
	return strings.TrimSpace(string(text))
}
