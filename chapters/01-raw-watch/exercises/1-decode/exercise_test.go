package decode_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/1-decode"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
)

func TestEveryTypeOfEvent(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	stream := []string{
		line("ADDED", "a", "5"), line("MODIFIED", "a", "6"), fakeapi.BookmarkLine("9"), line("DELETED", "a", "10"),
	}
	d := NewDecoder(reads(io.EOF, stream...)) // each Read returns one line
	for i, want := range []string{"ADDED", "MODIFIED", "BOOKMARK", "DELETED"} {
		event, err := d.Next()
		v := exercise.Verdict{
			Expected: fmt.Sprintf("call %d of Next returns the stream's event %d, %s", i+1, i+1, article(want)),
			Happened: "it returned " + outcome(event, err),
		}
		if want == "BOOKMARK" && err == nil && is(event, stream[3]) {
			v.PointsTo = "the belief that a bookmark tells nothing. " +
				"It says how far the watch has come, and only the caller knows what that is worth"
		}
		exercise.Expect(t, err == nil && event.Type == want, v)
		expectObject(t, event, stream[i])
	}
	event, err := d.Next()
	exercise.Expect(t, err == io.EOF, exercise.Verdict{
		Expected: "the stream ended after its fourth event, and the fifth call of Next returns io.EOF itself",
		Happened: "it returned " + outcome(event, err),
	})
}

func TestReadsAreNotEvents(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	a, b, c := line("ADDED", "a", "5"), line("ADDED", "b", "6"), line("MODIFIED", "a", "7")
	all := a + b + c
	for _, tc := range []struct {
		name     string
		parts    []string
		together bool
	}{
		{"three events in one Read", []string{all}, false},
		{"one event in two Reads", []string{a[:20], a[20:], b, c}, false},
		{"an end and a beginning in one Read", []string{a[:20], a[20:] + b[:30], b[30:] + c}, false},
		{"a byte in each Read", strings.Split(all, ""), false},
		{"a Read of nothing, without an error, before each part",
			[]string{"", a[:20], "", a[20:], "", b, "", c}, false},
		{"io.EOF in the Read that brings the last bytes", []string{a, b, c}, true},
		{"all bytes and io.EOF in one Read", []string{all}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			body := reads(io.EOF, tc.parts...)
			body.together = tc.together
			d := NewDecoder(body)
			returned := 0 // bytes, line feeds included
			for i, want := range []string{a, b, c} {
				readsBefore, givenBefore := body.used()
				event, err := d.Next()
				v := exercise.Verdict{
					Expected: fmt.Sprintf("three events however the bytes arrive, here %s; "+
						"call %d of Next returns event %d", tc.name, i+1, i+1),
					Happened: "it returned " + outcome(event, err),
				}
				readsNow, _ := body.used()
				switch {
				case err == io.EOF && givenBefore > returned+1:
					v.Happened += fmt.Sprintf(", with %d of 3 events returned; the calls before had read %d bytes",
						i, givenBefore)
					v.PointsTo = "the belief that what a Read brings ends where the event ends. " +
						"The bytes behind it are of the next events, and no Read brings them again"
				case err != nil && err != io.EOF && readsNow == readsBefore+1 && !tc.together:
					v.Happened += " after a single Read"
					v.PointsTo = "the belief that one Read of the body (or one HTTP chunk) brings one event, whole. " +
						"What is between here and the server cuts and joins the bytes as it likes"
				}
				exercise.Expect(t, err == nil && is(event, want), v)
				returned += len(want)
			}
			event, err := d.Next()
			exercise.Expect(t, err == io.EOF, exercise.Verdict{
				Expected: "three events however the bytes arrive, here " + tc.name + "; then Next returns io.EOF",
				Happened: "it returned " + outcome(event, err),
			})
		})
	}
}

func TestEventsThatAreAlike(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	lines := []string{
		line("ADDED", "b", "9"), line("ADDED", "a", "5"), line("ADDED", "a", "5"), fakeapi.BookmarkLine("9"),
		fakeapi.BookmarkLine("9"), line("MODIFIED", "a", "5"), line("ADDED", "a", "5"),
	}
	d := NewDecoder(strings.NewReader(strings.Join(lines, "")))
	for i, want := range lines {
		event, err := d.Next()
		exercise.Expect(t, err == nil && is(event, want), exercise.Verdict{
			Expected: fmt.Sprintf("events that are alike, and older ones behind newer ones; "+
				"call %d of Next returns the stream's event %d, %s", i+1, i+1, short(want)),
			Happened: "it returned " + outcome(event, err),
		})
	}
	_, _ = d.Next() // the end
}

func TestEventArrivesWhileTheStreamIsOpen(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	a, b := line("ADDED", "a", "5"), line("ADDED", "b", "6")
	type write struct {
		what, text string
		returned   int // how often Next has returned then
	}
	for _, tc := range []struct {
		name   string
		writes []write
	}{
		{"one event", []write{{"an event has come", a, 1}}},
		{"one after the other", []write{{"an event has come", a, 1}, {"then a second", b, 2}, {"then a third", a, 3}}},
		{"two in one piece", []write{{"two events have come in one piece", a + b, 2}}},
		{"one and a half", []write{
			{"an event has come, and half of the next", a + b[:40], 1}, {"then the other half", b[40:], 2},
		}},
		{"nothing", []write{{"nothing has come", "", 0}}},
		{"a bookmark", []write{{"an event has come", a, 1}, {"then a BOOKMARK", fakeapi.BookmarkLine("9"), 2}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			exercise.Bubble(t, func(t *testing.T) {
				s := openStream(t)
				for _, w := range tc.writes {
					s.write(w.text)
					s.expect(t, w.returned, w.what)
				}
			})
		})
	}
}

