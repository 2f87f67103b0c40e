package decode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/fakeapi"
)

var leaks = exercise.LeakMeans("the belief that whoever has begun to read will be read from to the end. Nobody tells a goroutine that Next will not be " +
	"called again: a caller stops at an error, or when it has seen enough")

var hangs = exercise.HangMeans("a loop that goes round without reading: what ends it, when the reader has nothing more to give?")

// line is an event about a ConfigMap of the namespace default, as the server writes it.
func line(eventType, name, resourceVersion string) string {
	return fakeapi.Line(eventType, fakeapi.ConfigMap("default", name, resourceVersion, "key", "value"))
}

// reads returns a reader whose every Read returns one of the parts (or what fits of it), and in the end err.
func reads(err error, parts ...string) io.Reader {
	return &partReader{parts: slices.Clone(parts), err: err}
}

type partReader struct {
	parts []string
	err   error
}

func (r *partReader) Read(p []byte) (int, error) {
	for len(r.parts) > 0 && r.parts[0] == "" {
		r.parts = r.parts[1:]
	}
	if len(r.parts) == 0 {
		return 0, r.err
	}
	n := copy(p, r.parts[0])
	r.parts[0] = r.parts[0][n:]
	return n, nil
}

// split says how many of the lines are whole in the first cut bytes, and what is there of the next.
func split(lines []string, cut int) (whole int, rest string) {
	for _, l := range lines {
		if cut < len(l) {
			return whole, l[:cut]
		}
		cut -= len(l)
		whole++
	}
	return whole, ""
}

func count(events int) string {
	if events == 1 {
		return "1 event"
	}
	return fmt.Sprintf("%d events", events)
}

// outcome tells what Next returned.
func outcome(event Event, err error) string {
	switch {
	case err == io.EOF:
		return "io.EOF"
	case err != nil:
		return fmt.Sprintf("the error %q", short(err.Error()))
	case event.Type == "":
		return "an event without a type, and no error"
	}
	return fmt.Sprintf("%s %s", article(event.Type), objectName(string(event.Object)))
}

func article(eventType string) string {
	if strings.ContainsRune("AEIOU", rune(eventType[0])) {
		return "an " + eventType
	}
	return "a " + eventType
}

// objectName finds the name in an object or in a whole event.
func objectName(document string) string {
	var o struct {
		Metadata struct{ Name string }
		Object   struct{ Metadata struct{ Name string } }
		Kind     string
	}
	if json.Unmarshal([]byte(document), &o) != nil {
		return "with the object " + short(document)
	}
	if name := o.Metadata.Name + o.Object.Metadata.Name; name != "" {
		return "of " + name
	}
	return "with the object " + short(document)
}

func short(s string) string {
	if len(s) <= 100 {
		return s
	}
	return s[:60] + " ... " + s[len(s)-35:]
}

// sameText compares documents of megabytes: byte by byte where that is enough, which is fast under the race detector.
func sameText(got []byte, want string) bool {
	return string(got) == want || reflect.DeepEqual(exact(got), exact([]byte(want)))
}

// sameJSON says whether the event is that of the line: same type, same object, not one digit changed.
func sameJSON(event Event, line string) bool {
	var want Event
	if json.Unmarshal([]byte(line), &want) != nil || event.Type != want.Type {
		return false
	}
	return reflect.DeepEqual(exact(event.Object), exact(want.Object))
}

func exact(document []byte) any {
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err.Error()
	}
	return v
}

func expectObject(t *testing.T, event Event, line string) {
	t.Helper()
	exercise.Expect(t, sameJSON(event, line), exercise.Verdict{
		Expected: "the Object of " + article(event.Type) + " is the JSON that stands after \"object\": in " + short(strings.TrimSpace(line)),
		Happened: "it is " + short(string(event.Object)),
		PointsTo: "which part of the document is the event, and which the object",
	})
}

// pointsToType explains why Next returned something else than an event of the wanted type.
func pointsToType(want, got string, err error) string {
	switch {
	case want == "BOOKMARK" && err == nil:
		return "the belief that a bookmark tells nothing. It says how far the watch has come, and only the caller knows what that is worth"
	case err == io.EOF:
		return "an event that was in the stream is missing, and the caller cannot know"
	case err != nil:
		return "all four are changes or news of a watch that works; none of them is a failure"
	}
	return "each call of Next returns the event after the one before"
}
