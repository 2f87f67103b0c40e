package upstreamtests

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAListIsRead(t *testing.T) {
	list, err := ParseList(`
# a comment
reason ahead chapters/05-a/UPSTREAM.md | what is read ahead
store TestA direct
store TestB rewrite norace synctest | a field
reflector TestC direct sometimes-fails=ahead
informer TestD transplant fails=ahead
others TestE not-applicable | Heap
`)
	require.NoError(t, err)
	assert.Equal(t, []Row{
		{Line: 4, Mechanism: "store", Test: "TestA", How: Direct},
		{Line: 5, Mechanism: "store", Test: "TestB", How: Rewrite, NoRace: true, Synctest: true, Note: "a field"},
		{Line: 6, Mechanism: "reflector", Test: "TestC", How: Direct, Fails: "ahead", Sometimes: true},
		{Line: 7, Mechanism: "informer", Test: "TestD", How: Transplant, Fails: "ahead"},
		{Line: 8, Mechanism: "others", Test: "TestE", How: NotApplicable, Note: "Heap"},
	}, list.Rows)
	assert.Equal(t, "what is read ahead", list.Reasons["ahead"].Cell)
	assert.Len(t, list.Of("store", "informer"), 3)
}

func TestALineThatSaysNothingIsRefused(t *testing.T) {
	for line, want := range map[string]string{
		"store TestA":                                      "a mechanism, a test and how it runs are expected",
		"storage TestA direct":                             "there is no mechanism storage",
		"store TestA directly":                             `"directly" is no way to run a test`,
		"store TestA direct maybe":                         `"maybe" says nothing`,
		"store TestA not-offered":                          "needs a note behind a |: why",
		"store TestA direct fails=ahead":                   "no line above it says what the reason ahead is",
		"store TestA not-applicable |  ":                   "needs a note behind a |: why",
		"reason x f | c\nstore TestA direct fails=x nora|": `tests.txt:2: "nora" says nothing`,
	} {
		_, err := ParseList(line)
		assert.ErrorContains(t, err, want, line)
	}
}

// folderOf makes client-go's folders with these tests.
func folderOf(t *testing.T, cache, workqueue string) string {
	dir := t.TempDir()
	for folder, text := range map[string]string{"tools/cache": "package cache\n" + cache,
		"util/workqueue": "package workqueue_test\n" + workqueue} {
		at := filepath.Join(dir, filepath.FromSlash(folder))
		require.NoError(t, os.MkdirAll(at, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(at, "a_test.go"), []byte(text), 0o600))
	}
	return dir
}

func TestTheListIsComparedWithClientGo(t *testing.T) {
	dir := folderOf(t, `
func TestMain(m *testing.M) {}
func TestKnown(t *testing.T) {}
func ExampleNew() {}
func helper() {}
func BenchmarkX(b *testing.B) {}
func (s suite) TestMethod(t *testing.T) {}
`, "func TestQueue(t *testing.T) {}\nfunc TestNew(t *testing.T) {}\n")
	list, err := ParseList(`store TestKnown direct
informer TestKnown direct
store TestGone direct
workqueue TestQueue direct
workqueue TestQueue direct
workqueue TestKnown direct
`)
	require.NoError(t, err)
	found, err := list.Compare(dir)
	require.NoError(t, err)
	assert.Equal(t, []Difference{
		{3, "k8s.io/client-go/tools/cache has no test TestGone any more"},
		{5, "TestQueue is there twice for workqueue"},
		{6, "k8s.io/client-go/util/workqueue has no test TestKnown any more"},
		{0, "ExampleNew of k8s.io/client-go/tools/cache is not listed"},
		{0, "TestNew of k8s.io/client-go/util/workqueue is not listed"},
	}, found)
}

func TestWithoutClientGoNothingIsCompared(t *testing.T) {
	_, err := List{}.Compare(t.TempDir())
	assert.ErrorContains(t, err, "no tests in")
}
