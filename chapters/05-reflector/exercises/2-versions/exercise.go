// Package versions is exercise 05.2: which resourceVersion a reflector asks for next.
package versions

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/watch"
)

// Versions knows which resourceVersion the next request of a reflector asks for. The zero Versions is that of a
// reflector whose store has not taken in anything yet. One goroutine, the reflector's, calls the methods, in the order
// in which things happen.
//
//   - A version is any text. It is compared with no other, neither as a text nor as a number: what the store has
//     taken in last is what it holds, also where that version looks older. A server that was restored from a backup
//     counts from a smaller number.
//   - To ask changes nothing, however often: Last, List, Stream and Watch only answer.
//   - Only Last has other callers: any number of goroutines, also while the reflector's calls any method. Then it
//     answers as it would before that call or after it.
//   - Two Versions have nothing in common.
//
// The fields may be changed: who uses the package sees what is exported.
type Versions struct {
	// TODO: add the fields you need
}

// Last is the version of what the store holds, "" for a store that has not taken in anything. Only Synced and Event
// change it: after Unavailable the store holds what it held.
func (v *Versions) Last() string {
	// TODO: what is the store's?
	return ""
}

// List is the version of the next list, which asks for any state that is not older: so the store never goes back to a
// state from before. That is Last. Where Last is "" there is nothing to go back to, and it is "0", any state that the
// server has at hand. From Unavailable until the next Synced it is "", the newest state.
func (v *Versions) List() string {
	// TODO: the newest state costs the server most: when is it needed?
	return ""
}

// Stream is the version of the next streaming list, which also asks for any state that is not older: Last, also where
// that is "", which asks for the newest state. A server serves that one from memory, so that it costs no more than
// another. From Unavailable until the next Synced it is "", too.
func (v *Versions) Stream() string {
	// TODO: where does it differ from List?
	return ""
}

// Watch is the version of the next watch without initial events, which asks for what happened since then. It is Last,
// whatever it is and whatever happened: from any other version, the store would miss something.
func (v *Versions) Watch() string {
	// TODO: since when does the store miss what happened?
	return ""
}

// Synced takes note that the store has taken in a list, or the initial state of a streaming list, of this version,
// which may be "" or "0": some servers have no other. It is Last now.
func (v *Versions) Synced(version string) {
	// TODO: what does the store hold, and what is over?
}

// Unavailable takes note that the server can't serve the version of the last list or streaming list. What it says of
// the version of a watch is no reason for a call: what happened since a version may be gone while a state that is not
// older is there. The reflector lists next, in one way or the other: it calls neither Opened nor Event before the next
// Synced.
func (v *Versions) Unavailable() {
	// TODO: what does the next list ask for?
}

// Opened takes note that the server has accepted a watch without initial events, at what Watch returned: that is the
// reflector's call right before this one. The watch before, if there was one, has ended.
func (v *Versions) Opened() {
	// TODO: which event comes first?
}

// Event takes note of an event, which the store has taken in: of the watch that Opened told of, or of a streaming list
// after its Synced. It says whether the event's version is Last from now on.
//
//   - It is, for each of ADDED, MODIFIED, DELETED and BOOKMARK; others do not come. The version, which is never "" and
//     may be "0" or Last already, is that of the deletion for a DELETED. A BOOKMARK has an object with no more than a
//     version, which says that there is nothing else up to it.
//   - But a watch that was opened at "" or at "0" begins with an ADDED for each object that there is, in any order:
//     who resumed from one of their versions would miss those that were still to come. An ADDED of such a watch
//     leaves Last as it was, and Event returns false, whatever its version, until an event of another type was seen of
//     the same watch. That one and all after it count.
//   - A streaming list is past its initial state after its Synced, whatever the version of that.
func (v *Versions) Event(event watch.Event) bool {
	// TODO: is it an event from which a watch could go on?
	return versionOf(event) == ""
}

// versionOf is the resourceVersion of an event's object.
func versionOf(event watch.Event) string {
	object, err := meta.Accessor(event.Object)
	if err != nil {
		return "" // there is no such event in this exercise
	}
	return object.GetResourceVersion()
}
