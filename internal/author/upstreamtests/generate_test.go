package upstreamtests

import (
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// upstream is a package as upstream's are: a queue that is replaced, and what is around it.
var upstream = map[string]string{
	"queue.go": `package cache

import (
	"fmt"
	"k8s.io/klog/v2"
)

// Queue is replaced.
type Queue struct{ items []int }

func (q *Queue) Add(i int) { klog.Info(i); q.items = append(q.items, i) }

func NewQueue() *Queue { return &Queue{} }

// Key stays upstream's.
type Key string

func Print(k Key) { fmt.Println(k) }

func Map[T any](in []T) []T { return in }

const (
	first = iota
	second
)

var A = 1

var b = 2
`,
	"consumer.go": `package cache

import "time"

// Consumer reaches what is replaced.
type Consumer struct{ q *Queue }

func (c *Consumer) Run() { _ = time.Now() }

func NewConsumer() *Consumer { return &Consumer{NewQueue()} }

// Unused reaches it as well.
func Unused() { NewQueue() }
`,
	"queue_test.go": `package cache

import (
	"strings"
	"testing"
	"time"
)

func TestQueue(t *testing.T) {
	q := NewQueue()
	help(q)
	if len(q.items) != second {
		t.Fatal(strings.ToUpper("x"), Map([]int{b}))
	}
}

func help(q *Queue) { q.Add(1); Print(Key("k")) }

func (q *Queue) peek() int { return q.items[0] }

func TestOther(t *testing.T) { _ = time.Now() }

func TestConsumer(t *testing.T) { NewConsumer().Run() }

func TestWaits(t *testing.T) {
	time.Sleep(time.Millisecond)
}

func TestWaitsInParts(t *testing.T) {
	for range 2 {
		t.Run("part", func(t *testing.T) {
			time.Sleep(time.Millisecond)
		})
	}
}
`,
}

const queueShim = `package cache

type Queue struct{}

func NewQueue() *Queue { return &Queue{} }

func (q *Queue) Add(int) {}

func (q *Queue) getItems() []int { return nil }
`

// made generates a package for some tests of upstream's.
func made(t *testing.T, tests ...string) map[string]string {
	dir := t.TempDir()
	at := filepath.Join(dir, "tools", "cache")
	require.NoError(t, os.MkdirAll(at, 0o755))
	for name, text := range upstream {
		require.NoError(t, os.WriteFile(filepath.Join(at, name), []byte(text), 0o600))
	}
	before := selectors
	selectors = []selector{{"queue_test.go", "items", "getItems"}}
	t.Cleanup(func() { selectors = before })
	var rows []Row
	for _, test := range tests {
		rows = append(rows, Row{Mechanism: "store", Test: test, How: Direct,
			Synctest: strings.HasPrefix(test, "TestWaits")})
	}
	files, err := generate(build{name: "parts", folder: "tools/cache", shims: []string{"queue.go.txt"}}, dir,
		fstest.MapFS{"queue.go.txt": {Data: []byte(queueShim)}}, rows)
	require.NoError(t, err)
	out := map[string]string{}
	for name, text := range files {
		_, err := format.Source(text)
		require.NoError(t, err, "%s:\n%s", name, text)
		out[name] = string(text)
	}
	return out
}

func TestATestComesWithItsHelpers(t *testing.T) {
	files := made(t, "TestQueue")
	test := files["queue_test.go"]
	assert.Contains(t, test, "func TestQueue")
	assert.Contains(t, test, "func help")
	assert.Contains(t, test, "len(q.getItems())", "a field that a shim shows by a method")
	assert.NotContains(t, test, "TestOther")
	assert.NotContains(t, test, `"time"`, "an import that nothing uses any more")
	assert.Equal(t, line(upstream["queue_test.go"], "func help"), line(test, "func help"), "lines keep their numbers")
	assert.Contains(t, test, "peek", "a method of the tests' on the type")
}

func TestAMomentOfRealTimeIsMadeVirtual(t *testing.T) {
	test := made(t, "TestQueue", "TestWaits", "TestWaitsInParts")["queue_test.go"]
	assert.Contains(t, test, "func TestWaits(t *testing.T) { inBubble(t, func(t *testing.T) {\n\ttime.Sleep")
	assert.Contains(t, test, `t.Run("part", func(t *testing.T) { inBubble(t, func(t *testing.T) {`)
	assert.Equal(t, 2, strings.Count(test, "inBubble"), "a test with parts is no bubble of its own, nor are other tests")
	assert.Equal(t, line(upstream["queue_test.go"], "for range 2"), line(test, "for range 2"))
}

func TestWhatReachesTheReplacedIsCompiledAnew(t *testing.T) {
	files := made(t, "TestConsumer")
	borrowed := files["ours_borrowed_consumer_test.go"]
	assert.Contains(t, borrowed, "type Consumer struct")
	assert.Contains(t, borrowed, "func (c *Consumer) Run()")
	assert.Contains(t, borrowed, "func NewConsumer()")
	assert.NotContains(t, borrowed, "func Unused")
	assert.NotContains(t, files["ours_aliases_test.go"], "Consumer")
	assert.NotContains(t, files["ours_aliases_test.go"], "Unused", "it would lead to upstream's queue")
}

func TestWhatDoesNotReachItIsUpstreams(t *testing.T) {
	files := made(t, "TestQueue")
	aliases := files["ours_aliases_test.go"]
	for _, want := range []string{"type Key = upstream.Key", "var Print = upstream.Print", "var A = upstream.A"} {
		assert.Contains(t, aliases, want)
	}
	assert.NotContains(t, aliases, "Queue")
	borrowed := files["ours_borrowed_queue_test.go"]
	assert.Contains(t, borrowed, "first = iota", "a group that counts is whole")
	assert.Contains(t, borrowed, "func Map[T any]", "there is no alias of a generic function")
	assert.NotContains(t, borrowed, "type Queue")
	assert.NotContains(t, borrowed, "klog")
}

// line is the number of the line on which a text stands.
func line(text, what string) int {
	before, _, _ := strings.Cut(text, what)
	return strings.Count(before, "\n")
}