func TestEventThatFillsABuffer(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	exercise.Bubble(t, func(t *testing.T) {
		for size := 512; size <= 32<<10; size *= 2 { // a buffer is full at a power of two, and an event may end there
			for _, length := range []int{size, size + 1} {
				s := openStream(t)
				s.write(lineOf(length))
				s.expect(t, 1, fmt.Sprintf("an event of %d bytes has come", length))
				s.close()
			}
			s := openStream(t)
			s.write(line("ADDED", "b", "6"))
			s.write(lineOf(size - s.written))
			s.expect(t, 2, fmt.Sprintf("two events of %d bytes together have come", size))
			s.close()
		}
	})
}

func TestNothingIsLeftBehind(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	exercise.Bubble(t, func(t *testing.T) {
		d := NewDecoder(strings.NewReader(strings.Repeat(line("ADDED", "a", "5"), 3)))
		event, err := d.Next() // and no more
		exercise.Expect(t, err == nil, exercise.Verdict{
			Expected: "the first of three events",
			Happened: outcome(event, err),
		})
	})
	exercise.Bubble(t, func(t *testing.T) {
		d := NewDecoder(newSilent(line("ADDED", "a", "5")))
		event, err := d.Next() // and no more: the watch is open
		exercise.Expect(t, err == nil, exercise.Verdict{
			Expected: "an event, and the reader brings nothing more",
			Happened: outcome(event, err),
		})
	})
}

func TestNumbersAreNotRounded(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	body := `{"type":"ADDED","object":{"metadata":{"generation":9007199254740993,"name":"a"}}}` + "\n"
	event, err := NewDecoder(strings.NewReader(body)).Next()
	v := exercise.Verdict{
		Expected: "the Object is what the server sent, with the generation 9007199254740993 (2^53 + 1)",
		Happened: "it is " + short(string(event.Object)),
	}
	if strings.Contains(string(event.Object), "9007199254740992") {
		v.PointsTo = "the belief that JSON which goes through a Go value and back is the same JSON. " +
			"In an any, every number is a float64"
	}
	exercise.Expect(t, err == nil && is(event, body), v)
}

func TestLargeEvent(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, tc := range []struct {
		what, text string
		times      int
	}{
		{"100 KB", "x", 100 << 10},
		{"6 MB (a ConfigMap with 1 MB of control characters)", `\u0001`, 1 << 20},
	} {
		large := func(times int) string {
			return `{"type":"ADDED","object":{"data":{"key":"` + strings.Repeat(tc.text, times) +
				`"},"kind":"ConfigMap","metadata":{"name":"large"}}}` + "\n"
		}
		small, long, after := large(3), large(tc.times), line("ADDED", "b", "6")
		d := NewDecoder(io.MultiReader(strings.NewReader(small), strings.NewReader(long), strings.NewReader(after)))
		for _, part := range []struct{ what, line string }{
			{"a small event comes first", small},
			{"then a large one like it, of " + tc.what, long},
			{"then a small one", after},
		} {
			event, err := d.Next()
			if err == nil && is(event, part.line) {
				continue
			}
			v := exercise.Verdict{Expected: part.what + ", and Next returns it",
				Happened: "it returned " + outcome(event, err)}
			if part.line == long && err != nil {
				v.PointsTo = "the belief that an event is never longer than some buffer. " +
					"Nothing on the wire says so: " +
					"what is stored may hold a megabyte, and grows when it is written as JSON"
			}
			exercise.Fail(t, v)
		}
	}
}

func TestWhatAnObjectHolds(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, tc := range []struct{ what, object string }{
		{"a closing brace in a text", `{"data":{"a":"}"}}`},
		{"an opening brace in a text", `{"data":{"a":"{"}}`},
		{"escaped quotation marks, and braces behind them", `{"data":{"a":"\"}{\"{{"}}`},
		{"one escaped quotation mark, and a brace behind it", `{"data":{"a":"\"}"}}`},
		{"a text that ends in a backslash", `{"data":{"a":"\\","b":"}}"}}`},
		{"a document in a text", `{"data":{"a":"{\"type\":\"ERROR\",\"object\":{\"code\":410}}\n"}}`},
		{"a type of its own", `{"kind":"Secret","type":"ERROR","object":{"type":"BOOKMARK"}}`},
		{"lists, letters that are not English, and numbers",
			`{"z":[{},[1,{"b":[]}],"]"],"a":"größer als 数","n":[-0,1.0,1e3,9007199254740993]}`},
		{"nothing", `{}`},
		{"blanks and tabs", `{ "kind" : "ConfigMap",` + "\t" + `"n" : [ 1 , 2 ], "data" : { } }`},
		{"letters that HTML escapes, as they are and escaped", `{"a":"<b>&</b> \u003cb\u003e \u0026 \/"}`},
		{"escaped quotation marks and braces, written as numbers", `{"a":"\u0022\u007d\u007b\u005c","b":1}`},
		{"escaped line feeds", `{"a":"one\ntwo\r\n\u000athree"}`},
		{"the same name twice", `{"a":1,"a":2,"b":{"c":1,"c":[]}}`},
		{"numbers that no float64 holds", `{"n":[1e400,123456789012345678901234567890,0.10000000000000000000001]}`},
		{"letters of two, three and four bytes, and half a surrogate", `{"ключ":"größer 数 🙂 ` + "\u2028" + ` \ud800"}`},
		{"members of an event", `{"a":"\"type\":\"DELETED\",\"object\":{","object":{"object":{}},"Type":"BOOKMARK"}`},
		{"objects in objects", strings.Repeat(`{"a":[`, 300) + strings.Repeat(`]}`, 300)},
	} {
		whole := `{"type":"ADDED","object":` + tc.object + "}\n"
		for _, parts := range [][]string{{whole + line("ADDED", "b", "6")}, eachByte(whole)} {
			event, err := NewDecoder(reads(io.EOF, parts...)).Next()
			v := exercise.Verdict{
				Expected: "an object holds " + tc.what + "; Next returns it as an ADDED with the Object " + tc.object,
				Happened: "it returned " + outcome(event, err),
			}
			if err == nil {
				v.Happened = fmt.Sprintf("it returned %s with the Object %s", article(event.Type), event.Object)
			}
			exercise.Expect(t, err == nil && is(event, whole), v)
		}
	}
}

