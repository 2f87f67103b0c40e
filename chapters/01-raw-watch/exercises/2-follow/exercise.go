// Package follow is exercise 01.2: follow a watch until the context ends, and leave nothing behind.
//
// A watch is a response that stays open. Somebody has to own it: the connection it comes on, the goroutine that reads
// it, and the channel that its events go to. Write Follow, which opens one watch and passes on what comes.
//
// How it begins:
//
//  1. Follow sends one GET to url as it is given, query and all.
//  2. Follow sends it with the client that it is given, and leaves that client as it is.
//  3. When no request can be made or no answer comes, Follow returns an error,
//     in which errors.Is finds what the client failed with.
//  4. When the server refuses the watch, with any status but 200, Follow returns an error. When the body of the refusal
//     is a Status, errors.As finds the *StatusError in it.
//  5. Follow returns a *Watch as soon as the server has accepted the watch, which may be long before the first event.
//
// While it lasts:
//
//  6. Every event goes to Events, as ReadEvent returned it, in the order of the stream, and as soon as it is there.
//  7. None is lost when the reader of Events is slow, also when the stream has ended meanwhile.
//  8. The watch has no limit of time. It goes on when nothing happens for days.
//
// How it ends:
//
//  9. When the server has ended the stream between two events, Err returns nil.
//  10. When ctx has ended, before the server's answer or during the watch, errors.Is finds ctx.Err() in what Follow or
//     Err returns, also when ctx has a cause of its own.
//  11. When the stream broke, or held an ERROR event or something that is no event, errors.Is and errors.As find in Err
//     what ReadEvent returned.
//  12. Whichever it was, no event comes any more, Events is closed, and Err may be called from then on.
//  13. When ctx ends, the watch is over at once, whether events come or not, and whether anybody reads Events or not.
//  14. When the watch has ended or was refused, no goroutine, no open body and no connection in use stays behind.
//  15. The watch is not opened a second time; that is chapter 02.
//  16. Each watch is on its own: many run at the same time, on one client, and the end of one is the end of no other.
//
// It is about 40 lines. Grade it with make grade CH=01, and ask for a hint with make hint EX=01.2.
package follow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Event is one change of the collection that is watched.
type Event struct {
	Type   string          `json:"type"` // ADDED, MODIFIED, DELETED or BOOKMARK
	Object json.RawMessage `json:"object"`
}

// Watch is a watch that runs.
type Watch struct {
	events chan Event
	err    error // why the watch ended; it has to stand there before events is closed
}

// Events returns the channel that the events come from. It is closed when the watch has ended.
func (w *Watch) Events() <-chan Event { return w.events }

// Err says why the watch ended. It may be called once Events is closed.
func (w *Watch) Err() error { return w.err }

// Follow opens a watch. The package comment says what it promises.
func Follow(ctx context.Context, client *http.Client, url string) (*Watch, error) {
	// TODO: send the request, and look at the answer before you trust it
	// then read events and pass them on until something ends the watch; who closes what, and when?
	return nil, errors.New("Follow is not written yet")
}

// ReadEvent waits for the next event. Its error is io.EOF when the stream ended between two events, a *StatusError for
// an ERROR event, and otherwise says how the stream broke.
func ReadEvent(decoder *json.Decoder) (Event, error) {
	var event Event
	if err := decoder.Decode(&event); err != nil {
		return Event{}, err
	}
	switch event.Type {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
		return event, nil
	case "ERROR":
		return Event{}, decodeStatus(event.Object)
	}
	return Event{}, fmt.Errorf("a document of type %q is no watch event", event.Type)
}

// ReadStatus reads the Status in the body of a refusal. It does not close the body.
func ReadStatus(response *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return fmt.Errorf("%s, and its body: %w", response.Status, err)
	}
	return decodeStatus(body)
}

// StatusError is what the server reports when it refuses a request, or in an ERROR event.
type StatusError struct {
	Code    int    `json:"code"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s (%d %s)", e.Message, e.Code, e.Reason)
}

func decodeStatus(document []byte) error {
	status := &StatusError{}
	if err := json.Unmarshal(document, status); err != nil {
		return errors.Join(errors.New("this is no Status"), err)
	}
	return status
}
