package decode_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/1-decode"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
)

var leaks = exercise.LeakMeans("what tells a goroutine that Next will not be called again. " +
	"A caller stops at an error, or when it has seen enough, and says so to nobody")

var hangs = exercise.HangMeans("a wait or a loop that nothing ends: what ends it, when the reader has nothing more " +
	"to give, or fails each time it is asked?")

// line is an event about a ConfigMap of the namespace default, as the server writes it.
func line(eventType, name, resourceVersion string) string {
	return fakeapi.Line(eventType, fakeapi.ConfigMap("default", name, resourceVersion, "key", "value"))
}

// body is the body of a watch. Each Read returns one of the parts (or what fits of it), and a Read after the last part
// returns the end.
type body struct {
	end      error
	together bool // the end comes together with the last bytes

	mu    sync.Mutex // what follows: a goroutine of the learner's may read
	parts []string
	reads int // how often it was read
	given int // how many bytes it has given
}

func reads(end error, parts ...string) *body {
	return &body{parts: slices.Clone(parts), end: end}
}

func (b *body) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reads++
	if len(b.parts) == 0 {
		return 0, b.end
	}
	n := copy(p, b.parts[0])
	b.given += n
	b.parts[0] = b.parts[0][n:]
	if b.parts[0] == "" {
		b.parts = b.parts[1:]
	}
	if b.together && len(b.parts) == 0 {
		return n, b.end
	}
	return n, nil
}

func (b *body) used() (reads, given int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.reads, b.given
}

// stream is a watch that stays open while somebody calls Next until it returns an error.
type stream struct {
	server   *io.PipeWriter
	texts    chan string // for the server to write, one after the other
	outcomes chan string
	over     atomic.Bool // Next has returned an error
	written  int
}

// openStream belongs into a bubble.
func openStream(t *testing.T) *stream {
	body, server := io.Pipe()
	s := &stream{server: server, texts: make(chan string, 100), outcomes: make(chan string, 10_000)}
	t.Cleanup(s.close)
	texts := s.texts
	go func() {
		for text := range texts {
			_, _ = io.WriteString(server, text)
		}
	}()
	go func() {
		d := NewDecoder(body)
		for {
			event, err := d.Next()
			s.over.Store(err != nil)
			s.outcomes <- outcome(event, err)
			if err != nil {
				return
			}
		}
	}()
	return s
}

// write lets the server write, and returns when what the learner's code does with the bytes is done. Time may pass
// meanwhile: to be slow is not to wait for more.
func (s *stream) write(text string) {
	s.written += len(text)
	s.texts <- text
	time.Sleep(time.Minute)
	synctest.Wait()
}

// close ends the stream.
func (s *stream) close() {
	if s.texts != nil {
		close(s.texts)
		s.texts = nil
	}
	_ = s.server.Close()
}

// expect expects that Next has returned so often by now.
func (s *stream) expect(t *testing.T, returned int, situation string) {
	t.Helper()
	got := len(s.outcomes)
	if got == returned {
		return
	}
	v := exercise.Verdict{
		Expected: fmt.Sprintf("%s; then the stream stays open, and silent; %s", situation, returns(returned)),
		Happened: "Next had returned " + s.returned(),
	}
	if got < returned && !s.over.Load() {
		fillsABuffer := s.written >= 512
		then, belief := s.whatItWaitsFor(got)
		v.Happened += "; " + then
		if !fillsABuffer {
			v.PointsTo = belief
		}
	}
	exercise.Fail(t, v)
}

// whatItWaitsFor says what more has to come before Next returns once more.
func (s *stream) whatItWaitsFor(before int) (then, belief string) {
	for events, length := 1, 256; length <= 128<<10; events, length = events+1, 2*length {
		s.write(lineOf(length))
		switch {
		case len(s.outcomes) == before:
		case events == 1 && before == 0:
			return "the next time it did was when one more event was there",
				"the belief that something always follows. To return an event, " +
					"Next asked the reader for what comes after it, and on a quiet collection that takes hours"
		default:
			return fmt.Sprintf("the next time it did was when %s more, %d bytes in all, had come",
				count(events), s.written), ""
		}
	}
	_ = s.server.Close()
	time.Sleep(time.Minute)
	synctest.Wait()
	if len(s.outcomes) == before {
		return "it did not return when the stream had ended either", ""
	}
	return "the next time it did was when the stream had ended",
		"the belief that a response is there as a whole before it is taken apart. " +
			"This one may stay unfinished for an hour after its first event"
}