func TestObjectsAreTheCallersToKeep(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	var lines []string
	for i := range 20 {
		lines = append(lines, line("ADDED", fmt.Sprintf("object-%02d", i), fmt.Sprint(100+i)))
	}
	all := strings.Join(lines, "")
	events, _, err := take(NewDecoder(strings.NewReader(all)), 20)
	exercise.Expect(t, err == nil, exercise.Verdict{
		Expected: "20 events",
		Happened: fmt.Sprintf("%d, then %v", len(events), err),
	})
	for i, event := range events {
		exercise.Expect(t, is(event, lines[i]), exercise.Verdict{
			Expected: fmt.Sprintf("after 20 calls of Next event %d is still that %s", i+1, objectName(lines[i])),
			Happened: "its Object is " + short(string(event.Object)),
			PointsTo: "the belief that a slice is a copy. " +
				"The bytes that were returned with one event are where a later one was written",
		})
	}
	d := NewDecoder(strings.NewReader(all))
	var appended [][]byte
	for i, want := range lines {
		event, err := d.Next()
		exercise.Expect(t, err == nil && is(event, want), exercise.Verdict{
			Expected: fmt.Sprintf("the caller writes over each Object that it has got, "+
				"and appends to it; event %d is still that %s", i+1, objectName(want)),
			Happened: "Next returned " + outcome(event, err),
		})
		clear(event.Object)
		appended = append(appended, append(event.Object, "appended by the caller"...))
	}
	for i, got := range appended {
		exercise.Expect(t, strings.HasSuffix(string(got), "appended by the caller"), exercise.Verdict{
			Expected: fmt.Sprintf("what the caller has appended to the Object "+
				"of event %d is there after more calls of Next", i+1),
			Happened: fmt.Sprintf("there is %q", got[max(0, len(got)-22):]),
		})
	}
}

func TestErrorEvent(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	wants := []StatusError{
		{410, "Expired", "too old resource version: 5 (812)"},
		{500, "InternalError", "unable to decode an event from the watch stream"},
		{403, "Forbidden", `configmaps is forbidden: User "eve" cannot watch`},
	}
	var got []*StatusError
	for _, want := range wants {
		stream := line("ADDED", "a", "5") + fakeapi.ErrorLine(want.Code, want.Reason, want.Message)
		d := NewDecoder(strings.NewReader(stream))
		event, err := d.Next()
		exercise.Expect(t, err == nil, exercise.Verdict{
			Expected: "Next returns the ADDED event that comes before an ERROR event",
			Happened: "it returned " + outcome(event, err),
		})
		event, err = d.Next()
		v := exercise.Verdict{
			Expected: fmt.Sprintf("an ERROR event with the Status %d %s comes out of Next "+
				"as an error in which errors.As finds a *StatusError", want.Code, want.Reason),
			Happened: "it returned " + outcome(event, err),
		}
		switch {
		case err == nil && event.Type == "ERROR":
			v.PointsTo = "the belief that an ERROR event is one more kind of change, " +
				"which a caller may store like the others. Its object is no ConfigMap, and the watch is over"
		case err == io.EOF:
			v.PointsTo = "the belief that an event which changes no object is no news, " +
				"or that the end of the stream tells it again. This stream ends well: " +
				"to the caller it now looks like a watch that the server finished, to be resumed where it stopped"
		case err != nil && strings.Contains(err.Error(), want.Message):
			v.PointsTo = "the belief that an error is a text for people. " +
				"A caller has to tell a 410 from a 500 without reading English"
		}
		var status *StatusError
		exercise.Expect(t, errors.As(err, &status) && status != nil, v)
		got = append(got, status)
	}
	for i, want := range wants {
		v := exercise.Verdict{
			Expected: fmt.Sprintf("the *StatusError has code %d, reason %s, message %q",
				want.Code, want.Reason, want.Message),
			Happened: fmt.Sprintf("it has code %d, reason %q, message %q", got[i].Code, got[i].Reason, got[i].Message),
		}
		if *got[i] == (StatusError{}) {
			v.PointsTo = "where the Status stands: it is the object of the event, not the event"
		}
		exercise.Expect(t, *got[i] == want, v)
	}
}

func TestCutAtEveryByte(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	exercise.Bubble(t, func(t *testing.T) { // Next may take its time
		lines := []string{line("ADDED", "a", "5"), line("MODIFIED", "a", "6"), line("DELETED", "a", "7")}
		all := strings.Join(lines, "")
		inTheSecond := len(lines[0]) + 40 // the cut to talk about first
		for i := range len(all) + 1 {
			cut := (inTheSecond + i) % (len(all) + 1)
			body := reads(io.EOF, all[:cut])
			body.together = i%2 == 1
			whole, rest := split(lines, cut)
			events, event, err := take(NewDecoder(body), len(lines)+1)
			v := exercise.Verdict{Happened: fmt.Sprintf("%s, then %s", count(len(events)), outcome(event, err))}
			where := fmt.Sprintf("a stream that ends after %d of its %d bytes: %s and %d bytes of the next",
				cut, len(all), count(whole), len(rest))
			switch {
			case rest != "" && rest+"\n" == lines[whole]: // only the line feed is missing: either is right
				v.Expected = where + ", which lacks its line feed; " +
					"Next returns it and then io.EOF, or else io.ErrUnexpectedEOF"
				taken := len(events) == whole+1 && err == io.EOF
				exercise.Expect(t, taken || len(events) == whole && errors.Is(err, io.ErrUnexpectedEOF), v)
			case rest == "":
				v.Expected = where + "; Next returns the events, then io.EOF itself"
				exercise.Expect(t, len(events) == whole && err == io.EOF, v)
			default:
				v.Expected = where + "; after the events Next returns an error " +
					"in which errors.Is finds io.ErrUnexpectedEOF, and not io.EOF"
				var syntax *json.SyntaxError
				switch {
				case len(events) == whole && err == io.EOF:
					v.PointsTo = "the belief that what is not a whole event can go. " +
						"The half one is a change that the caller never gets, and it cannot know"
				case len(events) == whole && errors.As(err, &syntax):
					v.PointsTo = "the belief that half a document is the same as a document that is not JSON: " +
						"the one is cured by watching again, the other never, " +
						"and the caller can tell them apart only by the error"
				}
				exercise.Expect(t, len(events) == whole && errors.Is(err, io.ErrUnexpectedEOF) &&
					!errors.Is(err, io.EOF), v)
			}
		}
	})
}

