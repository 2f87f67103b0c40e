package skips_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/skips"
)

func TestReasonIsWhatTheTestSaid(t *testing.T) {
	for name, c := range map[string]struct {
		output []string
		want   string
	}{
		"with the file and line before it": {
			[]string{"=== RUN   TestX\n", "    x_test.go:12: needs restart-server: kind can't\n",
				"--- SKIP: TestX (0.00s)\n"},
			"needs restart-server: kind can't",
		},
		"the last thing it said": {
			[]string{"    x_test.go:9: looking\n", "    x_test.go:12: this machine has no Docker engine\n"},
			"this machine has no Docker engine",
		},
		"nothing": {[]string{"--- SKIP: TestX (0.00s)\n"}, "gave no reason"},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, skips.Reason(c.output)) })
	}
}

func TestATestThatGoesQuietIsADifference(t *testing.T) {
	file := filepath.Join(t.TempDir(), "local.txt")
	listed := skips.Skip{Package: "internal/lab", Test: "TestA", Reason: "needs minor-version"}
	require.NoError(t, skips.Write(file, "local", []skips.Skip{listed, listed}))
	lines, err := skips.Read(file)
	require.NoError(t, err)
	assert.Len(t, lines, 1, "a skip that is reported twice is one line")
	assert.Empty(t, skips.Compare(lines, []skips.Skip{listed}))

	quiet := skips.Skip{Package: "internal/lab", Test: "TestB", Reason: "flaky today"}
	assert.Equal(t, []string{"skipped, and not in the list: internal/lab TestB: flaky today"},
		skips.Compare(lines, []skips.Skip{listed, quiet}))
	assert.Equal(t, []string{"in the list, and not skipped: internal/lab TestA: needs minor-version"},
		skips.Compare(lines, nil))
}

func TestASkipAboutTheMachineIsNeverCompared(t *testing.T) {
	machine := skips.Skip{Package: "internal/controlplane/kind", Test: "TestUp",
		Reason: "this machine has no Docker engine"}
	assert.Empty(t, skips.Compare(nil, []skips.Skip{machine}))
}
