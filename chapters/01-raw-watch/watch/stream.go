package watch

import (
	"io"
	"net/http"
)

// Stream is an open watch: the response whose body is still being written. It is used by one goroutine, but for Close.
type Stream struct {
	// Response is the response the stream arrives in. Its headers are complete; its body belongs to the Stream.
	Response *http.Response
	decoder  *Decoder
	body     io.Closer
}

func newStream(resp *http.Response) *Stream {
	return &Stream{Response: resp, decoder: NewDecoder(resp.Body), body: resp.Body}
}

// Next waits for the next event; its errors are those of [Decoder.Next]. It returns early when the context that was
// given to [Client.Watch] ends, with that context's error in the chain.
func (s *Stream) Next() (Event, error) { return s.decoder.Next() }

// Close ends the watch. Over HTTP/1.1 that closes the connection, unless the stream was read to its end; over HTTP/2 it
// ends the one stream, and the connection stays. Close may be called while Next waits, which then returns an error, and
// more than once. A Stream that is not closed keeps its connection and a goroutine for ever.
func (s *Stream) Close() error { return s.body.Close() }
