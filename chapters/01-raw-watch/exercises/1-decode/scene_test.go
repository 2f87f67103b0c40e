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
	reads int  // how often it was read
	given int  // how many bytes it has given
	ended bool // it has said so
}

func reads(end error, parts ...string) *body {
	return &body{parts: slices.Clone(parts), end: end}
}

func (b *body) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reads++
	if len(b.parts) == 0 {
		b.ended = true
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

func (b *body) hasEnded() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ended
}

func (b *body) used() (reads, given int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.reads, b.given
}

// write is what the server writes, told as the verdict needs it, and how often Next has returned when it has come.
type write struct {
	what, text string
	returned   int
}

// stream is a watch that stays open while somebody calls Next until it returns an error.
type stream struct {
	server   *io.PipeWriter
	texts    chan string // for the server to write, one after the other
	outcomes chan string
	enough   atomic.Bool // Next is called no more: how a stream ends belongs to a later stage
	over     atomic.Bool // Next has returned an error
	written  int
}

// expectWhileOpen opens a stream, and expects after each write that Next has returned so often by now. It belongs into
// a bubble.
func expectWhileOpen(t *testing.T, writes ...write) {
	t.Helper()
	body, server := io.Pipe()
	s := &stream{server: server, texts: make(chan string, 100), outcomes: make(chan string, 10_000)}
	defer s.close()
	go s.serve()
	go s.read(body)
	var so []string
	for _, w := range writes {
		s.write(w.text)
		so = append(so, w.what)
		s.expect(t, w.returned, strings.Join(so, ", "))
	}
}

func (s *stream) serve() {
	for text := range s.texts {
		_, _ = io.WriteString(s.server, text)
	}
}

func (s *stream) read(body io.Reader) {
	d := NewDecoder(body)
	for {
		event, err := d.Next()
		s.over.Store(err != nil)
		s.outcomes <- outcome(event, err)
		if err != nil || s.enough.Load() {
			return
		}
	}
}

// write lets the server write, and returns when what the learner's code does with the bytes is done. Time may pass
// meanwhile: to be slow is not to wait for more.
func (s *stream) write(text string) {
	s.written += len(text)
	if text != "" {
		s.texts <- text
	}
	time.Sleep(time.Minute)
	synctest.Wait()
}

// close brings the call of Next that waits what it waits for, and ends the stream.
func (s *stream) close() {
	s.enough.Store(true)
	s.write(line("ADDED", "z", "9"))
	close(s.texts)
	_ = s.server.Close()
}

// expect expects that Next has returned so often by now.
func (s *stream) expect(t *testing.T, times int, situation string) {
	t.Helper()
	got := len(s.outcomes)
	if got == times {
		return
	}
	v := exercise.Verdict{
		Expected: fmt.Sprintf("%s; then the stream stays open, and silent; %s", situation, returns(times)),
		Happened: "Next had returned " + s.returned(),
	}
	if got < times && !s.over.Load() {
		fillsABuffer := s.written >= 512
		then, belief := s.whatItWaitsFor()
		v.Happened += "; " + then
		if !fillsABuffer {
			v.PointsTo = belief
		}
	}
	exercise.Fail(t, v)
}

