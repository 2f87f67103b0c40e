package upstreamtests

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestThePageCountsWhatTheListSays(t *testing.T) {
	list, err := ParseList(`reason ahead chapters/05-reflector/UPSTREAM.md | what is read ahead | It is dropped.
store TestA direct
store TestB rewrite norace | a field
store TestC not-offered | no metrics
fifo TestD transplant | over the queue
reflector TestE direct sometimes-fails=ahead
reflector TestF direct fails=ahead
pipeline TestA transplant
informer TestG not-applicable | Heap
informer TestH not-applicable | Heap
workqueue TestA direct
others TestI not-applicable | Heap
`)
	require.NoError(t, err)
	page := string(list.Document("v0.0.1", []Wrong{{What: "It is upside down.", Test: "TestX", Package: "chapters/a"},
		{What: "It is late.", Upstream: "TestA", Test: "TestY", Package: "chapters/b"}}))
	for _, want := range []string{
		"client-go has 10 tests", "at v0.0.1",
		"| store | [04](../chapters/04-store/README.md) | 2 | 0 | 1 | 0 |\n",
		"| reflector | [05](../chapters/05-reflector/README.md) | 0 | 1, and 1 sometimes | 0 | 0 |\n",
		"| informer | [07](../chapters/07-shared-informer/README.md) | 0 | 0 | 0 | 2 |\n",
		"1 more test", "4 run as they are", "1 uses unexported names", "2 are transplants",
		"| reflector | sometimes: TestE | [05](../chapters/05-reflector/UPSTREAM.md): what is read ahead | It is dropped. |",
		"| reflector | TestF |", "\nTestB has a data race of its own",
		"| TestG, TestH, TestI | Heap |\n", "| TestC | no metrics |\n",
		"| It is upside down. | **none** | [TestX](../chapters/a) |\n",
		"| It is late. | TestA | [TestY](../chapters/b) |\n",
	} {
		assert.Contains(t, page, want)
	}
}

const wrongQueue = `// Wrong: It adds nothing.
// Base: chapters/a/queue.go
// Mechanism: fifo
// Upstream: none
// Book: chapters/a TestAdd

//go:build wrong

package a

func Add() int { return 0 }
`

func TestAWrongMechanismIsLaidOverItsFile(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	write("chapters/a/queue.go", "package a\n\nfunc Add() int { return 1 }\n\nfunc Get() int { return 2 }\n")
	write(WrongDir+"/adds-nothing.go", wrongQueue)
	all, err := ReadWrong(root)
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, "adds-nothing", all[0].Name)
	assert.Empty(t, all[0].Upstream)
	assert.Equal(t, "TestAdd", all[0].Test)
	merged := string(all[0].Instead()["chapters/a/queue.go"])
	assert.Contains(t, merged, "return 0")
	assert.Contains(t, merged, "func Get() int { return 2 }")
	assert.NotContains(t, merged, "return 1")

	write(WrongDir+"/adds-nothing.go", wrongQueue[len("// Wrong: It adds nothing.\n"):])
	_, err = ReadWrong(root)
	assert.ErrorContains(t, err, "adds-nothing.go: its header lacks Wrong:")
}
