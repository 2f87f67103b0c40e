package resume_test

import (
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/exercises/1-resume"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// nothingToWaitFor is what a hang means: the client sends nothing, so that no call of it has to wait.
var nothingToWaitFor = exercise.HangMeans("a wait or an endless loop in a call that has nothing to wait for: " +
	"each of the four only decides, and returns")

const emptyBelief = "the belief that a client without objects knows nothing. " +
	"That there are none is a state like any other, and has a resourceVersion"

const goneBelief = "the belief that a watch can always go on from where it was. The server forgets old changes; " +
	"asked again for the same, it gives the same answer"

const partialBelief = "the belief that the first objects of a list are a state. Until the bookmark, nobody knows " +
	"what else there is; a reader of the view would take the rest for deleted, or see a mixture of two times"

func TestStart(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	x := begin(t, &Client{})
	x.next(list, nil)
	x.listed("20", "a", "12", "b", "17")
	x.view(nil, "a", "12", "b", "17")
	x.next(watch("20"), clues{watch(""): "the belief that a watch by itself goes on from the list. " +
		"Between the two requests things change, " +
		"and only the list's resourceVersion tells the server where the client's knowledge ends"})
}

func TestEventsChangeTheView(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	x := listed(t, "20", "a", "12", "b", "17", "d", "13")
	x.event(Event{Type: "ADDED", Name: "c", ResourceVersion: "21"})
	x.event(Event{Type: "MODIFIED", Name: "a", ResourceVersion: "22"})
	x.event(Event{Type: "DELETED", Name: "b", ResourceVersion: "23"})
	x.view(nil, "a", "22", "c", "21", "d", "13")
	x.event(Event{Type: "ADDED", Name: "b", ResourceVersion: "24"})
	x.event(Event{Type: "MODIFIED", Name: "e", ResourceVersion: "25"})
	x.event(Event{Type: "ADDED", Name: "a", ResourceVersion: "26"})
	x.event(Event{Type: "DELETED", Name: "f", ResourceVersion: "27"})
	x.view(nil, "a", "26", "b", "24", "c", "21", "d", "13", "e", "25")
}

func TestResumeAfterAnEnd(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	for _, last := range []Event{
		{Type: "MODIFIED", Name: "a", ResourceVersion: "27"},
		{Type: "ADDED", Name: "c", ResourceVersion: "27"},
		{Type: "DELETED", Name: "b", ResourceVersion: "27"},
	} {
		about := clues{
			list: "the belief that a watch that ends has failed. " +
				"The server ends every watch some time, and keeps what comes after for a while",
			watch("20"): "the belief that the list's resourceVersion is the client's for good. " +
				"All events since then would come again, and some day the server has forgotten that resourceVersion",
			watch("28"): "the belief that a resourceVersion is the number of the next event, or can be computed. " +
				"A watch from N begins after N already",
		}
		if last.Type == "DELETED" {
			about[watch("25")] = "the belief that a deletion leaves nothing to remember. " +
				"The event's resourceVersion is that of the deletion"
		}
		x := listed(t, "20", "a", "12", "b", "17")
		x.event(Event{Type: "MODIFIED", Name: "a", ResourceVersion: "25"})
		x.event(last)
		x.ended(0)
		x.next(watch("27"), about)
		x.ended(0) // at once, without an event
		x.next(watch("27"), nil)
	}
	x := listed(t, "20", "a", "12")
	x.event(Event{Type: "DELETED", Name: "z", ResourceVersion: "21"}) // was never there
	x.ended(0)
	x.view(nil, "a", "12")
	x.next(watch("21"), nil)
	x.event(Event{Type: "MODIFIED", Name: "a", ResourceVersion: "22"})
	x.view(nil, "a", "22")
}

func TestBookmark(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	x := listed(t, "20", "a", "12")
	x.event(Event{Type: "MODIFIED", Name: "a", ResourceVersion: "25"})
	x.event(Event{Type: "BOOKMARK", ResourceVersion: "90"})
	x.view(views{
		"a 25 90": "the belief that every event is about an object: a BOOKMARK carries a resourceVersion and nothing " +
			"else, and stored it is an object without a name",
	}, "a", "25")
	x.ended(0)
	x.next(watch("90"), clues{watch("25"): "the belief that an event without an object says nothing. " +
		"The server sends bookmarks so that a quiet client does not fall so far behind that it has to list again"})
}

func TestResourceVersionsAreText(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	const belief = "the belief that a client has to find out which of two events is the later one. " +
		"The server has said so, by sending them in order; and as text \"100\" is before \"99\""
	x := listed(t, "98", "a", "97")
	x.event(Event{Type: "MODIFIED", Name: "a", ResourceVersion: "99"})
	x.event(Event{Type: "MODIFIED", Name: "a", ResourceVersion: "100"})
	x.view(views{"a 99": belief}, "a", "100")
	x.ended(0)
	x.next(watch("100"), clues{watch("99"): belief})
	for _, next := range []string{"36893488147419103232", "0007", "7f-3"} {
		x.event(Event{Type: "MODIFIED", Name: "a", ResourceVersion: next})
		x.view(nil, "a", next)
		x.ended(0)
		x.next(watch(next), nil)
	}
}

func TestOlderNumbers(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	x := listed(t, "100", "a", "100", "b", "99")
	for _, e := range []Event{
		{Type: "MODIFIED", Name: "a", ResourceVersion: "90"},
		{Type: "ADDED", Name: "a", ResourceVersion: "80"},
		{Type: "BOOKMARK", ResourceVersion: "70"},
		{Type: "DELETED", Name: "a", ResourceVersion: "60"},
	} {
		x.event(e)
		switch e.Type {
		case "MODIFIED", "ADDED":
			x.view(nil, "a", e.ResourceVersion, "b", "99")
		case "DELETED":
			x.view(nil, "b", "99")
		}
		x.ended(0)
		x.next(watch(e.ResourceVersion), nil)
	}
}

func TestFailuresThatLoseNothing(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	const serverTrouble = 3 // the first of these codes say nothing about the request
	codes := []int{500, 503, 429}
	for code := 400; code < 600; code++ {
		if code != 410 {
			codes = append(codes, code)
		}
	}
	for i, code := range codes {
		about := clues{}
		if i < serverTrouble {
			about[list] = "the belief that after a failure nothing is certain. " +
				"Whether the server still has what came after the last event it will say; " +
				"when a thousand clients list because one server restarts, that list is what breaks it"
		}
		x := listed(t, "20", "a", "12")
		x.event(Event{Type: "MODIFIED", Name: "a", ResourceVersion: "25"})
		x.ended(0)
		x.next(watch("25"), nil)
		x.ended(code)
		x.view(nil, "a", "25")
		x.next(watch("25"), about)

		if i < serverTrouble {
			about[list] = "the belief that a failure inside a watch is worse than a refusal, or that an ERROR, too, " +
				"has a resourceVersion to go on from: it has none"
		}
		about[watch("")] = "the belief that whatever a stream brings has a resourceVersion to go on from. " +
			"The object of an ERROR is a Status"
		x.event(Event{Type: "MODIFIED", Name: "a", ResourceVersion: "26"})
		x.event(Event{Type: "ERROR", Code: code})
		x.ended(0)
		x.view(nil, "a", "26")
		x.next(watch("26"), about)
	}
}

func TestGoneAsStatus(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	x := listed(t, "20", "a", "12")
	x.ended(0)
	x.next(watch("20"), nil)
	x.ended(410)
	x.view(nil, "a", "12")
	x.next(list, clues{watch("20"): goneBelief})
	x.view(nil, "a", "12")
}

func TestGoneAsEvent(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	x := listed(t, "20", "a", "12")
	x.event(Event{Type: "ERROR", Code: 410})
	x.view(nil, "a", "12")
	x.ended(0)
	x.next(list, clues{watch("20"): "the belief that an error is a status code. A watch that the server accepted " +
		"with a 200 can bring the 410 too, as the code of an ERROR event"})
	x.view(nil, "a", "12")
}

func TestListAgain(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	x := listed(t, "20", "a", "12", "b", "17", "c", "18")
	x.event(Event{Type: "ERROR", Code: 410})
	x.ended(0)
	x.next(list, clues{watch("20"): goneBelief})
	x.listed("60", "a", "12", "c", "44", "d", "51")
	x.view(views{
		"a 12 b 17 c 44 d 51": "the belief that every deletion is told. " +
			"b was deleted while nobody watched: no event will ever say so, only its absence does",
	}, "a", "12", "c", "44", "d", "51")
	x.next(watch("60"), nil)
	x.event(Event{Type: "DELETED", Name: "a", ResourceVersion: "61"})
	x.view(nil, "c", "44", "d", "51")
	x.ended(0)
	x.next(watch("61"), nil)
}

func TestListWithoutObjects(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	x := listed(t, "20", "a", "12")
	x.event(Event{Type: "DELETED", Name: "a", ResourceVersion: "21"})
	x.ended(0)
	x.view(nil)
	x.next(watch("21"), clues{list: emptyBelief})
	x.ended(410)
	x.next(list, clues{watch("21"): goneBelief})
	x.listed("30")
	x.view(nil)
	x.next(watch("30"), clues{list: emptyBelief})
	x.event(Event{Type: "ADDED", Name: "a", ResourceVersion: "31"})
	x.view(nil, "a", "31")
}

func TestListThatFailed(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	for _, status := range []int{500, 0, 429, 410, 403} {
		x := begin(t, &Client{})
		x.next(list, nil)
		x.ended(status)
		x.next(list, nil)
		x.listed("20", "a", "12")
		x.next(watch("20"), nil)
		x.ended(410)
		x.next(list, clues{watch("20"): goneBelief})
		x.ended(status)
		x.view(nil, "a", "12")
		x.next(list, nil)
	}
}

// A server whose storage was restored from a copy answers with smaller resourceVersions than before.
func TestListIsWhatCounts(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	x := listed(t, "70", "a", "69", "b", "68")
	x.ended(410)
	x.next(list, clues{watch("70"): goneBelief})
	x.listed("60", "a", "55")
	x.view(nil, "a", "55")
	x.next(watch("60"), nil)
}

func TestStreamingList(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	x := streamed(t, "20", "a", "12", "b", "7")
	x.view(nil, "a", "12", "b", "7")
	x.event(Event{Type: "BOOKMARK", ResourceVersion: "21"})
	x.view(nil, "a", "12", "b", "7")
	x.event(Event{Type: "MODIFIED", Name: "b", ResourceVersion: "22"})
	x.event(Event{Type: "ADDED", Name: "c", ResourceVersion: "23"})
	x.event(Event{Type: "DELETED", Name: "a", ResourceVersion: "24"})
	x.view(nil, "b", "22", "c", "23")
	x.ended(0)
	x.next(watch("24"), clues{stream: "the belief that a streaming list is how such a client always watches. " +
		"It has the state already, and is sent all of it again"})
	x.event(Event{Type: "ADDED", Name: "d", ResourceVersion: "25"})
	x.view(nil, "b", "22", "c", "23", "d", "25")
	x.ended(503)
	x.next(watch("25"), nil)
}

func TestStreamingListCutShort(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	const belief = "the belief that every event's resourceVersion is a place to resume from. " +
		"The events of a streaming list do not come in the order of their resourceVersions: " +
		"what was still to come, c with 30 for one, is not after 50, nor after 90, and would never be sent"
	for _, code := range []int{0, 500, 410, 429} { // 0 is no ERROR at all
		x := begin(t, &Client{Streaming: true})
		x.next(stream, nil)
		x.event(Event{Type: "ADDED", Name: "a", ResourceVersion: "90"})
		x.event(Event{Type: "ADDED", Name: "b", ResourceVersion: "50"})
		x.view(views{"a 90 b 50": partialBelief})
		if code != 0 {
			x.event(Event{Type: "ERROR", Code: code})
		}
		x.ended(0)
		x.next(stream, clues{watch("50"): belief, watch("90"): belief})
		x.view(nil)
		x.event(Event{Type: "ADDED", Name: "b", ResourceVersion: "50"})
		x.event(Event{Type: "BOOKMARK", ResourceVersion: "95", InitialEventsEnd: true})
		x.view(views{
			"a 90 b 50": "the belief that a streaming list that was cut is half done. " +
				"The next one is of a later time: a is not in it, so a was deleted in between",
		}, "b", "50")
		x.ended(0)
		x.next(watch("95"), nil)
	}
}

func TestStreamingListAgain(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	x := streamed(t, "20", "a", "12", "b", "7")
	x.event(Event{Type: "ERROR", Code: 410})
	x.ended(0)
	x.view(nil, "a", "12", "b", "7")
	x.next(stream, clues{watch("20"): goneBelief})
	x.view(nil, "a", "12", "b", "7")
	x.event(Event{Type: "ADDED", Name: "b", ResourceVersion: "31"})
	x.view(views{"b 31": partialBelief, "a 12 b 31": partialBelief}, "a", "12", "b", "7")
	x.event(Event{Type: "BOOKMARK", ResourceVersion: "35"}) // one that ends nothing
	x.view(nil, "a", "12", "b", "7")
	x.ended(0)
	x.next(stream, nil)
	x.view(nil, "a", "12", "b", "7")
	x.event(Event{Type: "ADDED", Name: "b", ResourceVersion: "32"})
	x.event(Event{Type: "BOOKMARK", ResourceVersion: "40", InitialEventsEnd: true})
	x.view(views{
		"a 12 b 32": "the belief that every deletion is told. " +
			"a was deleted while nobody watched: only its absence from the second list says so",
	}, "b", "32")
	x.ended(0)
	x.next(watch("40"), nil)
}

func TestStreamingListWithoutObjects(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	x := streamed(t, "20")
	x.view(nil)
	x.event(Event{Type: "ADDED", Name: "a", ResourceVersion: "21"})
	x.view(nil, "a", "21")
	x.ended(410)
	x.next(stream, clues{watch("21"): goneBelief})
	x.event(Event{Type: "BOOKMARK", ResourceVersion: "30", InitialEventsEnd: true})
	x.view(nil)
	x.ended(0)
	x.next(watch("30"), nil)
}

func TestStreamingListRefused(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	for _, status := range []int{410, 429, 500, 503} {
		x := begin(t, &Client{Streaming: true})
		x.next(stream, nil)
		x.ended(status)
		x.next(stream, nil)
		x.event(Event{Type: "ADDED", Name: "a", ResourceVersion: "12"})
		x.event(Event{Type: "BOOKMARK", ResourceVersion: "20", InitialEventsEnd: true})
		x.view(nil, "a", "12")
		x.ended(0)
		x.next(watch("20"), nil)
	}
}

// A restored server again.
func TestStreamingListIsWhatCounts(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	x := streamed(t, "70", "a", "69", "b", "68")
	x.ended(410)
	x.next(stream, clues{watch("70"): goneBelief})
	x.event(Event{Type: "ADDED", Name: "b", ResourceVersion: "52"})
	x.event(Event{Type: "ADDED", Name: "a", ResourceVersion: "55"})
	x.event(Event{Type: "BOOKMARK", ResourceVersion: "60", InitialEventsEnd: true})
	x.view(nil, "a", "55", "b", "52")
	x.ended(0)
	x.next(watch("60"), nil)
}

func TestTheListsMapIsTheCallers(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	x := begin(t, &Client{})
	x.next(list, nil)
	mine := pairs("a", "12", "b", "17")
	x.listedMap("20", mine)
	mine["z"] = "1"
	x.log = append(x.log, "z at 1 put into the map of that answer by the caller")
	x.view(nil, "a", "12", "b", "17")
	x.next(watch("20"), nil)
	x.event(Event{Type: "DELETED", Name: "b", ResourceVersion: "21"})
	x.same("that map", mine, "a", "12", "b", "17", "z", "1")
}

func TestTwoClients(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	x, y := listed(t, "20", "a", "12"), begin(t, &Client{Streaming: true})
	y.next(stream, nil)
	y.event(Event{Type: "ADDED", Name: "b", ResourceVersion: "31"})
	x.event(Event{Type: "ADDED", Name: "c", ResourceVersion: "21"})
	y.event(Event{Type: "BOOKMARK", ResourceVersion: "40", InitialEventsEnd: true})
	x.view(nil, "a", "12", "c", "21")
	y.view(nil, "b", "31")
	x.ended(0)
	y.ended(0)
	x.next(watch("21"), nil)
	y.next(watch("40"), nil)
}

func TestNilMap(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	x := begin(t, &Client{})
	x.next(list, nil)
	x.listedMap("20", nil)
	x.view(nil)
	x.next(watch("20"), nil)
	x.event(Event{Type: "ADDED", Name: "a", ResourceVersion: "21"})
	x.view(nil, "a", "21")
}