// whatItWaitsFor says what more has to come before Next returns once more. What it had returned is told already.
func (s *stream) whatItWaitsFor() (then, belief string) {
	for events, length := 1, 256; length <= 128<<10; events, length = events+1, 2*length {
		s.write(lineOf(length))
		switch {
		case len(s.outcomes) == 0:
		case events == 1:
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
	if len(s.outcomes) == 0 {
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

// described is what outcome tells of the event of a line of the server.
func described(line string) string {
	var event Event
	_ = json.Unmarshal([]byte(line), &event)
	return outcome(event, nil)
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

// expectCut expects of a body that ends behind so many bytes what is whole, and an end that says whether something is
// missing.
func expectCut(t *testing.T, lines []string, cut int) {
	t.Helper()
	exercise.Bubble(t, func(t *testing.T) { // Next may take its time
		all := strings.Join(lines, "")
		whole, rest := split(lines, cut)
		events, event, err := take(NewDecoder(strings.NewReader(all[:cut])), len(lines)+1)
		v := exercise.Verdict{Happened: fmt.Sprintf("%s, then %s", count(len(events)), outcome(event, err))}
		where := fmt.Sprintf("a stream that ends after %d of its %d bytes, %s and %d bytes of the next; ",
			cut, len(all), count(whole), len(rest))
		right := len(events) == whole && errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF)
		var syntax *json.SyntaxError
		switch {
		case rest == "":
			v.Expected = where + "Next returns the events, then io.EOF itself"
			right = len(events) == whole && err == io.EOF
		case rest+"\n" == lines[whole]: // only the line feed is missing
			v.Expected = where + "it lacks its line feed, and Next returns it and then io.EOF, or io.ErrUnexpectedEOF"
			right = right || len(events) == whole+1 && err == io.EOF
		default:
			v.Expected = where + "then errors.Is finds io.ErrUnexpectedEOF in the error, and not io.EOF"
			if len(events) == whole && errors.As(err, &syntax) {
				v.PointsTo = "the belief that half a document is the same as a document that is not JSON: " +
					"the one is cured by watching again, the other never, " +
					"and the caller can tell them apart only by the error"
			}
		}
		exercise.Expect(t, right, v)
	})
}

// expectRefusal expects an error for a document that is no event, with two events behind it.
func expectRefusal(t *testing.T, where string, before []string, document string) {
	t.Helper()
	after := line("ADDED", "b", "6")
	body := reads(io.EOF, slices.Concat(before, []string{document + "\n", after, line("ADDED", "c", "7")})...)
	d := NewDecoder(body)
	_, _, _ = take(d, len(before))
	event, err := d.Next()
	v := exercise.Verdict{
		Expected: where + ", " + document + "; Next refuses it with an error, neither io.EOF nor io.ErrUnexpectedEOF",
		Happened: "it returned " + outcome(event, err),
	}
	unfinished := strings.HasPrefix(document, "{") && !json.Valid([]byte(document))
	if unfinished && errors.Is(err, io.ErrUnexpectedEOF) && body.hasEnded() {
		return // to one that looks for the last brace, the rest of the body is inside of it
	}
	switch {
	case err == nil && is(event, after):
		v.PointsTo = "the belief that what one does not know can be skipped. " +
			"It was news, and the caller cannot know that there was any"
	case err == nil && event.Type == "":
		v.PointsTo = "the belief that JSON which decodes without an error is what was asked for. " +
			"encoding/json leaves out what it does not find and drops what it does not know"
	case err == nil && before != nil && event.Type == "ADDED":
		v.PointsTo = "the belief that what is decoded into is empty. encoding/json leaves what a document " +
			"does not name as it is: here, as the event before left it"
	case unfinished && errors.Is(err, io.ErrUnexpectedEOF):
		v.PointsTo = "the belief that io.ErrUnexpectedEOF says of a document that it is unfinished. It says " +
			"of the stream that it has ended, and this one goes on: a caller would watch again for the same"
	}
	exercise.Expect(t, err != nil && !isAnEnd(err), v)
}

// expectEvent expects that Next has returned the event of that line.
func expectEvent(t *testing.T, event Event, err error, line, situation string) {
	t.Helper()
	exercise.Expect(t, err == nil && is(event, line), exercise.Verdict{
		Expected: situation + " returns " + described(line),
		Happened: "it returned " + outcome(event, err),
	})
}

// whileOneWaits calls f, of which it waits for four seconds, while a Decoder has read the text and waits for more.
func whileOneWaits(text string, f func() string) string {
	quiet := newSilent(text)
	over := make(chan struct{})
	go func() {
		defer close(over)
		_, _, _ = take(NewDecoder(quiet), 3)
	}()
	<-quiet.waits
	returned := make(chan string, 1)
	go func() { returned <- f() }()
	happened := "Next had not returned after four seconds"
	select {
	case happened = <-returned:
	case <-time.After(4 * time.Second):
	}
	close(quiet.release)
	<-over
	return happened
}