func TestReadErrorIsReturned(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	a, b := line("ADDED", "a", "5"), line("ADDED", "b", "6")
	for _, failure := range []error{
		errors.New("read tcp 10.0.0.7: connection reset by peer"),
		context.Canceled,
		os.ErrDeadlineExceeded,
		io.ErrUnexpectedEOF, // of net/http, when the last chunk is missing
		context.DeadlineExceeded,
		net.ErrClosed,
		io.ErrClosedPipe,
		io.ErrNoProgress,
		http.ErrBodyReadAfterClose,
		&net.OpError{Op: "read", Net: "tcp", Err: io.EOF},
		fmt.Errorf("a proxy between here and the server: %w", io.ErrUnexpectedEOF),
	} {
		for _, tc := range []struct {
			name     string
			parts    []string
			together bool
			events   int
		}{
			{"between two events", []string{a, b}, false, 2},
			{"inside of an event", []string{a, `{"type":"MODIF`}, false, 1},
			{"before the first event", nil, false, 0},
			{"in the Read that brings the last event", []string{a, b}, true, 2},
			{"in the Read that brings half an event", []string{a + b[:20]}, true, 1},
			{"in the Read that brings both events", []string{a + b}, true, 2},
		} {
			events, event, err := take(NewDecoder(func() io.Reader {
				body := reads(failure, tc.parts...)
				body.together = tc.together
				return body
			}()), 3)
			v := exercise.Verdict{
				Expected: fmt.Sprintf("the reader fails %s with %q; "+
					"Next returns %s, then an error in which errors.Is finds that one",
					tc.name, failure, count(tc.events)),
				Happened: fmt.Sprintf("%s, then %s", count(len(events)), outcome(event, err)),
			}
			if len(events) == tc.events && err == io.EOF {
				v.PointsTo = "the belief that there is one way in which reading stops. " +
					"Whoever gets io.EOF here thinks that the server finished the watch"
			}
			exercise.Expect(t, len(events) == tc.events && errors.Is(err, failure) && err != io.EOF, v)
		}
	}
}

func TestNotAWatchEvent(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, tc := range []struct{ name, body string }{
		{"a Status, as in the body of a refusal",
			`{"kind":"Status","apiVersion":"v1","reason":"Forbidden","code":403}`},
		{"a ConfigMapList, as without watch=true",
			`{"kind":"ConfigMapList","metadata":{"resourceVersion":"7"},"items":[]}`},
		{"an event of a type that does not exist", `{"type":"RENAMED","object":{"kind":"ConfigMap"}}`},
		{"an event whose type is written small", `{"type":"added","object":{"kind":"ConfigMap"}}`},
		{"an ADDED without an object", `{"type":"ADDED"}`},
		{"a DELETED whose object is null", `{"type":"DELETED","object":null}`},
		{"a MODIFIED whose object is a text", `{"type":"MODIFIED","object":"a"}`},
		{"an ERROR without an object", `{"type":"ERROR"}`},
		{"an ERROR whose object is null", `{"type":"ERROR","object":null}`},
		{"an event whose type is a number", `{"type":1,"object":{"kind":"ConfigMap"}}`},
		{"an empty object", `{}`},
		{"the word null", `null`},
		{"a list", `[]`},
		{"a number", `42`},
		{"HTML from something in between", `<html><body>Bad Gateway</body></html>`},
		{"a BOOKMARK without an object", `{"type":"BOOKMARK"}`},
		{"an ADDED whose object is a list", `{"type":"ADDED","object":[{}]}`},
		{"an ADDED whose object is a number", `{"type":"ADDED","object":7}`},
		{"a BOOKMARK whose object is false", `{"type":"BOOKMARK","object":false}`},
		{"an ERROR whose object is a text", `{"type":"ERROR","object":"Expired"}`},
		{"an ERROR whose object is a list", `{"type":"ERROR","object":[]}`},
		{"an error whose type is written small", `{"type":"error","object":{"code":410}}`},
		{"an event whose type has a blank", `{"type":"ADDED ","object":{"kind":"ConfigMap"}}`},
		{"an event whose type is empty", `{"type":"","object":{"kind":"ConfigMap"}}`},
		{"an event whose type is null", `{"type":null,"object":{"kind":"ConfigMap"}}`},
		{"an event without a type", `{"object":{"kind":"ConfigMap"}}`},
		{"an ADDED whose object is no JSON", `{"type":"ADDED","object":{kind:ConfigMap}}`},
		{"an ADDED whose object has a comma too many", `{"type":"ADDED","object":{"kind":"ConfigMap",}}`},
		{"an ADDED with a comma too few", `{"type":"ADDED" "object":{"kind":"ConfigMap"}}`},
		{"an ERROR whose object is no JSON", `{"type":"ERROR","object":{"code":410,"message":Expired}}`},
		{"a text", `"ADDED"`},
		{"the word true", `true`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			event, err := NewDecoder(strings.NewReader(tc.body + "\n")).Next()
			v := exercise.Verdict{
				Expected: "the body is " + tc.name + ", and Next refuses it with an error " +
					"that is neither io.EOF nor io.ErrUnexpectedEOF",
				Happened: "it returned " + outcome(event, err),
			}
			switch {
			case err == nil && event.Type == "":
				v.PointsTo = "the belief that JSON which decodes without an error is what was asked for. " +
					"encoding/json leaves out what it does not find and drops what it does not know"
			case err == io.EOF:
				v.Happened += ", the word for a watch on which nothing happened"
				more := tc.body + "\n" + line("ADDED", "b", "6")
				if next, err := NewDecoder(strings.NewReader(more)).Next(); err == nil {
					v.Happened += fmt.Sprintf("; with an event behind it, %s", outcome(next, err))
					v.PointsTo = "the belief that what one does not know can be skipped. " +
						"It was news, and the caller cannot know that there was any"
				}
			}
			exercise.Expect(t, err != nil && !isAnEnd(err), v)
		})
	}
}

