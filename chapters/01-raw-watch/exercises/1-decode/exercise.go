// Package decode is exercise 01.1: decode a watch stream.
//
// The body of a watch is one JSON document per event and a line feed after each, without a length in front and without
// an end in sight:
//
//	{"type":"ADDED","object":{"kind":"ConfigMap", ...}}
//	{"type":"BOOKMARK","object":{"kind":"ConfigMap","metadata":{"resourceVersion":"812"}}}
//	{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"..."}}
//
// A watch event is a JSON object that has a type, one of ADDED, MODIFIED, DELETED, BOOKMARK and ERROR, and an object,
// which is a JSON object as well; what else it has means nothing here. Its members come in any order, with blanks
// between them or without. (A name in other letters, such as "Type", may count as well, as encoding/json has it.) Write
// Decoder, which turns such a body into events.
//
// What Next returns:
//
//  1. Each call of Next returns the next event of the body: all of them, in their order, each once. Two events that are
//     alike are two events.
//  2. ADDED, MODIFIED, DELETED and BOOKMARK are returned as an Event. Its Object is what stands in the event's object,
//     byte for byte.
//  3. The Object is the caller's to keep, to change and to append to: no call of Next has a part in it any more.
//  4. An ERROR event is returned as an error, in which errors.As finds a *StatusError with the code, the reason and the
//     message of the event's object. What the object lacks is zero there. In the error errors.Is finds neither io.EOF
//     nor io.ErrUnexpectedEOF. (The chapter's decoder leaves an ERROR to its caller.
//     This one does not let a caller forget it.)
//  5. What is no watch event is refused with an error, in which errors.Is finds neither io.EOF nor io.ErrUnexpectedEOF.
//     So is an event that lacks its last braces, once the next event stands behind it. (After an ERROR or a refusal
//     Next may go on with what follows, or not. An empty line between two events may be passed over or refused.)
//
// When it returns:
//
//  6. Next returns an event as soon as its line feed is there. It does not wait for anything that follows.
//     For an ERROR that holds, too.
//  7. How the bytes were cut up on their way makes no difference: a Read may bring one byte, three events and a half,
//     or nothing, which is no end. (When a hundred Reads in a row bring nothing,
//     Next may give up, with an error as in 5.)
//  8. A Read may bring bytes together with its error.
//     The bytes count first, and each later Read brings the error again.
//  9. An event may be long: a full ConfigMap is a megabyte, and six megabytes when its texts need escaping.
//  10. What an object holds has no meaning for the stream: braces in its texts, or a type of its own.
//
// How it ends:
//
//  11. When the reader has ended (with io.EOF) between two events, or before the first, Next returns io.EOF itself.
//  12. When the reader has ended inside of an event, Next returns an error in which errors.Is finds io.ErrUnexpectedEOF
//     and not io.EOF. (An event that lacks nothing but its line feed may be taken for whole or for cut.)
//  13. When the reader has failed with another error, between two events or inside of one, errors.Is finds that error
//     in what Next returns. An error that wraps io.EOF is another error: the end is io.EOF itself.
//  14. Whichever end it was: every later call returns an error, too.
//
// What a program with many watches, each open for days, needs besides:
//
//  15. NewDecoder does not read. It returns at once.
//  16. A Decoder keeps nothing of the events that it has returned.
//     (Its buffer may stay as large as the largest of them.)
//  17. When Next is called no more, nothing is left behind: no goroutine.
//  18. Each Decoder is on its own: those of other watches run at the same time, in other goroutines. One that waits
//     holds up no other.
//
// It is about 30 lines. Grade it with make grade CH=01, and ask for a hint with make hint EX=01.1.
package decode

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Event is one change of the collection that is watched.
type Event struct {
	Type   string          `json:"type"`   // ADDED, MODIFIED, DELETED or BOOKMARK
	Object json.RawMessage `json:"object"` // as the server sent it
}

// StatusError is what the server reports in an ERROR event.
type StatusError struct {
	Code    int    `json:"code"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s (%d %s)", e.Message, e.Code, e.Reason)
}

// Decoder reads the events of one watch.
type Decoder struct {
	// TODO: what has to be kept from one Next to the following one
}

// NewDecoder returns a Decoder that reads from r, the body of a watch.
func NewDecoder(r io.Reader) *Decoder {
	return &Decoder{}
}

// Next waits for the next event and returns it. The package comment says what it returns when there is none.
func (d *Decoder) Next() (Event, error) {
	// TODO: take the next whole document out of the bytes
	// then look at what it is: a change, an ERROR, or something that does not belong in a watch
	return Event{}, errors.New("Next is not written yet")
}
