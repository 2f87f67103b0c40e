package fakeapi

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
)

// Request is what the Server recorded of one request and of the conversation that followed.
type Request struct {
	N       int  // 1 for the first
	Arrived bool // false while the client is still connecting
	Conn    int  // the connection it came on: 1 for the first; equal for two requests that shared it
	Method  string
	Path    string
	Query   url.Values
	Header  http.Header
	Body    []byte

	Unscripted bool   // the script had no answer left
	Status     int    // the response's status as the client got it, 0 before
	Sent       int    // parts of the body that the client has taken off the wire
	Ending     Ending // how the server's side ended, "" while it goes on

	BodyOpen  bool // the client has the response's body and has not closed it
	Read      int  // bytes of the body that the client's code has read
	ReadToEnd bool // the client's code has read up to io.EOF
}

// String is the request line, for messages.
func (r Request) String() string {
	u := url.URL{Path: r.Path, RawQuery: r.Query.Encode()}
	return fmt.Sprintf("request %d (%s %s)", r.N, r.Method, u.String())
}

// clone lets a caller keep the record without sharing it.
func (r Request) clone() Request {
	r.Header, r.Body = r.Header.Clone(), bytes.Clone(r.Body)
	return r
}