func TestAfterTheEnd(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	reset := errors.New("connection reset by peer")
	for _, tc := range []struct {
		name string
		body *body
	}{
		{"ended between two events", reads(io.EOF, line("ADDED", "a", "5"))},
		{"ended inside of an event", reads(io.EOF, line("ADDED", "a", "5"), `{"type":"MODIF`)},
		{"failed", reads(reset, line("ADDED", "a", "5"))},
		{"failed inside of an event", reads(reset, line("ADDED", "a", "5"), `{"type":"MODIF`)},
		{"ended before the first event", reads(io.EOF)},
		{"ended inside of the first event", reads(io.EOF, `{"type":"ADDED","object":{`)},
		{"failed before the first event", reads(reset)},
		{"ended, with an event that lacks its line feed", reads(io.EOF, strings.TrimSpace(line("ADDED", "a", "5")))},
		{"failed, with an event that lacks its line feed", reads(reset, strings.TrimSpace(line("ADDED", "a", "5")))},
	} {
		d := NewDecoder(tc.body)
		_, _, first := take(d, 5)
		for call := range 3 {
			event, err := d.Next()
			exercise.Expect(t, err != nil, exercise.Verdict{
				Expected: "the reader " + tc.name + ", Next has said so, " +
					"and says so again or returns another error when it is called again",
				Happened: fmt.Sprintf("it returned %q, and at call %d after that %s",
					first, call+1, outcome(event, err)),
			})
		}
	}
}

func TestNewDecoderDoesNotRead(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	exercise.Bubble(t, func(t *testing.T) {
		body := reads(io.EOF, line("ADDED", "a", "5"))
		NewDecoder(body)
		time.Sleep(time.Minute)
		synctest.Wait() // a goroutine of its own reads by now
		times, _ := body.used()
		exercise.Expect(t, times == 0, exercise.Verdict{
			Expected: "NewDecoder does not read: the first event may be hours away",
			Happened: fmt.Sprintf("it called Read (%d)", times),
		})
	})
}

func TestKeepsNothing(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, tc := range []struct {
		what         string
		size, events int
		inside       bool
		most         int // what the program may hold more than before, in KB
	}{
		{"100 events of 10 KB", 10 << 10, 100, false, 500},
		{"100 events of 10 KB, and each Read ends inside of an event", 10 << 10, 100, true, 500},
		{"10,000 small events", 10, 10_000, true, 150},
	} {
		exercise.Bubble(t, func(t *testing.T) { // Next may take its time
			d := NewDecoder(&endless{text: strings.Repeat("x", tc.size), inside: tc.inside})
			_, _, err := take(d, 50)
			before := heap()
			for range tc.events {
				if err == nil {
					_, err = d.Next()
				}
			}
			exercise.Expect(t, err == nil, exercise.Verdict{
				Expected: tc.what + ", one after the other",
				Happened: fmt.Sprintf("Next returned the error %v", err),
			})
			grown := int64(heap()) - int64(before)
			exercise.Expect(t, grown < int64(tc.most)<<10, exercise.Verdict{
				Expected: tc.what + " have come out of Next, the caller has kept none, and neither has the Decoder",
				Happened: fmt.Sprintf("the program holds %.1f MB more than before", float64(grown)/(1<<20)),
			})
			_, _ = d.Next() // the Decoder lives until here
		})
	}
}

func TestWhatElseAnEventHas(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	const object = `{"kind":"ConfigMap","metadata":{"name":"a"}}`
	for _, body := range []string{
		`{"type":"ADDED","object":` + object + `,"sequence":7}`,
		`{"type":"ADDED","origin":{"type":"ERROR","object":{}},"object":` + object + `}`,
		`{"origin":[{"type":"ERROR"}],"code":410,"type":"ADDED","object":` + object + `,"note":"}{"}`,
		`{"object":` + object + `,"type":"ADDED"}`,
		`{"note":null,"object":` + object + `,"more":true,"type":"ADDED","last":[]}`,
		`{ "type" : "ADDED" , "object" : ` + object + ` }`,
		` { "object":	` + object + `	,  "type":"ADDED"} `,
		`{"type":"\u0041DDED","object":` + object + `}`,
		`{"type":"ADDED","object":` + object + "}\r",
	} {
		event, err := NewDecoder(strings.NewReader(body + "\n")).Next()
		v := exercise.Verdict{
			Expected: fmt.Sprintf("an event whose members come in another order, with blanks, or with more of them: "+
				"%q; Next returns it as an ADDED with the Object %s", body, object),
			Happened: "it returned " + outcome(event, err),
		}
		if err == nil {
			v.Happened = fmt.Sprintf("it returned %s with the Object %s", article(event.Type), event.Object)
		}
		exercise.Expect(t, err == nil && event.Type == "ADDED" && string(event.Object) == object, v)
	}
}

