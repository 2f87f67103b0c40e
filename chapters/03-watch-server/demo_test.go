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

// play runs the demo as `go run` does, on the tests' cluster, and returns what it printed.
func play(t *testing.T, args ...string) string {
	t.Helper()
	cluster.Shared(t)
	_, err := kubectlOnce() // built before the demo's clock runs
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var b bytes.Buffer
	code := lab.Run(ctx, demo, args, strings.NewReader(""), &b)
	require.Equal(t, 0, code, b.String())
	for line := range strings.Lines(b.String()) {
		require.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), 100, line)
	}
	return b.String()
}

// has checks lines with their blanks squeezed: columns move with what stands in them.
func has(t *testing.T, out string, lines ...string) {
	t.Helper()
	squeezed := strings.Join(strings.Fields(out), " ")
	for _, l := range lines {
		require.Contains(t, squeezed, l, out)
	}
}

// The demo shows what the lesson says it shows.
func TestDemo(t *testing.T) {
	has(t, play(t),
		"< both configmap/colour created", "< both configmap/colour labeled", // 1
		"server has no kubectl apply; use kubectl create", "< kube-apiserver configmap/shade created",
		"< both ADDED colour=red", "< both MODIFIED colour=blue", "< both DELETED colour=blue", // 2
		"update green OnUpdate green OnUpdate green",             // 3
		"second client, from the same 409 Conflict 409 Conflict", // 4
		"the same once more 200, same version 200, same version",
		"< ERROR 410 Expired: too old resource version: 2 (3)", // 5
	)
}

func TestFaults(t *testing.T) {
	has(t, play(t, "-fault", "noflush"), "a second later the client has nothing")
	has(t, play(t, "-fault", "slow"), "= 300, none lost")
	has(t, play(t, "-fault", "lost"), "without resourceVersion 200, 200 200, 200", "with resourceVersion 200, 409 200, 409")
}
