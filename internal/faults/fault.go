package faults

import (
	"fmt"
	"time"
)

// Kind says what goes wrong.
type Kind string

const (
	// Cut sends half of the event (half of a list), then breaks the connection.
	Cut Kind = "cut"
	// Truncate sends half of the event (half of a list), then ends the response in good order, so that
	// only the missing end of the JSON tells.
	Truncate Kind = "truncate"
	// Stall sends nothing from the event on (of a list, nothing but the header) and leaves the connection open, for the
	// fault's time if it has one: the connection breaks then.
	Stall Kind = "stall"
	// Delay holds the event (or, without an event, the whole response) back for the fault's time.
	Delay Kind = "delay"
	// Gone answers the request with status 410.
	Gone Kind = "gone"
	// Expired sends, inside a response with status 200, an ERROR event with code 410 in place of the
	// event, and ends the response. This is the shape that kube-apiserver uses.
	Expired Kind = "expired"
	// TooMany answers with status 429 and a Retry-After header of the fault's time, which says whole
	// seconds, and one at least: a client that is told 0 asks again at once.
	TooMany Kind = "too-many"
	// InternalError answers with status 500.
	InternalError Kind = "error"
	// ErrorEvent sends an ERROR event with code 500 in place of the event, and ends the response.
	ErrorEvent Kind = "error-event"
	// Unavailable answers with status 503.
	Unavailable Kind = "unavailable"
	// DropBookmarks removes the bookmarks from the response, but not the one that ends the initial
	// events: without that one, a streaming list has no end.
	DropBookmarks Kind = "drop-bookmarks"
	// Close ends the response in good order right after the event.
	Close Kind = "close"
	// Away breaks the connection of this request and of the next Count-1 without an answer.
	Away Kind = "away"
)

// Kinds are all kinds of faults, in the order in which reports name them.
var Kinds = []Kind{
	Cut, Truncate, Stall, Delay, Gone, Expired, TooMany, InternalError, ErrorEvent, Unavailable,
	DropBookmarks, Close, Away,
}

// inStream tells the kinds that happen at an event of a response from those that concern the request.
func (k Kind) inStream() bool {
	switch k {
	case Cut, Truncate, Stall, Expired, ErrorEvent, Close:
		return true
	}
	return false
}

// onList tells whether the kind can happen to a list.
func (k Kind) onList() bool {
	switch k {
	case Expired, ErrorEvent, DropBookmarks, Close:
		return false
	}
	return true
}

// ends tells whether the response ends through the fault.
func (k Kind) ends() bool { return k != Delay && k != DropBookmarks }

// Fault is one thing that goes wrong, and where.
type Fault struct {
	// Request is the ordinal of the request, from 1. A script that decides by itself leaves it 0.
	Request int
	// Event is the ordinal of the event in the response, from 1; 0 concerns the request as a whole.
	// A list is one event.
	Event int
	// Kind says what happens.
	Kind Kind
	// After is the time of a Delay and of a Retry-After.
	After time.Duration
	// Count is the number of requests that find nobody, for Away.
	Count int
	// Lasts is the time after which the connection of a Stall breaks; 0 leaves that to the client.
	Lasts time.Duration
}

// String writes the fault as Parse reads it.
func (f Fault) String() string {
	at := fmt.Sprint(f.Request)
	if f.Event > 0 {
		at += fmt.Sprintf(".%d", f.Event)
	}
	return at + " " + f.what()
}

// what is the fault without its place.
func (f Fault) what() string {
	switch f.Kind {
	case Delay, TooMany:
		return fmt.Sprintf("%s %s", f.Kind, f.After)
	case Away:
		return fmt.Sprintf("%s %d", f.Kind, f.Count)
	case Stall:
		if f.Lasts > 0 {
			return fmt.Sprintf("%s %s", f.Kind, f.Lasts)
		}
	}
	return string(f.Kind)
}