func TestReadsOfNothing(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	exercise.Bubble(t, func(t *testing.T) { // Next may take its time
		a, b := line("ADDED", "a", "5"), line("ADDED", "b", "6")
		for _, tc := range []struct{ where, before, after string }{
			{"before the first event", "", a + b},
			{"inside of the first event", a[:20], a[20:] + b},
			{"between two events", a, b},
			{"inside of the second event", a + b[:20], b[20:]},
		} {
			const fewEnough, tooMany = 99, 300
			for _, times := range []int{fewEnough, tooMany} {
				parts := append(make([]string, times), tc.after)
				if tc.before != "" {
					parts = append([]string{tc.before}, parts...)
				}
				events, event, err := take(NewDecoder(reads(io.EOF, parts...)), 3)
				v := exercise.Verdict{
					Expected: fmt.Sprintf("the reader has two events, and %s %d Reads in a row bring nothing; "+
						"Next returns both events, and then io.EOF", tc.where, times),
					Happened: fmt.Sprintf("%s, then %s", count(len(events)), outcome(event, err)),
				}
				right := len(events) == 2 && err == io.EOF
				if times == tooMany {
					v.Expected += ", or gives up with an error that is neither io.EOF nor io.ErrUnexpectedEOF"
					right = right || err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF)
				}
				exercise.Expect(t, right, v)
			}
		}
	})
}

func TestDecodersAreOnTheirOwn(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	streams := make([][]string, 2)
	for s := range streams {
		for i := range 20 {
			streams[s] = append(streams[s], line("ADDED", fmt.Sprintf("watch-%d-object-%02d", s, i),
				fmt.Sprint(100*s+i)))
		}
	}
	expect := func(s, i int, event Event, err error, how string) {
		exercise.Expect(t, err == nil && is(event, streams[s][i]), exercise.Verdict{
			Expected: fmt.Sprintf("two Decoders, %s; call %d of the Next of Decoder %d returns the event %s",
				how, i+1, s+1, objectName(streams[s][i])),
			Happened: "it returned " + outcome(event, err),
		})
	}
	one := NewDecoder(strings.NewReader(strings.Join(streams[0], "")))
	two := NewDecoder(strings.NewReader(strings.Join(streams[1], "")))
	for i := range 20 {
		event, err := one.Next()
		expect(0, i, event, err, "whose Next is called in turn")
		event, err = two.Next()
		expect(1, i, event, err, "whose Next is called in turn")
	}
	var all sync.WaitGroup
	events, errs := make([][]Event, 2), make([]error, 2)
	for s := range streams {
		all.Go(func() { events[s], _, errs[s] = take(NewDecoder(strings.NewReader(strings.Join(streams[s], ""))), 20) })
	}
	all.Wait()
	for s := range streams {
		for i := range 20 {
			if i >= len(events[s]) {
				expect(s, i, Event{}, errs[s], "each in a goroutine of its own")
			}
			expect(s, i, events[s][i], nil, "each in a goroutine of its own")
		}
	}
}

func TestOneThatWaitsHoldsUpNoOther(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	whole := line("ADDED", "a", "5")
	for _, tc := range []struct{ what, text string }{
		{"waits for an event", whole},
		{"has half of an event, and waits for the rest", whole + whole[:40]},
	} {
		quiet := newSilent(tc.text)
		over := make(chan struct{})
		go func() {
			defer close(over)
			d := NewDecoder(quiet)
			for {
				if _, err := d.Next(); err != nil {
					return
				}
			}
		}()
		<-quiet.waits
		returned := make(chan string, 1)
		go func() {
			event, err := NewDecoder(strings.NewReader(line("ADDED", "b", "6"))).Next()
			returned <- outcome(event, err)
		}()
		happened := "Next had not returned after four seconds"
		select {
		case happened = <-returned:
		case <-time.After(4 * time.Second):
		}
		close(quiet.release)
		<-over
		exercise.Expect(t, happened == "an ADDED of b", exercise.Verdict{
			Expected: "two Decoders, and the Next of one " + tc.what + "; that of the other has one, and returns it",
			Happened: happened,
			PointsTo: "the belief that a wait is short. A watch waits for hours, and what it holds nobody else gets",
		})
	}
}

func TestEventArrivesInTwoPieces(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	exercise.Bubble(t, func(t *testing.T) {
		a := line("ADDED", "a", "5")
		for i := range len(a) - 1 {
			cut := len(a) - 1 - i // first the line feed on its own
			s := openStream(t)
			s.write(a[:cut])
			s.write(a[cut:])
			s.expect(t, 1, fmt.Sprintf("an event of %d bytes has come in two pieces, and the second is of %d", len(a),
				len(a)-cut))
			s.close()
		}
	})
}

func TestCutInTwoAtEveryByte(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	exercise.Bubble(t, func(t *testing.T) { // Next may take its time
		whole := `{"type":"ADDED","object":{"a":"größer 数 🙂 \"}\\","b":"\u00e4\n"}}` + "\n"
		after := line("ADDED", "b", "6")
		for cut := range len(whole) {
			d := NewDecoder(reads(io.EOF, whole[:cut], whole[cut:]+after[:cut%len(after)], after[cut%len(after):]))
			for i, want := range []string{whole, after} {
				event, err := d.Next()
				exercise.Expect(t, err == nil && is(event, want), exercise.Verdict{
					Expected: fmt.Sprintf("two events; the first Read brings %d bytes, which end in %q, and the next "+
						"Read the rest; call %d of Next returns the event %s", cut, whole[max(0, cut-10):cut], i+1,
						short(want)),
					Happened: "it returned " + outcome(event, err),
				})
			}
		}
	})
}

