package fakeapi

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Ending is how the Server's side of a conversation came to its end.
type Ending string

// The endings.
const (
	Clean        Ending = "clean end"        // everything was sent, with the last chunk
	WasCut       Ending = "cut"              // the script closed the connection
	ClientGone   Ending = "client went away" // the client closed the connection or its body first
	ServerClosed Ending = "server closed"    // the test ended first
)

// Answer is what the Server does with one request.
type Answer struct {
	status  int
	header  http.Header
	silent  bool // no header is ever sent
	whole   bool // with a Content-Length
	content string
	steps   []Step
}

// Respond answers with a whole body and its Content-Length.
func Respond(status int, contentType, body string) *Answer {
	return &Answer{status: status, whole: true, content: body, header: http.Header{"Content-Type": {contentType}}}
}

// JSON answers with a whole JSON body.
func JSON(status int, body any) *Answer {
	return Respond(status, "application/json", encode(body))
}

// Status answers with a metav1.Status, as the API server does when it refuses a request.
func Status(code int, reason, message string) *Answer {
	return JSON(code, StatusObject(code, reason, message))
}

// Stream answers 200 at once and then plays the steps, chunked. After the last step the stream ends
// cleanly, unless that step was Cut or Hang.
func Stream(steps ...Step) *Answer {
	return &Answer{status: 200, steps: steps, header: http.Header{"Content-Type": {"application/json"}}}
}

// Silence takes the request and never answers, not even with a status line.
func Silence() *Answer { return &Answer{silent: true} }

// With sets a header of the response, and returns the Answer.
func (a *Answer) With(key, value string) *Answer {
	a.header.Set(key, value)
	return a
}

// WithStatus sets the status, and returns the Answer: for a Stream that is not a 200.
func (a *Answer) WithStatus(code int) *Answer {
	a.status = code
	return a
}

// play writes the response. sent is called after each part that the client took.
func (a *Answer) play(w http.ResponseWriter, r *http.Request, sent func()) Ending {
	if a.silent {
		<-r.Context().Done()
		return ClientGone
	}
	for k, v := range a.header {
		w.Header()[k] = v
	}
	flush := http.NewResponseController(w).Flush
	if a.whole {
		w.Header().Set("Content-Length", strconv.Itoa(len(a.content)))
		w.WriteHeader(a.status)
		if _, err := w.Write([]byte(a.content)); err != nil || flush() != nil {
			return ClientGone
		}
		sent()
		return Clean
	}
	w.WriteHeader(a.status)
	if flush() != nil {
		return ClientGone
	}
	p := &player{ctx: r.Context(), write: func(part string) error {
		if _, err := w.Write([]byte(part)); err != nil {
			return err
		}
		if err := flush(); err != nil {
			return err
		}
		sent()
		return nil
	}}
	for _, step := range a.steps {
		if ending := step(p); ending != "" {
			return ending
		}
	}
	return Clean
}

type player struct {
	ctx   context.Context // ends when the client goes away or the Server closes
	write func(string) error
}

// Step is one thing that a Stream does. It returns an Ending when nothing can follow it.
type Step func(*player) Ending

// Send writes each part as a chunk of its own, and goes on when the client has taken them.
func Send(parts ...string) Step {
	return func(p *player) Ending {
		for _, part := range parts {
			if p.write(part) != nil {
				return ClientGone
			}
		}
		return ""
	}
}

// Sleep sends nothing for d, by the clock of the bubble. Outside a bubble use Pause.
func Sleep(d time.Duration) Step {
	return func(p *player) Ending {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return ""
		case <-p.ctx.Done():
			return ClientGone
		}
	}
}

// Pause sends nothing until the gate is opened.
func Pause(g *Gate) Step {
	return func(p *player) Ending {
		g.reach.Do(func() { close(g.reached) })
		select {
		case <-g.opened:
			return ""
		case <-p.ctx.Done():
			return ClientGone
		}
	}
}

// Hang sends nothing more and does not end, until the client goes away.
func Hang() Step {
	return func(p *player) Ending {
		<-p.ctx.Done()
		return ClientGone
	}
}

// Cut closes the connection without the last chunk: what a client sees when a server or a proxy dies.
func Cut() Step {
	return func(*player) Ending { return WasCut }
}

// Do calls f when the script gets there.
func Do(f func()) Step {
	return func(*player) Ending { f(); return "" }
}

// Gate holds a script at Pause until the test opens it.
type Gate struct {
	reached, opened chan struct{}
	reach, open     sync.Once
}

// NewGate returns a closed gate. In a bubble, make it inside of the bubble.
func NewGate() *Gate {
	return &Gate{reached: make(chan struct{}), opened: make(chan struct{})}
}

// Reached is closed once a script has come to the gate: all that stands before it was taken by the client.
func (g *Gate) Reached() <-chan struct{} { return g.reached }

// Open lets the script go on. It may be called before the script gets there, and twice.
func (g *Gate) Open() { g.open.Do(func() { close(g.opened) }) }

// String names an Answer in messages.
func (a *Answer) String() string {
	if a.silent {
		return "silence"
	}
	return fmt.Sprintf("%d %s", a.status, http.StatusText(a.status))
}
