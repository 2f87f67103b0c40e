// Stage 1: each event, as soon as it is there

package decode_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/1-decode"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
)

func TestEventsComeOut(t *testing.T) {
	exercise.Attempted(t)
	d := NewDecoder(reads(io.EOF, line("ADDED", "a", "5"), line("ADDED", "b", "6")))
	for i, want := range []string{"an ADDED of a", "an ADDED of b"} {
		event, err := d.Next()
		exercise.Expect(t, outcome(event, err) == want, exercise.Verdict{
			Expected: fmt.Sprintf("a body of two events; call %d of Next returns event %d, %s", i+1, i+1, want),
			Happened: "it returned " + outcome(event, err),
		})
	}
}

func TestEveryTypeOfEvent(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	alike := line("ADDED", "b", "4")
	stream := []string{
		line("ADDED", "a", "5"), line("MODIFIED", "a", "6"), fakeapi.BookmarkLine("9"), line("DELETED", "a", "10"),
		alike, alike, fakeapi.BookmarkLine("11"),
	}
	d := NewDecoder(reads(io.EOF, stream...)) // each Read returns one line
	for i, want := range stream {
		event, err := d.Next()
		v := exercise.Verdict{
			Expected: fmt.Sprintf("call %d of Next returns the body's event %d, %s", i+1, i+1, described(want)),
			Happened: "it returned " + outcome(event, err),
		}
		if i > 0 && want == stream[i-1] {
			v.Expected += ", though the event before is like it"
		}
		if want == fakeapi.BookmarkLine("9") && err == nil && is(event, stream[i+1]) {
			v.PointsTo = "the belief that a bookmark tells nothing. " +
				"It says how far the watch has come, and only the caller knows what that is worth"
		}
		exercise.Expect(t, err == nil && described(want) == outcome(event, err), v)
		expectObject(t, event, want)
	}
}

func TestReadsAreNotEvents(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	a, b, c := line("ADDED", "a", "5"), line("ADDED", "b", "6"), line("MODIFIED", "a", "7")
	for _, tc := range []struct {
		name  string
		parts []string
	}{
		{"three events in one Read", []string{a + b + c}},
		{"one event in two Reads", []string{a[:20], a[20:], b, c}},
		{"an end and a beginning in one Read", []string{a[:20], a[20:] + b[:30], b[30:] + c}},
		{"a byte in each Read", eachByte(a + b + c)},
	} {
		body := reads(io.EOF, tc.parts...)
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
			case err != nil && err != io.EOF && readsNow == readsBefore+1:
				v.Happened += " after a single Read"
				v.PointsTo = "the belief that one Read of the body (or one HTTP chunk) brings one event, whole. " +
					"What is between here and the server cuts and joins the bytes as it likes"
			}
			exercise.Expect(t, err == nil && is(event, want), v)
			returned += len(want)
		}
	}
}

func TestEventArrivesWhileTheStreamIsOpen(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	a, b := line("ADDED", "a", "5"), line("ADDED", "b", "6")
	for _, writes := range [][]write{
		{{"an event has come", a, 1}},
		{{"an event has come", a, 1}, {"then a second", b, 2}, {"then a third", a, 3}},
		{{"two events have come in one piece", a + b, 2}},
		{{"an event has come, and half of the next", a + b[:40], 1}, {"then the other half", b[40:], 2}},
		{{"nothing has come", "", 0}},
		{{"an event has come", a, 1}, {"then one of 100,000 bytes", lineOf(100_000), 2}},
		{{"an event has come", a, 1}, {"then a BOOKMARK", fakeapi.BookmarkLine("9"), 2}},
	} {
		exercise.Bubble(t, func(t *testing.T) { expectWhileOpen(t, writes...) })
	}
	for size := 512; size <= 32<<10; size *= 2 { // a buffer is full at a power of two, and an event may end there
		exercise.Bubble(t, func(t *testing.T) {
			bytes := fmt.Sprintf("%d bytes", size)
			expectWhileOpen(t, write{"an event has come, of " + bytes, lineOf(size), 1})
			expectWhileOpen(t, write{"an event has come, one byte longer than " + bytes, lineOf(size + 1), 1})
			expectWhileOpen(t, write{"an event has come", b, 1},
				write{"then a second, and they have " + bytes, lineOf(size - len(b)), 2})
		})
	}
}

func TestLargeEvent(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	small := line("ADDED", "b", "6")
	for _, tc := range []struct{ size, text string }{
		{"100 kB", strings.Repeat("x", 100_000)},
		{"2.2 MB (a third of a megabyte of control characters)", strings.Repeat(`\u0001`, 366_000)},
	} {
		large := `{"type":"ADDED","object":{"data":{"key":"` + tc.text + `"},"metadata":{"name":"large"}}}` + "\n"
		d := NewDecoder(reads(io.EOF, small, large, small))
		for i, want := range []string{small, large, small} {
			event, err := d.Next()
			v := exercise.Verdict{
				Expected: fmt.Sprintf("two small events, and between them one of %s; "+
					"call %d of Next returns event %d, %s", tc.size, i+1, i+1, described(want)),
				Happened: "it returned " + outcome(event, err),
			}
			if want == large && err != nil {
				v.PointsTo = "the belief that an event is never longer than some buffer. " +
					"Nothing on the wire says so: " +
					"what is stored may hold a megabyte, and grows when it is written as JSON"
			}
			exercise.Expect(t, err == nil && is(event, want), v)
		}
	}
}

func TestWhatAnObjectHolds(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, tc := range []struct{ what, object string }{
		{"the number 2^53 + 1", `{"metadata":{"generation":9007199254740993}}`},
		{"a closing brace in a text", `{"data":{"a":"}"}}`},
		{"an opening brace in a text", `{"data":{"a":"{"}}`},
		{"escaped quotation marks, and braces behind them", `{"data":{"a":"\"}{\"{{"}}`},
		{"one escaped quotation mark, and a brace behind it", `{"data":{"a":"\"}"}}`},
		{"a text that ends in a backslash", `{"data":{"a":"\\","b":"}}"}}`},
		{"a document in a text", `{"data":{"a":"{\"type\":\"ERROR\",\"object\":{\"code\":410}}\n"}}`},
		{"a type of its own", `{"kind":"Secret","type":"ERROR","object":{"type":"BOOKMARK"}}`},
		{"blanks and tabs", `{ "kind" : "ConfigMap",` + "\t" + `"n" : [ 1 , 2 ], "data" : { } }`},
		{"letters that HTML escapes, as they are and escaped", `{"a":"<b>&</b> \u003cb\u003e \u0026 \/"}`},
		{"letters of two, three and four bytes, and half a surrogate", `{"ключ":"größer 数 🙂 ` + "\u2028" + ` \ud800"}`},
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
			if strings.Contains(string(event.Object), "9007199254740992") {
				v.PointsTo = "the belief that JSON which goes through a Go value and back is the same JSON. " +
					"In an any, every number is a float64"
			}
			exercise.Expect(t, err == nil && is(event, whole), v)
		}
	}
}