func (s *stream) returned() string {
	if len(s.outcomes) == 0 {
		return "nothing"
	}
	var all []string
	for range len(s.outcomes) {
		all = append(all, <-s.outcomes)
	}
	return strings.Join(all, ", ")
}

// lineOf is an event of that many bytes, its line feed among them.
func lineOf(length int) string {
	empty := len(fakeapi.Line("ADDED", fakeapi.ConfigMap("default", "a", "5", "key", "")))
	return fakeapi.Line("ADDED", fakeapi.ConfigMap("default", "a", "5", "key", strings.Repeat("x", length-empty)))
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

// take calls Next until it has returned that many events, or an error.
func take(d *Decoder, atMost int) (events []Event, event Event, err error) {
	for len(events) < atMost {
		if event, err = d.Next(); err != nil {
			break
		}
		events = append(events, event)
	}
	return events, event, err
}

func count(events int) string {
	if events == 1 {
		return "1 event"
	}
	return fmt.Sprintf("%d events", events)
}

func returns(times int) string {
	if times == 1 {
		return "Next returns once"
	}
	return fmt.Sprintf("Next returns %d times", times)
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
	if eventType != "" && strings.ContainsRune("AEIOU", rune(eventType[0])) {
		return "an " + eventType
	}
	return "a " + eventType
}

// objectName finds the name in an object or in a whole event.
func objectName(document string) string {
	var o struct {
		Metadata struct{ Name string }
		Object   struct{ Metadata struct{ Name string } }
	}
	name := ""
	if json.Unmarshal([]byte(document), &o) == nil {
		name = o.Metadata.Name + o.Object.Metadata.Name
	}
	switch {
	case name != "":
		return "of " + name
	case document == "":
		return "with an empty Object"
	}
	return "with the object " + short(document)
}

func short(s string) string {
	if len(s) <= 100 {
		return s
	}
	return s[:60] + " ... " + s[len(s)-35:]
}

// objectOf is what stands after "object": in a line of the server.
func objectOf(line string) string {
	_, object, _ := strings.Cut(line, `"object":`)
	return strings.TrimSuffix(strings.TrimSpace(object), "}")
}

// is says whether the event is that of the line: same type, same object, byte for byte.
func is(event Event, line string) bool {
	return strings.HasPrefix(line, `{"type":"`+event.Type+`",`) && string(event.Object) == objectOf(line)
}

func expectObject(t *testing.T, event Event, line string) {
	t.Helper()
	v := exercise.Verdict{
		Expected: "the Object of " + article(event.Type) + " is, byte for byte, " +
			"what stands after \"object\": in " + short(strings.TrimSpace(line)),
		Happened: "it is " + short(string(event.Object)),
	}
	if string(event.Object) == strings.TrimSpace(line) {
		v.PointsTo = "which part of the document is the event, and which the object"
	}
	exercise.Expect(t, is(event, line), v)
}

// heap is what the program holds in memory.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// endless is a body of events that differ from each other.
type endless struct {
	text   string // of each
	inside bool   // no Read ends where an event ends
	event  int
	left   string // of the event
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if e.left == "" {
			e.event++
			e.left = fmt.Sprintf(`{"type":"ADDED","object":{"name":"object-%d","key":%q}}`+"\n", e.event, e.text)
		}
		if e.inside && n > 0 && len(p)-n == len(e.left) {
			break
		}
		copied := copy(p[n:], e.left)
		n, e.left = n+copied, e.left[copied:]
		if !e.inside {
			break
		}
	}
	return n, nil
}

// silent is the body of a watch on which nothing happens any more.
type silent struct {
	first   string
	once    sync.Once
	waits   chan struct{} // closed when a Read waits
	release chan struct{} // to be closed: Reads end
}

func newSilent(first string) *silent {
	return &silent{first: first, waits: make(chan struct{}), release: make(chan struct{})}
}

func (s *silent) Read(p []byte) (int, error) {
	if s.first != "" {
		n := copy(p, s.first)
		s.first = s.first[n:]
		return n, nil
	}
	s.once.Do(func() { close(s.waits) })
	<-s.release
	return 0, io.EOF
}

// eachByte cuts letters in pieces, too.
func eachByte(text string) []string {
	parts := make([]string, len(text))
	for i := range parts {
		parts[i] = text[i : i+1]
	}
	return parts
}

// isAnEnd says whether a caller takes the error for an end of the stream.
func isAnEnd(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}