func TestErrorEventsOfOtherKinds(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, tc := range []struct {
		object string
		want   StatusError
	}{
		{`{}`, StatusError{}},
		{`{"kind":"Status","status":"Failure"}`, StatusError{}},
		{`{"code":410}`, StatusError{Code: 410}},
		{`{"message":"} größer \u003c \"{\"\n"}`, StatusError{Message: "} größer < \"{\"\n"}},
		{`{"reason":"Gone","code":200,"details":{"code":7,"reason":"other"}}`, StatusError{Code: 200, Reason: "Gone"}},
		{`{"metadata":{},"type":"ADDED","object":{},"code":504,"reason":"Timeout","message":"EOF"}`,
			StatusError{504, "Timeout", "EOF"}},
	} {
		for _, before := range []string{"", line("ADDED", "a", "5")} {
			body := before + `{"type":"ERROR","object":` + tc.object + "}\n" + line("ADDED", "b", "6")
			d := NewDecoder(strings.NewReader(body))
			if before != "" {
				_, _ = d.Next()
			}
			event, err := d.Next()
			v := exercise.Verdict{
				Expected: fmt.Sprintf("an ERROR event with the object %s comes out of Next as an error "+
					"in which errors.As finds a *StatusError with code %d, reason %q, message %q, "+
					"and errors.Is neither io.EOF nor io.ErrUnexpectedEOF",
					tc.object, tc.want.Code, tc.want.Reason, tc.want.Message),
				Happened: "it returned " + outcome(event, err),
			}
			var status *StatusError
			found := errors.As(err, &status) && status != nil
			if found {
				v.Happened += fmt.Sprintf(", with a *StatusError of code %d, reason %q, message %q", status.Code,
					status.Reason, status.Message)
			}
			exercise.Expect(t, found && *status == tc.want && !isAnEnd(err), v)
		}
	}
}

func TestLongEventIsCut(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	long := lineOf(200 << 10)
	for length := 256; length <= 128<<10; length *= 2 {
		for _, cut := range []int{length - 1, length, length + 1} { // where a buffer is full
			events, event, err := take(NewDecoder(strings.NewReader(long[:cut])), 1)
			exercise.Expect(t, len(events) == 0 && errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF),
				exercise.Verdict{
					Expected: fmt.Sprintf("a stream that ends after %d of the %d bytes of its first event; "+
						"Next returns an error in which errors.Is finds io.ErrUnexpectedEOF, and not io.EOF", cut,
						len(long)),
					Happened: "it returned " + outcome(event, err),
				})
		}
	}
}

func TestFailsAtEveryByte(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	exercise.Bubble(t, func(t *testing.T) { // Next may take its time
		failure := errors.New("connection reset by peer")
		lines := []string{line("ADDED", "a", "5"), line("MODIFIED", "a", "6")}
		all := strings.Join(lines, "")
		for i := range 2 * (len(all) + 1) {
			cut := i / 2
			body := reads(failure, all[:cut])
			body.together = i%2 == 1
			whole, rest := split(lines, cut)
			events, event, err := take(NewDecoder(body), len(lines)+1)
			right := len(events) == whole || // an event that lacks its line feed only may count
				len(events) == whole+1 && rest+"\n" == lines[whole]
			exercise.Expect(t, right && errors.Is(err, failure), exercise.Verdict{
				Expected: fmt.Sprintf("a reader that fails after %d of %d bytes: %s and %d bytes of the next; "+
					"after the events Next returns an error in which errors.Is finds the reader's", cut, len(all),
					count(whole),
					len(rest)),
				Happened: fmt.Sprintf("%s, then %s", count(len(events)), outcome(event, err)),
			})
		}
	})
}

func TestNotAWatchEventBetweenTwo(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, tc := range []struct{ name, line string }{
		{"an event that lacks its last brace", `{"type":"ADDED","object":{"kind":"ConfigMap"}`},
		{"an event that lacks its last two braces", `{"type":"ADDED","object":{"kind":"ConfigMap"`},
		{"an event whose object is opened and not closed", `{"type":"ADDED","object":{`},
		{"an ERROR that lacks its last brace", `{"type":"ERROR","object":{"code":410}`},
		{"a Status", `{"kind":"Status","apiVersion":"v1","reason":"Forbidden","code":403}`},
		{"an event of a type that does not exist", `{"type":"RENAMED","object":{"kind":"ConfigMap"}}`},
		{"a MODIFIED without an object", `{"type":"MODIFIED"}`},
		{"the word null", `null`},
		{"HTML", `<html>`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			body := line("ADDED", "a", "5") + tc.line + "\n" + line("ADDED", "b", "6") + line("ADDED", "c", "7")
			d := NewDecoder(strings.NewReader(body))
			_, _ = d.Next()
			event, err := d.Next()
			v := exercise.Verdict{
				Expected: "between two events stands " + tc.name + ", " + tc.line + ", and Next refuses it with an " +
					"error that is neither io.EOF nor io.ErrUnexpectedEOF",
				Happened: "it returned " + outcome(event, err),
			}
			if errors.Is(err, io.ErrUnexpectedEOF) && strings.HasPrefix(tc.line, "{") {
				v.PointsTo = "the belief that io.ErrUnexpectedEOF says of a document that it is unfinished. It says " +
					"of the stream that it has ended, and this one goes on: a caller would watch again for the same"
			}
			exercise.Expect(t, err != nil && !isAnEnd(err), v)
		})
	}
}

func TestEmptyLine(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	after := line("ADDED", "b", "6")
	d := NewDecoder(strings.NewReader(line("ADDED", "a", "5") + "\n" + after))
	_, _ = d.Next()
	event, err := d.Next()
	exercise.Expect(t, err == nil && is(event, after) || err != nil && !isAnEnd(err), exercise.Verdict{
		Expected: "between two events is an empty line; Next returns the event behind it, or refuses the line with " +
			"an error that is neither io.EOF nor io.ErrUnexpectedEOF",
		Happened: "it returned " + outcome(event, err),
	})
}

