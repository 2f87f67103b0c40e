package faultserver

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// socket is the answer to a watch over a WebSocket, which is how fabric8's Java client watches unless it is told not
// to. The API server is asked for the same watch over HTTP, whose events are lines, and each line becomes a text
// frame, as kube-apiserver has it. So a script's faults happen to it as to any watch.
type socket struct {
	http.ResponseWriter // for an answer that is no watch
	greeting
	gone    context.CancelFunc // called when the client has ended the connection
	deaf    chan struct{}      // closed when nothing listens to the client any more
	line    []byte             // what has come of an event
	writing sync.Mutex         // keeps frames whole
	bye     sync.Once          // the closing frame

	mu   sync.Mutex // guards what follows
	conn net.Conn   // nil until a watch begins
}

// isSocket says whether a request asks for a WebSocket, as kube-apiserver sees it.
func isSocket(r *http.Request) bool {
	upgrades := false
	for _, word := range strings.Split(r.Header.Get("Connection"), ",") {
		upgrades = upgrades || strings.EqualFold(strings.TrimSpace(word), "Upgrade")
	}
	return upgrades && strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// greeting is what the two ends of a WebSocket agree on.
type greeting struct{ accept, protocol string }

// unwelcome is why a WebSocket is refused.
type unwelcome struct {
	code           int
	reason, advice string
}

// handshake is what the client is answered, or why it is refused: kube-apiserver refuses the same with the same code,
// and without words (golang.org/x/net/websocket, hybiServerHandshaker and checkOrigin).
func handshake(r *http.Request) (greeting, *unwelcome) {
	key := r.Header.Get("Sec-Websocket-Key")
	protocol := strings.TrimSpace(r.Header.Get("Sec-Websocket-Protocol"))
	_, err := url.ParseRequestURI(r.Header.Get("Origin"))
	bad := func(advice string) (greeting, *unwelcome) {
		return greeting{}, &unwelcome{http.StatusBadRequest, "BadRequest", advice}
	}
	switch {
	case key == "":
		return bad("a WebSocket begins with a Sec-WebSocket-Key")
	case r.Header.Get("Sec-Websocket-Version") != "13":
		return bad("kube-apiserver knows version 13 of WebSockets alone")
	case strings.Contains(protocol, ","):
		return bad("a watch over a WebSocket has one Sec-WebSocket-Protocol at most")
	case err != nil:
		return greeting{}, &unwelcome{http.StatusForbidden, "Forbidden",
			"a watch over a WebSocket needs the header Origin, with a URL: kube-apiserver refuses it, too"}
	}
	const fixed = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11" // RFC 6455, section 1.3
	sum := sha1.Sum([]byte(key + fixed))
	return greeting{base64.StdEncoding.EncodeToString(sum[:]), protocol}, nil
}

// overSocket has serve answer a request as if it had come over HTTP, and gives the client what it answers over a
// WebSocket. It returns when the connection has ended and nothing runs for it.
func overSocket(w http.ResponseWriter, r *http.Request, agreed greeting, serve http.HandlerFunc) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	s := &socket{ResponseWriter: w, greeting: agreed, gone: cancel, deaf: make(chan struct{})}
	keep := context.AfterFunc(ctx, s.drop) // net/http no longer ends a connection that was taken over
	defer keep()
	defer func() {
		broken := recover() // httputil.ReverseProxy's, where a fault, the API server or the client broke the connection
		taken := s.end(broken == nil)
		if broken != nil && (!taken || broken != http.ErrAbortHandler) {
			panic(broken)
		}
	}()
	serve(s, r.WithContext(ctx))
}

// WriteHeader opens the WebSocket where a watch begins. Another answer, such as a 410, is HTTP's.
func (s *socket) WriteHeader(code int) {
	if code != http.StatusOK {
		s.ResponseWriter.WriteHeader(code)
		return
	}
	conn, both, err := http.NewResponseController(s.ResponseWriter).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // the door speaks HTTP/1.1, where this works while the connection does
	}
	s.mu.Lock()
	s.conn = conn
	s.mu.Unlock()
	answer := "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
		"Sec-WebSocket-Accept: " + s.accept + "\r\n"
	if s.protocol != "" {
		answer += "Sec-WebSocket-Protocol: " + s.protocol + "\r\n"
	}
	_, _ = fmt.Fprint(conn, answer+"\r\n") // that a client is gone is noticed by what listens to it
	go s.listen(both.Reader)
}

// Write sends each event that is whole.
func (s *socket) Write(p []byte) (int, error) {
	if s.taken() == nil {
		return s.ResponseWriter.Write(p)
	}
	s.line = append(s.line, p...)
	for {
		n := bytes.IndexByte(s.line, '\n') + 1
		if n == 0 {
			return len(p), nil
		}
		if err := s.send(textFrame, s.line[:n]); err != nil {
			return 0, err
		}
		s.line = s.line[n:]
	}
}

// FlushError has nothing to do for a WebSocket: what is written is sent.
func (s *socket) FlushError() error {
	if s.taken() != nil {
		return nil
	}
	return http.NewResponseController(s.ResponseWriter).Flush()
}

// taken is the connection that was taken over, if it was.
func (s *socket) taken() net.Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn
}

// send sends a frame.
func (s *socket) send(kind byte, said []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	_, err := s.taken().Write(append(frameHead(kind, len(said)), said...))
	return err
}

// listen reads what the client says until it ends the connection: pings are answered.
func (s *socket) listen(r *bufio.Reader) {
	defer close(s.deaf)
	defer s.gone()
	for {
		kind, said, err := readFrame(r)
		switch {
		case err != nil:
			return
		case kind == pingFrame:
			err = s.send(pongFrame, said)
		case kind == closeFrame:
			s.close()
			return
		}
		if err != nil {
			return
		}
	}
}

// close sends the closing frame, unless it is sent.
func (s *socket) close() { s.bye.Do(func() { _ = s.send(closeFrame, normalClosure) }) }

// patience is for how long a client may answer the closing frame. Where what it says meets a connection that is gone,
// it may lose what it has not read.
const patience = 500 * time.Millisecond

// end ends the WebSocket, if there is one. In good order, half an event is a message, and a closing frame comes last. A
// connection that breaks has half an event in a frame that is not whole.
func (s *socket) end(orderly bool) (taken bool) {
	conn := s.taken()
	if conn == nil {
		return false
	}
	switch {
	case orderly:
		if len(s.line) > 0 {
			_ = s.send(textFrame, s.line)
		}
		s.close()
		select {
		case <-s.deaf:
		case <-time.After(patience):
		}
	case len(s.line) > 0:
		s.writing.Lock()
		_, _ = conn.Write(append(frameHead(textFrame, 2*len(s.line)), s.line...))
		s.writing.Unlock()
	}
	s.drop()
	<-s.deaf
	return true
}

// drop ends the connection, and so what waits to read it or to write on it.
func (s *socket) drop() {
	if conn := s.taken(); conn != nil {
		_ = conn.Close()
	}
}
