package main

import (
	"bytes"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/upstreamtests"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

const root = "../.."

func TestMain(m *testing.M) { testkit.Main(m) }

func committedList(t *testing.T) upstreamtests.List {
	text, err := os.ReadFile(filepath.Join(root, upstreamtests.ListFile))
	require.NoError(t, err)
	list, err := upstreamtests.ParseList(string(text))
	require.NoError(t, err)
	return list
}

// TestShimsAreWrittenAsGoIs: their name keeps them from the checks of Go files.
func TestShimsAreWrittenAsGoIs(t *testing.T) {
	names, err := fs.Glob(shims(), "*.go.txt")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		text, err := fs.ReadFile(shims(), name)
		require.NoError(t, err)
		formatted, err := format.Source(text)
		require.NoError(t, err, name)
		assert.True(t, bytes.Equal(formatted, text), "%s is not formatted", name)
		for i, line := range strings.Split(string(text), "\n") {
			columns := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
			assert.LessOrEqual(t, columns, 120, "%s:%d", name, i+1)
		}
	}
}

func TestTheCommandLine(t *testing.T) {
	r, err := parse([]string{"-run", "RealFIFO", "-race", "fifo"})
	require.NoError(t, err)
	assert.True(t, r.race)
	assert.True(t, r.run.MatchString("TestRealFIFO_basic"))
	assert.Equal(t, []string{"fifo"}, r.mechanisms)
	_, err = parse([]string{"queue"})
	assert.ErrorContains(t, err, "there is no mechanism queue: there are [store fifo")
	_, err = parse([]string{"-run", "("})
	assert.Error(t, err)
	_, err = run(t.Context(), []string{"-run", "TestNone"})
	assert.ErrorContains(t, err, "no test that runs has such a name")
}

func TestTheReportSaysWhatIsNotAsListed(t *testing.T) {
	ahead := upstreamtests.Reason{File: "a/UPSTREAM.md", Cell: "the cell"}
	list := upstreamtests.List{Reasons: map[string]upstreamtests.Reason{"ahead": ahead}}
	result := func(test, fails string, passed bool, flaky string) upstreamtests.Result {
		return upstreamtests.Result{Row: upstreamtests.Row{Line: 7, Mechanism: "store", Test: test, Fails: fails,
			How: upstreamtests.Direct}, Outcome: upstreamtests.Outcome{Passed: passed, Says: "it says"}, Flaky: flaky}
	}
	var out bytes.Buffer
	report(&out, list, []upstreamtests.Result{
		result("TestGood", "", true, ""), result("TestBad", "", false, ""), result("TestKnown", "ahead", false, ""),
		result("TestMended", "ahead", true, ""), result("TestFlaky", "", true, "at first"),
	}, false)
	for _, want := range []string{
		"FAIL  store     TestBad (0.0s)  it says\n",
		"as known: TestKnown fails: the cell (a/UPSTREAM.md)\n",
		"scripts/upstream-tests/tests.txt:7: TestMended passes, and the list says that it fails\n",
		"FLAKY: TestFlaky failed, and then passed: at first\n",
		"store             3        2            0               0\n",
	} {
		assert.Contains(t, out.String(), want)
	}
	assert.NotContains(t, out.String(), "TestGood")
}

// quick are mechanisms that are wrong, one a build. Each is compiled, and client-go's test has to notice. The others
// are proven by the flag -prove.
var quick = []string{"store-keeps-old-values", "informer-forgets-late-handlers", "workqueue-two-workers"}

func TestClientGosTestsNoticeWhatIsWrong(t *testing.T) {
	absolute, err := filepath.Abs(root)
	require.NoError(t, err)
	all, err := upstreamtests.ReadWrong(absolute)
	require.NoError(t, err)
	harness := upstreamtests.Harness{Root: absolute, Shims: shims()}
	for _, name := range quick {
		t.Run(name, func(t *testing.T) {
			i := slices.IndexFunc(all, func(w upstreamtests.Wrong) bool { return w.Name == name })
			require.GreaterOrEqual(t, i, 0, "no %s/%s.go", upstreamtests.WrongDir, name)
			require.NotEmpty(t, all[i].Upstream)
			wrong, err := all[i].Prove(t.Context(), harness, committedList(t))
			require.NoError(t, err)
			assert.Empty(t, wrong)
		})
	}
	t.Run("a header that is wrong", func(t *testing.T) {
		i := slices.IndexFunc(all, func(w upstreamtests.Wrong) bool { return w.Mechanism == "workqueue" })
		require.GreaterOrEqual(t, i, 0)
		all[i].Upstream = "TestItemFastSlowRateLimiter"
		wrong, err := all[i].Prove(t.Context(), harness, committedList(t))
		require.NoError(t, err)
		assert.Equal(t, "TestItemFastSlowRateLimiter passes all the same", wrong)
	})
}