// An ERROR or a refusal may be the last that Next says of the stream. What it says besides is true.
func TestAfterAnErrorOrARefusal(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	after := line("MODIFIED", "b", "6")
	for _, between := range []struct{ what, line string }{
		{"an ERROR", fakeapi.ErrorLine(410, "Expired", "too old")},
		{"an event of a type that does not exist", `{"type":"RENAMED","object":{"kind":"ConfigMap"}}` + "\n"},
		{"an ADDED without an object", `{"type":"ADDED"}` + "\n"},
	} {
		d := NewDecoder(strings.NewReader(line("ADDED", "a", "5") + between.line + after))
		_, _ = d.Next()
		event, err := d.Next()
		v := exercise.Verdict{
			Expected: "an ADDED, " + between.what + ", and a MODIFIED; the second call of Next returns an error",
			Happened: "it returned " + outcome(event, err),
		}
		exercise.Expect(t, err != nil, v)
		events := 0
		for call := range 3 {
			event, err = d.Next()
			if err == nil {
				events++
			}
			v.Expected = fmt.Sprintf("an ADDED, %s, and a MODIFIED; "+
				"after the second, call %d of Next returns the MODIFIED (once) or an error", between.what, call+3)
			v.Happened = "it returned " + outcome(event, err)
			exercise.Expect(t, err != nil || events == 1 && is(event, after), v)
		}
	}
}

func TestReadsOfNothingNotInARow(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	exercise.Bubble(t, func(t *testing.T) { // Next may take its time
		var parts []string
		for i := range 10 {
			event := line("ADDED", "a", fmt.Sprint(i))
			parts = append(append(parts, make([]string, 30)...), event[:40])
			parts = append(append(parts, make([]string, 30)...), event[40:])
		}
		events, event, err := take(NewDecoder(reads(io.EOF, parts...)), 11)
		exercise.Expect(t, len(events) == 10 && err == io.EOF, exercise.Verdict{
			Expected: "30 Reads bring nothing, then one brings half an event, and so on; " +
				"Next returns all 10 events, and then io.EOF",
			Happened: fmt.Sprintf("%s, then %s", count(len(events)), outcome(event, err)),
		})
	})
}

func TestErrorArrivesWhileTheStreamIsOpen(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	exercise.Bubble(t, func(t *testing.T) {
		s := openStream(t)
		s.write(line("ADDED", "a", "5"))
		s.expect(t, 1, "an event has come")
		s.write(fakeapi.ErrorLine(410, "Expired", "too old"))
		s.expect(t, 2, "then an ERROR has come")
	})
}

func TestLongEventArrivesWhileTheStreamIsOpen(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	exercise.Bubble(t, func(t *testing.T) {
		for _, length := range []int{100_000, 200_000} {
			s := openStream(t)
			s.write(line("ADDED", "b", "6"))
			s.write(lineOf(length))
			s.expect(t, 2, fmt.Sprintf("a short event has come, and then one of %d bytes", length))
			s.close()
		}
	})
}

func TestWhatAnEventLacksBehindAnother(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, tc := range []struct{ name, line string }{
		{"an event without a type", `{"object":{"kind":"ConfigMap"}}`},
		{"an event whose type is null", `{"type":null,"object":{"kind":"ConfigMap"}}`},
		{"an event whose object is null", `{"type":"MODIFIED","object":null}`},
		{"an object without members", `{}`},
	} {
		before := line("ADDED", "a", "5")
		d := NewDecoder(strings.NewReader(before + tc.line + "\n"))
		_, _ = d.Next()
		event, err := d.Next()
		v := exercise.Verdict{
			Expected: "behind an ADDED stands " + tc.name + ", " + tc.line + ", and Next refuses it with an error",
			Happened: "it returned " + outcome(event, err),
		}
		if err == nil && (event.Type == "ADDED" || is(event, before)) {
			v.PointsTo = "the belief that what is decoded into is empty. encoding/json leaves what a document does " +
				"not name, or names as null, as it is: here, as the event before left it"
		}
		exercise.Expect(t, err != nil && !isAnEnd(err), v)
	}
}

func TestLongObjectsAreTheCallersToKeep(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	var lines []string
	for i := range 6 {
		lines = append(lines, fakeapi.Line("ADDED", fakeapi.ConfigMap("default", fmt.Sprintf("object-%d", i), "5",
			"key", strings.Repeat(fmt.Sprint(i), 3_000<<i))))
	}
	events, _, err := take(NewDecoder(strings.NewReader(strings.Join(lines, "")+strings.Join(lines, ""))), 12)
	exercise.Expect(t, err == nil, exercise.Verdict{
		Expected: "12 events of 3 to 100 kB",
		Happened: fmt.Sprintf("%s, then %v", count(len(events)), err),
	})
	for i, event := range events {
		exercise.Expect(t, is(event, lines[i%6]), exercise.Verdict{
			Expected: fmt.Sprintf("after 12 calls of Next event %d, of %d bytes, is still that %s", i+1,
				len(lines[i%6]), objectName(lines[i%6])),
			Happened: "its Object is " + short(string(event.Object)),
		})
	}
}

func TestReadsOfNothingBetweenBytes(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	exercise.Bubble(t, func(t *testing.T) { // Next may take its time
		want := lineOf(600)
		var parts []string
		for _, b := range eachByte(want + line("ADDED", "b", "6")) {
			parts = append(parts, "", b)
		}
		event, err := NewDecoder(reads(io.EOF, parts...)).Next()
		exercise.Expect(t, err == nil && is(event, want), exercise.Verdict{
			Expected: "an event of 600 bytes, and each second Read brings nothing, each other one a byte; Next returns it",
			Happened: "it returned " + outcome(event, err),
		})
	})
}
