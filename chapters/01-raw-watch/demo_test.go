package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// play runs the demo as `go run` does, on the tests' cluster, and returns its exit code and what it printed.
func play(t *testing.T, d lab.Demo, in string, args ...string) (code int, out string) {
	t.Helper()
	cluster.Shared(t)
	ctx, cancel := context.WithTimeout(t.Context(), 45*time.Second)
	defer cancel()
	everyByte = false
	var b bytes.Buffer
	code = lab.Run(ctx, d, args, strings.NewReader(in), &b)
	return code, b.String()
}

// The demo shows what the lesson says it shows, fits the page, and leaves its namespace to be deleted.
func TestDemo(t *testing.T) {
	cluster.Shared(t) // starting, and perhaps building, it is not the demo's time
	start := time.Now()
	code, out := play(t, demo, "")
	require.Equal(t, 0, code, out)
	require.Less(t, time.Since(start), 30*time.Second)
	for _, want := range []string{
		"= new connection", "= reused connection", // 1
		"< ADDED    white", "< MODIFIED white", "< DELETED  white", // 2
		`< Transfer-Encoding: chunked\r\n`, `< 0\r\n`, // 3
		"asked for HTTP/1.1  HTTP/1.1          [chunked]  ADDED black                          2", // 4
		"asked for HTTP/2    HTTP/2.0                 []  ADDED black                          1",
		"application/vnd.kubernetes.protobuf;stream=watch", "..ADDED......k8s", // 5
		"< DELETED  black with drink=tea", // 6
		"6 of 6",                          // 7
		"is deleted.",
	} {
		require.Contains(t, out, want)
	}
	require.NotContains(t, out, "\x1b", "no colours outside a terminal")
	for line := range strings.Lines(out) {
		require.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), 100, line)
	}
}

// -wire prints the response whole: every byte can be read off the page.
func TestDemoWire(t *testing.T) {
	d := demo
	d.Steps = demo.Steps[:3]
	code, out := play(t, d, "", "-wire")
	require.Equal(t, 0, code, out)
	_, wire, _ := strings.Cut(out, "── 3/3")
	require.NotContains(t, wire, "more)...")
	var joined strings.Builder // the lines the server sent, put together again
	for line := range strings.Lines(wire) {
		if sent, ok := strings.CutPrefix(line, "   < "); ok {
			joined.WriteString(strings.TrimSuffix(sent, "\n"))
		}
	}
	got := strings.ReplaceAll(joined.String(), `\r\n`, "\r\n")
	require.Contains(t, got, "\r\nAudit-Id: ")
	require.Regexp(t, `Transfer-Encoding: chunked\r\n\r\n[0-9a-f]+\r\n\{"type":"MODIFIED".*"cups":"2"\}\}\}\\n\r\n`, got)
	require.Contains(t, got, "\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n")
}

// Each failure can be seen, and ends well: the program shows what would go wrong, it does not go wrong.
func TestDemoFaults(t *testing.T) {
	for name, want := range map[string]string{
		"readall": "s after the write, when the server ended the watch",
		"scanner": "bufio.Scanner: token too long",
		"timeout": "Client.Timeout",
		"cut":     "= watch.Decoder: the watch stream was cut: unexpected EOF",
		"expired": "= Event.Err: the API server answered 410 Expired",
	} {
		t.Run(name, func(t *testing.T) {
			d := demo
			d.Pick = steps
			defer func() { fault = "" }()
			code, out := play(t, d, "", "-fault", name)
			require.Equal(t, 0, code, out)
			require.Contains(t, out, want)
		})
	}
	require.Len(t, failures, 5)
	code, out := play(t, demo, "", "-fault", "gremlins")
	require.Equal(t, 2, code)
	require.Contains(t, out, "none of cut, expired, readall, scanner, timeout")
}

func TestDemoStepsAndFlags(t *testing.T) {
	d := demo
	d.Steps = demo.Steps[:2]
	code, out := play(t, d, "\n", "-step")
	require.Equal(t, 0, code, out)
	require.Equal(t, 1, strings.Count(out, "[Enter]"), "between the steps")
	for _, args := range [][]string{{"-fast"}, {"now"}} {
		code, out = play(t, demo, "", args...)
		require.Equal(t, 2, code)
		require.Contains(t, out, "usage: go run ./chapters/01-raw-watch")
		require.NotContains(t, out, "namespace", "nothing was started")
	}
}
