// Package cluster gives tests an API server: one per test binary, a namespace per test.
//
//	func TestMain(m *testing.M) { cluster.Main(m) }
//
//	func TestX(t *testing.T) {
//		c := cluster.New(t) // c.Namespace is the test's own
//		...
//	}
//
// The variable CLUSTER chooses the provider as it does for a demo (see internal/lab). It links the standard library, a
// YAML package and goleak; what needs client-go is in internal/testkit/kube.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// Cluster is an API server, with a namespace that belongs to one test.
type Cluster struct {
	*lab.Cluster
	t testing.TB
}

// shared is the binary's one connection, made when the first test asks for it.
var shared struct {
	once    sync.Once
	cluster *lab.Cluster
	err     error
}

// Main runs the tests, closes the cluster if one was used, and fails the binary if a goroutine is left.
func Main(m *testing.M) {
	code := m.Run()
	if c := shared.cluster; c != nil {
		if err := c.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "closing the tests' cluster:", err)
			code = max(code, 1)
		}
	}
	os.Exit(testkit.Settle(code))
}

// Shared returns the binary's cluster with no namespace chosen. Most tests want [New].
func Shared(t testing.TB) *Cluster {
	t.Helper()
	shared.once.Do(func() {
		if testkit.Provider() == testkit.BooksServer {
			shared.err = errors.New(testkit.NoBooksServer)
			return
		}
		shared.cluster, shared.err = lab.Connect(context.Background(), lab.Options{Progress: os.Stderr})
		if c := shared.cluster; c != nil && c.Instance != nil {
			// A demo that a test plays, in this process or as another, joins this control plane.
			os.Setenv(local.SharedEnv, c.Kubeconfig)
		}
	})
	if shared.err != nil {
		t.Fatalf("no cluster for this test: %v", shared.err)
	}
	return &Cluster{Cluster: shared.cluster, t: t}
}

// New returns the cluster with a new namespace, which the end of the test deletes without waiting for it to be gone.
func New(t testing.TB) *Cluster {
	t.Helper()
	own, err := Shared(t).InNamespace(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := own.DeleteNamespace(context.Background()); err != nil {
			t.Logf("cleaning up: %v", err)
		}
	})
	return &Cluster{Cluster: own, t: t}
}

// Private returns a control plane that this test may break (its Instance restarts the API server), with a namespace. It
// takes seconds to start and ends with the test. Its API server has these flags beside the usual ones, each as
// "name=value". A provider that has none skips the test.
func Private(t testing.TB, serverFlags ...string) *Cluster {
	t.Helper()
	testkit.Needs(t, testkit.RestartServer)
	c, err := lab.Connect(t.Context(), lab.Options{Private: true, ServerFlags: serverFlags, Progress: os.Stderr})
	if err != nil {
		t.Fatalf("a control plane for this test: %v", err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("closing the test's control plane: %v", err)
		}
	})
	own, err := c.InNamespace(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	return &Cluster{Cluster: own, t: t}
}
