// Stage 3: what is no change

package decode_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/1-decode"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
)

func TestAnErrorIsAnError(t *testing.T) {
	exercise.Attempted(t)
	d := NewDecoder(reads(io.EOF, line("ADDED", "a", "5"), fakeapi.ErrorLine(410, "Expired", "too old")))
	_, _ = d.Next()
	event, err := d.Next()
	exercise.Expect(t, err != nil, exercise.Verdict{
		Expected: "behind an ADDED stands an ERROR; the second call of Next returns an error",
		Happened: "it returned " + outcome(event, err),
	})
}

func TestErrorEvent(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	var got []*StatusError
	wants := []StatusError{
		{410, "Expired", "too old resource version: 5 (812)"},
		{403, "Forbidden", `configmaps is forbidden: User "eve" cannot watch`},
		{500, "InternalError", "unable to decode an event from the watch stream"},
	}
	for _, want := range wants {
		d := NewDecoder(strings.NewReader(line("ADDED", "a", "5") +
			fakeapi.ErrorLine(want.Code, want.Reason, want.Message)))
		_, _ = d.Next()
		event, err := d.Next()
		v := exercise.Verdict{
			Expected: fmt.Sprintf("an ERROR with the Status %d %s comes out of Next "+
				"as an error in which errors.As finds a *StatusError, and errors.Is neither io.EOF nor io.ErrUnexpectedEOF",
				want.Code, want.Reason),
			Happened: "it returned " + outcome(event, err),
		}
		switch {
		case err == io.EOF:
			v.PointsTo = "the belief that an event which changes no object is no news, " +
				"or that the end of the stream tells it again. This stream ends well: " +
				"to the caller it now looks like a watch that the server finished, to be resumed where it stopped"
		case err != nil && !isAnEnd(err) && strings.Contains(err.Error(), want.Message):
			v.PointsTo = "the belief that an error is a text for people. " +
				"A caller has to tell a 410 from a 500 without reading English"
		}
		var status *StatusError
		exercise.Expect(t, errors.As(err, &status) && status != nil && !isAnEnd(err), v)
		got = append(got, status)
	}
	for i, want := range wants { // now that all have come out
		v := exercise.Verdict{
			Expected: fmt.Sprintf("the *StatusError has code %d, reason %s, message %q", want.Code, want.Reason,
				want.Message),
			Happened: fmt.Sprintf("it has code %d, reason %q, message %q", got[i].Code, got[i].Reason, got[i].Message),
		}
		if *got[i] == (StatusError{}) {
			v.PointsTo = "where the Status stands: it is the object of the event, not the event"
		}
		exercise.Expect(t, *got[i] == want, v)
	}
	exercise.Bubble(t, func(t *testing.T) {
		expectWhileOpen(t, write{"an event has come", line("ADDED", "a", "5"), 1},
			write{"then an ERROR has come", fakeapi.ErrorLine(410, "Expired", "too old"), 2})
	})
}

func TestNotAWatchEvent(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, tc := range []struct{ name, line string }{
		{"a Status, as in the body of a refusal", `{"kind":"Status","reason":"Forbidden","code":403}`},
		{"a list, as without watch=true", `{"kind":"ConfigMapList","metadata":{"resourceVersion":"7"},"items":[]}`},
		{"an event of a type that does not exist", `{"type":"RENAMED","object":{"kind":"ConfigMap"}}`},
		{"an event whose type is written small", `{"type":"added","object":{"kind":"ConfigMap"}}`},
		{"an event without a type", `{"object":{"kind":"ConfigMap"}}`},
		{"an empty object", `{}`},
		{"a number", `42`},
		{"HTML from something in between", `<html><body>Bad Gateway</body></html>`},
		{"an event that lacks its last brace", `{"type":"ADDED","object":{"kind":"ConfigMap"}`},
	} {
		expectRefusal(t, "the body begins with "+tc.name, nil, tc.line)
		expectRefusal(t, "behind an ADDED stands "+tc.name, []string{line("ADDED", "a", "5")}, tc.line)
	}
}
