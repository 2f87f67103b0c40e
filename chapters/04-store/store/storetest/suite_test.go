package storetest

import (
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// rejected are stores with one fault each, the part of the suite that finds it, and what the part says.
var rejected = map[string]struct {
	store New
	part  string
	says  []string
}{
	"merging": {breaking(func(w whole) cache.Indexer { return merging{w} }), "sequential",
		[]string{", after Replace ["}},
	"quiet delete": {breaking(func(w whole) cache.Indexer { return quietDelete{w} }), "sequential",
		[]string{"LastStoreSyncResourceVersion, after "}},
	"stale": {newStale, "sequential",
		[]string{"IndexKeys("}},
	"late index": {breaking(func(w whole) cache.Indexer { return lateIndex{w} }), "sequential",
		[]string{"(count"}},
	"found twice": {breaking(func(w whole) cache.Indexer { return foundTwice{w} }), "sequential",
		[]string{"Index(tags, "}},
	"all or none": {breaking(func(w whole) cache.Indexer { return allOrNone{w} }), "sequential",
		[]string{"expected a TransactionError: [", "happened a TransactionError: []"}},
	"own slice": {breaking(func(w whole) cache.Indexer { return ownSlice{w, &sync.Map{}} }), "sequential",
		[]string{"ListKeys, after ", `happened [""`}},
	"emptied": {breaking(func(w whole) cache.Indexer { return emptied{w} }), "concurrent",
		[]string{"while a writer writes", "Replace ["}},
	"one by one": {breaking(func(w whole) cache.Indexer { return oneByOne{w} }), "concurrent",
		[]string{"while a writer writes", "Transaction ["}},
	"key by key": {breaking(func(w whole) cache.Indexer { return keyByKey{w} }), "concurrent",
		[]string{"ByIndex(", "while a writer writes"}},
	"upstream's own map": {upstream, "indexers",
		[]string{"and an error"}},
}

func breaking(whole func(whole) cache.Indexer) New {
	return func(keyFunc cache.KeyFunc, indexers cache.Indexers) cache.Indexer {
		return whole(newWhole(keyFunc, indexers))
	}
}

// TestCase gives a broken store to the suite, in a process of its own; without one it does nothing.
func TestCase(t *testing.T) {
	if name := os.Getenv("STORETEST_CASE"); name != "" {
		Run(t, rejected[name].store)
	}
}

// TestRejects shows that the suite finds each fault, and says what was expected and what happened.
func TestRejects(t *testing.T) {
	for name, c := range rejected {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			suite := exec.Command(os.Args[0], "-test.run=^TestCase$/^"+c.part+"$", "-rapid.nofailfile",
				"-rapid.shrinktime=1s", "-test.timeout=2m")
			suite.Env = append(os.Environ(), "STORETEST_CASE="+name)
			out, err := suite.CombinedOutput()
			require.Error(t, err, "the suite accepts this store")
			for _, text := range append(c.says, "expected ", "happened ", "--- FAIL: TestCase/"+c.part) {
				require.Contains(t, string(out), text)
			}
		})
	}
}

// TestAccepts shows that none of the parts that upstream passes refuses it.
func TestAccepts(t *testing.T) {
	Sequential(t, upstream)
	Concurrent(t, upstream)
}
