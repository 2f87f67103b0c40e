package decode

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/fakeapi"
)

func TestEveryTypeOfEvent(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	stream := []string{
		line("ADDED", "a", "5"), line("MODIFIED", "a", "6"), fakeapi.BookmarkLine("9"), line("DELETED", "a", "10"),
	}
	d := NewDecoder(reads(io.EOF, stream...)) // each Read returns one line
	for i, want := range []string{"ADDED", "MODIFIED", "BOOKMARK", "DELETED"} {
		event, err := d.Next()
		exercise.Expect(t, err == nil && event.Type == want, exercise.Verdict{
			Expected: fmt.Sprintf("call %d of Next returns the stream's event %d, %s", i+1, i+1, article(want)),
			Happened: "it returned " + outcome(event, err),
			PointsTo: pointsToType(want, event.Type, err),
		})
		expectObject(t, event, stream[i])
	}
	event, err := d.Next()
	exercise.Expect(t, err == io.EOF, exercise.Verdict{
		Expected: "the stream ended after its fourth event, and the fifth call of Next returns io.EOF",
		Happened: "it returned " + outcome(event, err),
		PointsTo: "a stream that has ended between two events has not failed: the server finishes every watch some day",
	})
}

func TestEventArrivesWhileTheStreamIsOpen(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	exercise.Bubble(t, func(t *testing.T) {
		body, server := io.Pipe()
		defer server.Close()
		first := make(chan string, 1)
		go func() { first <- outcome(NewDecoder(body).Next()) }()
		// write waits until what the learner's code does with the bytes is done, and says whether Next returned.
		write := func(s string) bool {
			go server.Write([]byte(s))
			synctest.Wait()
			return len(first) == 1
		}

		if write(line("ADDED", "a", "5")) {
			return
		}
		v := exercise.Verdict{
			Expected: "Next returns the first event as soon as its line is there; the stream stays open, and silent",
			Happened: "Next returned nothing until the stream had ended",
			PointsTo: "the belief that a response is there as a whole before it is taken apart. " +
				"This one may stay unfinished for an hour after its first event",
		}
		switch {
		case write(line("ADDED", "b", "6")):
			v.Happened = "Next returned nothing until the second event was there too"
			v.PointsTo = "the belief that something always follows. To return an event, Next asked the reader for what comes " +
				"after it, and on a quiet collection that takes hours"
		case write(strings.Repeat(line("MODIFIED", "b", "7"), 1000)):
			v.Happened = "Next returned nothing until far more than one event was there"
			v.PointsTo = "the belief that a read may wait until its buffer is full. A watch sends no more than there is to say"
		}
		exercise.Fail(t, v)
	})
}

func TestReadsAreNotEvents(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	a, b, c := line("ADDED", "a", "5"), line("ADDED", "b", "6"), line("MODIFIED", "a", "7")
	all := a + b + c
	for _, tc := range []struct {
		name  string
		parts []string
	}{
		{"three events in one Read", []string{all}},
		{"one event in two Reads", []string{a[:20], a[20:], b, c}},
		{"an end and a beginning in one Read", []string{a[:20], a[20:] + b[:30], b[30:] + c}},
		{"a byte in each Read", strings.Split(all, "")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := NewDecoder(reads(io.EOF, tc.parts...))
			for i, want := range []string{a, b, c} {
				event, err := d.Next()
				v := exercise.Verdict{
					Expected: fmt.Sprintf("three events however the bytes arrive, here %s; call %d of Next returns event %d", tc.name, i+1, i+1),
					Happened: "it returned " + outcome(event, err),
					PointsTo: "the belief that one Read of the body (or one HTTP chunk) brings one event, whole. " +
						"What is between here and the server cuts and joins the bytes as it likes",
				}
				if err == io.EOF {
					v.Happened += fmt.Sprintf(", with %d of 3 events returned", i)
					v.PointsTo = "the belief that bytes which were taken from the reader, and not returned yet, will be there for the next call " +
						"to read. They are wherever the earlier call has put them"
				}
				exercise.Expect(t, err == nil && sameJSON(event, want), v)
			}
		})
	}
}

