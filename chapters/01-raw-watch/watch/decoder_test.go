package watch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// line returns an event as the API server writes it: a JSON document and a newline.
func line(t EventType, name string, more ...string) string {
	return fmt.Sprintf(`{"type":%q,"object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"namespace":"default",`+
		`"name":%q,"uid":"u-%s","resourceVersion":"7"%s}}}`, t, name, name, strings.Join(more, "")) + "\n"
}

// drain reads a stream to its end, and returns the events as "TYPE name" and the error that ended it.
func drain(d *Decoder) (events []string, err error) {
	for {
		e, err := d.Next()
		if err != nil {
			return events, err
		}
		meta, err := e.Meta()
		if err != nil {
			return events, err
		}
		events = append(events, fmt.Sprintf("%s %s", e.Type, meta.Name))
	}
}

func TestDecoderReadsWhatTheServerWrites(t *testing.T) {
	stream := line(Added, "a") + line(Modified, "a") + line(Deleted, "a") + line(Bookmark, "")
	want := []string{"ADDED a", "MODIFIED a", "DELETED a", "BOOKMARK "}
	for name, reader := range map[string]io.Reader{
		"at once":                   strings.NewReader(stream),
		"byte by byte":              iotest.OneByteReader(strings.NewReader(stream)),
		"in halves":                 iotest.HalfReader(strings.NewReader(stream)),
		"with the end in last read": iotest.DataErrReader(strings.NewReader(stream)),
		"all on one line":           strings.NewReader(strings.ReplaceAll(stream, "\n", "")),
		"each on several lines":     strings.NewReader(strings.ReplaceAll(stream, ",", ",\n")),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := drain(NewDecoder(reader))
			require.Equal(t, want, got)
			require.Equal(t, io.EOF, err, "an end between two events is the server's, and clean")
		})
	}
}

// An event is there with its last byte: nothing waits for the newline, which may come with the next event in an hour.
func TestDecoderDoesNotWaitForTheNextEvent(t *testing.T) {
	r, w := io.Pipe()
	defer r.Close()
	d := NewDecoder(r)
	for _, name := range []string{"a", "b", "c"} {
		go w.Write([]byte(strings.TrimSuffix(line(Added, name), "\n")))
		e, err := d.Next()
		require.NoError(t, err)
		meta, err := e.Meta()
		require.NoError(t, err)
		require.Equal(t, "default/"+name, meta.Key())
	}
}

func TestDecoderRefusesWhatIsNoEvent(t *testing.T) {
	for name, c := range map[string]struct{ stream, want string }{
		"unknown type":      {`{"type":"SYNCED","object":{}}`, `"SYNCED", which is no watch event`},
		"no type":           {`{"object":{}}`, `"", which is no watch event`},
		"no object":         {`{"type":"ADDED"}`, "ADDED event without an object"},
		"null object":       {`{"type":"ADDED","object":null}`, "ADDED event without an object"},
		"object is a list":  {`{"type":"ADDED","object":[]}`, "ADDED event without an object"},
		"no JSON":           {"<html>", "invalid character '<'"},
		"a type of its own": {`{"type":5,"object":{}}`, "cannot unmarshal number"},
	} {
		t.Run(name, func(t *testing.T) {
			d := NewDecoder(strings.NewReader(line(Added, "a") + c.stream + "\n" + line(Added, "b")))
			events, err := drain(d)
			require.Equal(t, []string{"ADDED a"}, events, "what came before the damage is good")
			require.ErrorContains(t, err, c.want)
			_, again := d.Next()
			require.Equal(t, err, again, "after an error the stream stays ended: what follows cannot be trusted")
		})
	}
}

// No line is too long. 3 MB is what the API server accepts as a request, and twice what etcd stores.
func TestDecoderReadsAnEventOf3MB(t *testing.T) {
	big := strings.Repeat("x", 3<<20)
	stream := line(Added, "a") + line(Modified, "big", `,"annotations":{"big":"`, big, `"}`) + line(Added, "b")
	d := NewDecoder(iotest.HalfReader(strings.NewReader(stream)))
	var sizes []int
	for range 3 {
		e, err := d.Next()
		require.NoError(t, err)
		meta, err := e.Meta()
		require.NoError(t, err)
		sizes = append(sizes, len(meta.Annotations["big"]))
	}
	require.Equal(t, []int{0, 3 << 20, 0}, sizes)
}

// Objects are the receiver's: the decoder's buffer is not shown to it.
func TestEventsDoNotShareMemory(t *testing.T) {
	d := NewDecoder(strings.NewReader(line(Added, "a") + line(Added, "b")))
	first, err := d.Next()
	require.NoError(t, err)
	before := string(first.Object)
	_, err = d.Next()
	require.NoError(t, err)
	require.Equal(t, before, string(first.Object))
}

func TestErrOfAnErrorEvent(t *testing.T) {
	e := Event{Type: Error, Object: json.RawMessage(`{"kind":"Status","apiVersion":"v1","status":"Failure",` +
		`"message":"too old resource version: 1 (5)","reason":"Expired","code":410}`)}
	var status *StatusError
	require.ErrorAs(t, e.Err(), &status)
	require.Equal(t, 410, status.Code)
	require.Equal(t, "Expired", status.Reason)
	require.EqualError(t, e.Err(), "the API server answered 410 Expired: too old resource version: 1 (5)")
	require.NoError(t, Event{Type: Deleted, Object: e.Object}.Err(), "only ERROR carries a Status")
}

func TestDecoderKeepsTheReadersError(t *testing.T) {
	broken := errors.New("connection reset by peer")
	_, err := drain(NewDecoder(io.MultiReader(strings.NewReader(line(Added, "a")), iotest.ErrReader(broken))))
	require.ErrorIs(t, err, broken)
}
