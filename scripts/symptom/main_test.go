package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

func TestWhatIsSaidAndTheStatus(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	good := write("a.log", "x\ntoo old resource version: 17 (18)\nx\ntoo old resource version: 5 (6)\n")
	dull, empty := write("dull.log", "all is well\n"), write("empty.log", "")
	for name, c := range map[string]struct {
		args  []string
		stdin string
		code  int
		says  []string
		err   string
	}{
		"standard input": {nil, "too old resource version: 17 (18)", 0,
			[]string{"standard input: 1 row", "-fault expired"}, ""},
		"its name": {[]string{"-"}, "http2: client connection lost", 0, []string{"claim B-13"}, ""},
		"a file": {[]string{good}, "", 0,
			[]string{"lines 2 and 4", "reproduce go run ./chapters/02-list"}, ""},
		"two files":       {[]string{dull, good}, "", 0, []string{"dull.log: no message", "lines 2 and 4"}, ""},
		"nothing":         {nil, "all is well\n", 1, []string{"lines: 1", "in words"}, ""},
		"empty":           {[]string{empty}, "", 1, []string{"is empty"}, ""},
		"no text":         {nil, "a\x00\x01\x02", 1, []string{"is no text"}, ""},
		"compressed":      {nil, "\x1f\x8b", 2, nil, "gunzip"},
		"words":           {[]string{"everything", "handled", "twice"}, "", 0, []string{"TestAHandlerAddedTwice"}, ""},
		"a message":       {[]string{"the object has been modified; please"}, "", 0, []string{"rows"}, ""},
		"a whole one":     {[]string{"too old resource version: 9 (10)"}, "", 0, []string{"the message: 1 row"}, ""},
		"no such words":   {[]string{"zebra"}, "", 1, []string{"No row"}, ""},
		"no such file":    {[]string{"./no.log"}, "", 2, nil, "no.log"},
		"a folder":        {[]string{dir}, "", 2, nil, "is a folder"},
		"files and words": {[]string{good, "zebra"}, "", 2, nil, "give logs, or words"},
	} {
		var out bytes.Buffer
		code, err := run(root, c.args, false, strings.NewReader(c.stdin), &out)
		require.Equal(t, c.code, code, "%s: %v\n%s", name, err, out.String())
		for _, says := range c.says {
			require.Contains(t, out.String(), says, name)
		}
		if c.err != "" {
			require.ErrorContains(t, err, c.err, name)
			continue
		}
		require.NoError(t, err, name)
	}
}

// TestNobodyTypesALog: the null device is empty input, and no terminal.
func TestNobodyTypesALog(t *testing.T) {
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer null.Close()
	require.False(t, terminal(null))
}

func TestTheUsageFitsATerminal(t *testing.T) {
	for line := range strings.Lines(usage) {
		require.LessOrEqual(t, len(strings.TrimSpace(line)), 100, line)
	}
}