func TestLargeEvent(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, tc := range []struct{ what, data string }{
		{"100 KB", strings.Repeat("x", 100<<10)},
		{"1.2 MB (a ConfigMap with 600 KB of quotation marks)", strings.Repeat(`\"`, 600<<10)},
	} {
		object := `{"kind":"ConfigMap","metadata":{"name":"large"},"data":{"key":"` + tc.data + `"}}`
		d := NewDecoder(strings.NewReader(`{"type":"ADDED","object":` + object + "}\n" + line("ADDED", "b", "6")))
		v := exercise.Verdict{
			Expected: "an event of " + tc.what + " comes out of Next, and then a short one",
			PointsTo: "the belief that an event is never longer than some buffer. Nothing on the wire says so: " +
				"what is stored may hold a megabyte, and grows when it is written as JSON",
		}
		event, err := d.Next()
		v.Happened = "the first call returned " + outcome(event, err)
		exercise.Expect(t, err == nil && sameText(event.Object, object), v)
		event, err = d.Next()
		v.Happened = "the second call returned " + outcome(event, err)
		exercise.Expect(t, err == nil && event.Type == "ADDED" && objectName(string(event.Object)) == "of b", v)
	}
}

func TestErrorEvent(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	const message = "too old resource version: 5 (812)"
	d := NewDecoder(strings.NewReader(line("ADDED", "a", "5") + fakeapi.ErrorLine(410, "Expired", message)))
	if event, err := d.Next(); err != nil {
		exercise.Fail(t, exercise.Verdict{
			Expected: "Next returns the ADDED event that comes before an ERROR event",
			Happened: "it returned " + outcome(event, err),
		})
	}
	event, err := d.Next()
	v := exercise.Verdict{
		Expected: "an ERROR event with the Status 410 Expired comes out of Next as an error in which errors.As finds a *StatusError",
		Happened: "it returned " + outcome(event, err),
	}
	switch {
	case err == nil:
		v.PointsTo = "the belief that an ERROR event is one more kind of change, which a caller may store like the others. " +
			"Its object is no ConfigMap, and the watch is over"
	case err == io.EOF:
		v.PointsTo = "the belief that an event which changes no object is no news, or that the end of the stream tells it again. This stream ends " +
			"well: to the caller it now looks like a watch that the server finished, to be resumed where it stopped"
	default:
		v.PointsTo = "the belief that an error is a text for people. A caller has to tell a 410 from a 500 without reading English"
	}
	var status *StatusError
	exercise.Expect(t, errors.As(err, &status), v)
	exercise.Expect(t, *status == StatusError{410, "Expired", message}, exercise.Verdict{
		Expected: fmt.Sprintf("the *StatusError has code 410, reason Expired, message %q", message),
		Happened: fmt.Sprintf("it has code %d, reason %q, message %q", status.Code, status.Reason, status.Message),
		PointsTo: "where the Status stands: it is the object of the event, not the event",
	})
}

func TestCutAtEveryByte(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	lines := []string{line("ADDED", "a", "5"), line("MODIFIED", "a", "6"), line("DELETED", "a", "7")}
	all := strings.Join(lines, "")
	inTheSecond := len(lines[0]) + 40 // the cut to talk about first
	for i := range len(all) {
		cut := (inTheSecond + i) % len(all)
		d := NewDecoder(strings.NewReader(all[:cut]))
		whole, rest := split(lines, cut)
		got := 0
		event, err := d.Next()
		for ; err == nil && got < len(lines); event, err = d.Next() {
			got++
		}
		where := fmt.Sprintf("a stream that ends after %d of its %d bytes: %s and %d bytes of the next", cut, len(all), count(whole), len(rest))
		switch {
		case strings.HasSuffix(rest, "}}"): // only the line feed is missing: whole or cut, either is right
		case rest == "":
			exercise.Expect(t, got == whole && err == io.EOF, exercise.Verdict{
				Expected: where + "; Next returns the events, then io.EOF",
				Happened: fmt.Sprintf("%s, then %s", count(got), outcome(event, err)),
				PointsTo: "an end between two events is the clean one",
			})
		default:
			v := exercise.Verdict{
				Expected: where + "; after the events Next returns an error in which errors.Is finds io.ErrUnexpectedEOF",
				Happened: fmt.Sprintf("%s, then %s", count(got), outcome(event, err)),
				PointsTo: "the belief that what is not a whole event can go. The half one is a change that the caller never gets, and it cannot know",
			}
			if err != nil && err != io.EOF {
				v.PointsTo = "the belief that half a document is the same as a document that is not JSON: the one is cured by watching again, " +
					"the other never, and the caller can tell them apart only by the error"
			}
			exercise.Expect(t, got == whole && errors.Is(err, io.ErrUnexpectedEOF), v)
		}
	}
}

