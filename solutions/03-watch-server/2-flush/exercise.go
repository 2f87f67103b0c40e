// Package flush writes the events of a watch to a client.
package flush

import (
	"context"
	"io"
	"net/http"
)

// Serve answers a watch: it sends the header, so that the client knows that it is connected, and then
// the events, each on a line of its own.
//
// What is written to w stays in a buffer of 4 KB until that is full or w is flushed (w implements
// http.Flusher). A flush costs a system call and a packet. As ever in net/http, the first one sends the
// header too, with status 200 if none was set, and a handler that returns needs none.
//
//   - The client has the header, with status 200, before the first event comes.
//   - Each event is a line: the text as it is given, and a newline. An event is any text without a
//     newline, which may be empty.
//   - The lines are the events in their order: each of them once, and nothing else.
//   - An event does not wait for the next one: when no other is waiting, the client has it at once.
//   - Events that are waiting together go out together, with one flush, or a few for a hundred, and not
//     one for each. Waiting is what is in the channel's buffer.
//   - While nothing comes, Serve waits: it writes nothing and flushes nothing.
//   - One goroutine at a time uses w. When Serve has returned, nobody uses it, and no goroutine that
//     Serve started is left. It waits for a call of w that is going on, also when ctx has ended.
//   - When events is closed (the server ends the watch),
//     Serve writes what is still in it and returns nil.
//   - When ctx ends (the client has gone), Serve returns nil, whatever it ended for, and also while
//     events keep coming. It may have ended before the call. What is not written then need not be.
//   - When a write fails, Serve returns its error and writes no more. So it does when events is closed.
//     When ctx has ended too, nil will do. A flush that fails need not be noticed.
//   - Serve may be called for many clients at once.
func Serve(ctx context.Context, w http.ResponseWriter, events <-chan string) error {
	//solution:begin
	//todo: send the header, then the events
	//stub: return nil
	flusher := w.(http.Flusher)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	flusher.Flush()
	for {
		select {
		case <-ctx.Done():
			return nil
		case event, ok := <-events:
			if !ok {
				return nil
			}
			if _, err := io.WriteString(w, event+"\n"); err != nil {
				return err
			}
			if len(events) == 0 {
				flusher.Flush()
			}
		}
	}
	//solution:end
}
