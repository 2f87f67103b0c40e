package scenario

import (
	"net/http"
	"net/url"
)

// wire is the reflector's transport: it notes each request, and answers those that do not reach the proxy.
type wire struct {
	session *Session
	next    http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	instead, has := w.session.requested(r)
	if !has {
		return w.next.RoundTrip(r)
	}
	w.session.failed(instead.Text)
	return instead.Give(r, w.next)
}

// CloseIdleConnections lets http.Client.CloseIdleConnections reach the transport.
func (w *wire) CloseIdleConnections() {
	if c, ok := w.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// kind says what a request asks for.
func kind(query url.Values) string {
	switch {
	case query.Get("watch") != "true":
		return "list"
	case query.Get("sendInitialEvents") == "true":
		return "stream"
	}
	return "watch"
}

// from says which version a request asks for, where seen is that of the last thing that the reflector knows of.
func from(query url.Values, seen string) string {
	switch version := query.Get("resourceVersion"); version {
	case "":
		return "newest"
	case "0":
		return `"0"`
	case seen:
		return "last seen"
	default:
		return version
	}
}
