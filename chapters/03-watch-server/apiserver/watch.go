package apiserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
)

// watch opens a stream of events, which begins in one of four ways. From a revision: what has
// changed since. From none ("" or "0"): everything there is, then changes. With sendInitialEvents=true:
// everything there is, a bookmark that says so, then changes. With sendInitialEvents=false and no
// revision: what changes from now on.
func (s *Server) watch(resource Resource, w http.ResponseWriter, r *http.Request, o listOptions) error {
	after := o.revision
	if !o.state && o.anyRevision {
		after = s.store.Revision()
	}
	watcher, err := s.store.Watch(o.query, after, o.state)
	if errors.Is(err, storage.ErrFuture) {
		err = tooLarge(o.revision, s.store.Revision())
	}
	// From here on the answer is a 200: what goes wrong is told inside of the stream.
	out := newStream(w, resource, s.options.WriteTimeout)
	if err != nil {
		return out.fail(err)
	}
	defer watcher.Stop()
	timeout := s.options.WatchTimeout
	if o.timeout > 0 {
		timeout = o.timeout
	}
	deadline := time.Now().Add(timeout)
	end, mark := time.NewTimer(timeout), time.NewTimer(s.nextBookmark(deadline))
	defer end.Stop()
	defer mark.Stop()

	for _, event := range watcher.Initial {
		if err := out.event(event); err != nil {
			return nil // the client has gone; nobody is there to be told
		}
	}
	if o.initialEvents && o.bookmarks {
		out.bookmark(watcher.Revision, object{"k8s.io/initial-events-end": "true"})
	}
	if out.pending {
		out.flush()
	}
	for {
		select {
		case <-r.Context().Done():
			return nil
		case <-end.C:
			return nil
		case <-mark.C:
			if o.bookmarks {
				watcher.Bookmark()
			}
			mark.Reset(s.nextBookmark(deadline))
		case event, ok := <-watcher.Events():
			if !ok {
				return nil // evicted: the stream ends, and the client resumes from what it got
			}
			if err := out.event(event); err != nil {
				return nil
			}
			if len(watcher.Events()) == 0 {
				out.flush() // nothing more is waiting: do not keep the client waiting either
			}
		}
	}
}

// nextBookmark is how long a watch waits for its next bookmark. The last one comes shortly before the end, so that its
// client resumes from there.
func (s *Server) nextBookmark(deadline time.Time) time.Duration {
	if last := time.Until(deadline) - 2*time.Second; last > 0 {
		return min(last, s.options.BookmarkEvery)
	}
	return s.options.BookmarkEvery
}

// stream writes events, one JSON object a line.
type stream struct {
	w        http.ResponseWriter
	control  *http.ResponseController
	resource Resource
	timeout  time.Duration
	pending  bool // written, and not flushed
}

// newStream sends the header, so that a client knows that it is connected before anything happens.
func newStream(w http.ResponseWriter, resource Resource, timeout time.Duration) *stream {
	if p, ok := w.(*inProtobuf); ok {
		p.stream = true
	}
	out := &stream{w: w, control: http.NewResponseController(w), resource: resource, timeout: timeout}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	out.flush()
	return out
}

// event writes one line around the object's bytes, which all watchers share.
func (out *stream) event(e storage.Event) error {
	if e.Type == storage.Bookmark {
		return out.bookmark(e.Revision, nil)
	}
	out.begin()
	_, _ = io.WriteString(out.w, `{"type":"`+string(e.Type)+`","object":`)
	_, _ = out.w.Write(e.Object.JSON)
	_, err := io.WriteString(out.w, "}\n")
	return err
}

// bookmark writes an object that has a revision and nothing else: a place to resume from.
func (out *stream) bookmark(revision uint64, annotations object) error {
	metadata := object{"resourceVersion": storage.FormatRevision(revision)}
	if annotations != nil {
		metadata["annotations"] = annotations
	}
	mark := object{"kind": out.resource.Kind, "apiVersion": out.resource.groupVersion().String(), "metadata": metadata}
	encoded, err := json.Marshal(mark)
	if err != nil {
		return err
	}
	out.begin()
	_, err = fmt.Fprintf(out.w, `{"type":"BOOKMARK","object":%s}`+"\n", encoded)
	return err
}

// fail writes the ERROR event that ends a stream.
func (out *stream) fail(err error) error {
	encoded, _ := json.Marshal(status(out.resource, "", err))
	_, _ = fmt.Fprintf(out.w, `{"type":"ERROR","object":%s}`+"\n", encoded)
	out.flush()
	return nil
}

// begin gives what is written from here to the flush a limit: a client that has stopped reading
// must not keep this goroutine for ever. A quiet stream has no limit.
func (out *stream) begin() {
	if !out.pending {
		out.pending = true
		_ = out.control.SetWriteDeadline(time.Now().Add(out.timeout))
	}
}

// flush sends what has been written.
func (out *stream) flush() {
	_ = out.control.Flush()
	_ = out.control.SetWriteDeadline(time.Time{})
	out.pending = false
}
