package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

// withKubectl builds kubectl before a demo's clock runs.
func withKubectl(t *testing.T) {
	t.Helper()
	_, err := findKubectl()
	require.NoError(t, err)
}

// The demo shows what the lesson says it shows.
func TestDemo(t *testing.T) {
	withKubectl(t)
	demotest.Has(t, demotest.Play(t, demo()),
		"< both configmap/colour created", "< both configmap/colour labeled", // 1
		"server has no kubectl apply; use kubectl create", "< kube-apiserver configmap/shade created",
		// 2
		"< both ADDED colour=red", "< both MODIFIED colour=blue",
		"> DELETE .../configmaps/colour < both DELETED colour=blue",
		"update green OnUpdate green OnUpdate green",             // 3
		"second client, from the same 409 Conflict 409 Conflict", // 4
		"the same once more 200, same version 200, same version",
		// 5
		"> GET .../configmaps?watch=true&timeoutSeconds=1&resourceVersion=2 < 200 OK < ERROR 410 Expired: "+
			"too old resource version: 2 (3)",
	)
}

func TestDemoAsksWhatWillHappen(t *testing.T) {
	withKubectl(t)
	demotest.Questions(t, demo())
}

func TestDemoFaults(t *testing.T) {
	demotest.Has(t, demotest.Play(t, demo(), "-fault", "noflush"), "a second later the client has nothing")
	demotest.Has(t, demotest.Play(t, demo(), "-fault", "slow"),
		"The store dropped the slow watcher after write", "= 51 more are in the window.", "none lost")
	demotest.Has(t, demotest.Play(t, demo(), "-fault", "lost"),
		"without resourceVersion 200, 200 200, 200", "with resourceVersion 200, 409 200, 409")
	demotest.Has(t, demotest.Refused(t, demo(), "-fault", "gremlins"), "there are noflush, slow, lost")
}

// The commands of -interactive do what the chapter is about.
func TestInteractive(t *testing.T) {
	demotest.Interactive(t, demo(), "",
		demotest.Typed{Command: "get cm -w", Stays: true},
		demotest.Typed{Command: "create configmap colour", Shows: []string{"ADDED colour"}},
		demotest.Typed{Command: "label cm colour", Shows: []string{"MODIFIED colour"}},
		demotest.Typed{Command: "delete cm colour", Shows: []string{"DELETED colour"}})
}
