package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

// The demo shows what the lesson says it shows.
func TestDemo(t *testing.T) {
	out := demotest.Play(t, demo())
	for _, want := range []string{
		"= new connection", "= reused connection", // 1
		"< ADDED    white", "< MODIFIED white", "< DELETED  white", // 2
		`> PATCH .../configmaps/white {"data":{"cups":"2"}}`,
		`< Transfer-Encoding: chunked\r\n`, `< 0\r\n`, // 3
		"asked for HTTP/1.1  HTTP/1.1          [chunked]  ADDED black                          2", // 4
		"asked for HTTP/2    HTTP/2.0                 []  ADDED black                          1",
		"Accept: application/vnd.kubernetes.protobuf;stream=watch", "..ADDED......k8s", // 5
		"< DELETED  black with drink=tea", // 6
		"6 of 6",                          // 7
	} {
		require.Contains(t, out, want)
	}
}

func TestDemoAsksWhatWillHappen(t *testing.T) {
	t.Parallel()
	demotest.Questions(t, demo())
}

// -wire prints the response whole: every byte can be read off the page.
func TestDemoWire(t *testing.T) {
	d := demo()
	d.Steps = d.Steps[:3]
	out := demotest.Play(t, d, "-wire")
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
	require.Regexp(t, `Transfer-Encoding: chunked\r\n\r\n[0-9a-f]+\r\n\{"type":"MODIFIED".*"cups":"2"\}\}\}\\n\r\n`,
		got)
	require.Contains(t, got, "\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n")
}

// Each failure can be seen, and ends well: the program shows what would go wrong, it does not go wrong.
func TestDemoFaults(t *testing.T) {
	want := map[string]string{
		"readall": "s after the write, when the server ended the watch",
		"scanner": "bufio.Scanner: token too long",
		"timeout": "Client.Timeout",
		"cut":     "= watch.Decoder: the watch stream was cut: unexpected EOF",
		"expired": "= Event.Err: the API server answered 410 Expired",
	}
	for _, fault := range demo().Faults {
		t.Run(fault.Name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, want, fault.Name)
			require.Contains(t, demotest.Play(t, demo(), "-fault", fault.Name), want[fault.Name])
		})
	}
	require.Contains(t, demotest.Refused(t, demo(), "-fault", "gremlins"),
		"there are readall, scanner, timeout, cut, expired")
}

// The commands of -interactive do what the chapter is about.
func TestInteractive(t *testing.T) {
	demotest.Interactive(t, demo(), "&watch=true",
		demotest.Typed{Command: "create configmap oolong", Shows: []string{"< ADDED oolong"}},
		demotest.Typed{Command: "label configmap oolong", Shows: []string{"< MODIFIED oolong"}},
		demotest.Typed{Command: "delete configmap oolong", Shows: []string{"< DELETED oolong"}})
}