func TestReadErrorIsReturned(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	reset := errors.New("read tcp 10.0.0.7: connection reset by peer")
	for _, tc := range []struct {
		name  string
		parts []string
	}{
		{"between two events", []string{line("ADDED", "a", "5")}},
		{"inside an event", []string{line("ADDED", "a", "5"), `{"type":"MODIF`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := NewDecoder(reads(reset, tc.parts...))
			if event, err := d.Next(); err != nil {
				exercise.Fail(t, exercise.Verdict{
					Expected: "Next returns the event that arrived whole before the reader failed",
					Happened: "it returned " + outcome(event, err),
				})
			}
			event, err := d.Next()
			ok := errors.Is(err, reset) || tc.name == "inside an event" && errors.Is(err, io.ErrUnexpectedEOF)
			v := exercise.Verdict{
				Expected: fmt.Sprintf("the reader fails %s with %q, and Next returns an error in which errors.Is finds that one", tc.name, reset),
				Happened: "it returned " + outcome(event, err),
				PointsTo: "the belief that there is one way in which reading stops. Whoever gets io.EOF here thinks that the server finished the watch",
			}
			exercise.Expect(t, ok, v)
		})
	}
}

func TestNotAWatchEvent(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, tc := range []struct{ name, body string }{
		{"a Status, as in the body of a refusal", `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403}`},
		{"a ConfigMapList, as without watch=true", `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[]}`},
		{"an event of a type that does not exist", `{"type":"RENAMED","object":{"kind":"ConfigMap"}}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			event, err := NewDecoder(strings.NewReader(tc.body + "\n")).Next()
			v := exercise.Verdict{
				Expected: "the body is " + tc.name + ", and Next refuses it with an error",
				Happened: "it returned " + outcome(event, err),
				PointsTo: "the belief that JSON which decodes without an error is what was asked for. encoding/json leaves out what it does not " +
					"find and drops what it does not know",
			}
			if err == io.EOF {
				v.PointsTo = "the belief that what one does not know can be skipped. The caller now thinks that it had a watch, on which nothing happened"
			}
			exercise.Expect(t, err != nil && err != io.EOF, v)
		})
	}
}

func TestObjectsAreTheCallersToKeep(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	var lines []string
	for i := range 20 {
		lines = append(lines, line("ADDED", fmt.Sprintf("object-%02d", i), fmt.Sprint(100+i)))
	}
	d := NewDecoder(strings.NewReader(strings.Join(lines, "")))
	var events []Event
	for range lines {
		event, err := d.Next()
		if err != nil {
			exercise.Fail(t, exercise.Verdict{Expected: "20 events", Happened: fmt.Sprintf("%d, then %v", len(events), err)})
		}
		events = append(events, event)
	}
	for i, event := range events {
		exercise.Expect(t, sameJSON(event, lines[i]), exercise.Verdict{
			Expected: fmt.Sprintf("after 20 calls of Next event %d is still that %s", i+1, objectName(lines[i])),
			Happened: "its Object is " + short(string(event.Object)),
			PointsTo: "the belief that a slice is a copy. The bytes that were returned with one event are where a later one was written",
		})
	}
}

func TestNumbersAreNotRounded(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	body := `{"type":"ADDED","object":{"metadata":{"name":"a","generation":9007199254740993}}}` + "\n"
	event, err := NewDecoder(strings.NewReader(body)).Next()
	exercise.Expect(t, err == nil && sameJSON(event, body), exercise.Verdict{
		Expected: "the Object is what the server sent, with the generation 9007199254740993 (2^53 + 1)",
		Happened: "it is " + short(string(event.Object)),
		PointsTo: "the belief that JSON which goes through a Go value and back is the same JSON. In an any, every number is a float64",
	})
}
