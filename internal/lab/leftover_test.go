package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/filelock"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// namespaces is an API server that keeps namespaces, and nothing else.
type namespaces struct {
	mu      sync.Mutex
	held    map[string]string            // name to deletionTimestamp
	labels  map[string]map[string]string // of those that were made
	objects map[string][]string          // path to finalizers
}

func (n *namespaces) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	name, one := strings.CutPrefix(r.URL.Path, "/api/v1/namespaces/")
	switch {
	case r.Method == http.MethodPost:
		var made struct {
			Metadata struct {
				Name   string
				Labels map[string]string
			}
		}
		_ = json.NewDecoder(r.Body).Decode(&made)
		n.held[made.Metadata.Name] = ""
		n.labels[made.Metadata.Name] = made.Metadata.Labels
		fmt.Fprint(w, "{}")
	case one && !strings.Contains(name, "/") && n.labels[name] != nil && n.gone(name):
		http.NotFound(w, r)
	case r.Method == http.MethodDelete && one:
		delete(n.held, name)
		fmt.Fprint(w, "{}")
	case r.URL.Path == "/api/v1/namespaces" && r.URL.Query().Get("labelSelector") == runSelector:
		items := []any{}
		for name, deleted := range n.held {
			metadata := map[string]any{"name": name}
			if deleted != "" {
				metadata["deletionTimestamp"] = deleted
			}
			items = append(items, map[string]any{"metadata": metadata})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"items": items})
	case r.Method == http.MethodPatch && n.objects[r.URL.Path] != nil:
		n.objects[r.URL.Path] = nil
		fmt.Fprint(w, "{}")
	case one && strings.HasSuffix(r.URL.Path, "/configmaps"):
		items := []any{}
		for path, finalizers := range n.objects {
			if name, here := strings.CutPrefix(path, r.URL.Path+"/"); here {
				metadata := map[string]any{"name": name, "finalizers": finalizers}
				items = append(items, map[string]any{"metadata": metadata})
			}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"items": items})
	case strings.HasPrefix(r.URL.Path, "/apis/"):
		http.NotFound(w, r) // the kinds are not installed
	default:
		fmt.Fprint(w, `{"gitVersion":"v1.37.1"}`)
	}
}

// gone says whether a namespace is not there. The lock is held.
func (n *namespaces) gone(name string) bool {
	_, there := n.held[name]
	return !there
}

func (n *namespaces) names() (names []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for name := range n.held {
		names = append(names, name)
	}
	return names
}

// serve makes the environment choose an API server with these namespaces, and a folder of the test's own for locks.
func serve(t *testing.T, held map[string]string) *namespaces {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "cfs-test-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("TMPDIR", dir)
	n := &namespaces{held: held, labels: map[string]map[string]string{},
		objects: map[string][]string{}}
	server := httptest.NewTLSServer(n)
	t.Cleanup(server.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	useKubeconfig(t, server.URL, fmt.Sprintf("certificate-authority-data: %q", ca))
	return n
}

// lockOf writes the lock file of a namespace, and holds it if it is told to.
func lockOf(t *testing.T, namespace string, hold bool) (path string) {
	t.Helper()
	path, err := claimPath(namespace)
	require.NoError(t, err)
	held, err := filelock.Try(path)
	require.NoError(t, err)
	if hold {
		t.Cleanup(func() { held.Unlock() })
		return path
	}
	require.NoError(t, held.Unlock())
	return path
}

// A run deletes the namespaces of killed runs of this user: not those of living runs, of others, and of nobody.
func TestARunDeletesWhatKilledRunsLeft(t *testing.T) {
	n := serve(t, map[string]string{"of-a-killed-run": "", "of-a-living-run": "", "of-another-machine": "",
		"terminating": "2026-01-01T00:00:00Z"})
	killed := lockOf(t, "of-a-killed-run", false)
	lockOf(t, "of-a-living-run", true)
	lockOf(t, "terminating", false)

	var b bytes.Buffer
	var own string
	d := Demo{Chapter: "99-test", Title: "a test",
		Steps: []Step{{Title: "Do", Why: "Because.", Run: func(_ context.Context, l *Lab) error {
			own = l.Namespace
			require.False(t, abandoned(own), "the run's own is no leftover")
			require.Len(t, n.names(), 4, "the leftover is deleted, and the run's own made")
			return nil
		}}}}
	require.Zero(t, Run(t.Context(), d, nil, strings.NewReader(""), &b), b.String())
	require.Contains(t, b.String(), "Namespace of-a-killed-run, which a killed run left, is deleted.")
	require.ElementsMatch(t, []string{"of-a-living-run", "of-another-machine", "terminating"}, n.names())
	require.NoFileExists(t, killed)
	path, err := claimPath(own)
	require.NoError(t, err)
	require.NoFileExists(t, path)
}

// What is left in a namespace with a finalizer would keep it for ever. A run frees what it leaves itself, and what
// killed runs have left, also if the deletion of that has begun.
func TestARunFreesWhatHasFinalizers(t *testing.T) {
	n := serve(t, map[string]string{"killed": "", "half": "2026-01-01T00:00:00Z", "living": "2026-01-01T00:00:00Z"})
	for _, name := range []string{"killed", "half", "living"} {
		lockOf(t, name, name == "living")
		n.objects["/api/v1/namespaces/"+name+"/configmaps/a"] = []string{"example.com/a", "example.com/b"}
		n.objects["/api/v1/namespaces/"+name+"/configmaps/b"] = nil
	}
	own := ""
	d := Demo{Chapter: "99-test", Title: "a test",
		Steps: []Step{{Title: "Do", Why: "Because.", Run: func(_ context.Context, l *Lab) error {
			n.mu.Lock()
			defer n.mu.Unlock()
			own = "/api/v1/namespaces/" + l.Namespace + "/configmaps/a"
			n.objects[own] = []string{"example.com/a"}
			return nil
		}}}}
	var b bytes.Buffer
	require.Zero(t, Run(t.Context(), d, nil, strings.NewReader(""), &b), b.String())
	require.NotContains(t, b.String(), "half", "it was deleted before")
	for path, finalizers := range n.objects {
		require.Equal(t, path == "/api/v1/namespaces/living/configmaps/a", finalizers != nil, path)
	}
	require.Contains(t, n.objects, own)
	path, err := claimPath("half")
	require.NoError(t, err)
	require.NoFileExists(t, path)
}

// What stands beside the run's namespace is named after it, is no leftover while the run lives, and goes with it.
func TestNamespacesBeside(t *testing.T) {
	n := serve(t, map[string]string{"of-another": ""})
	var beside string
	d := Demo{Chapter: "99-test", Title: "a test",
		Steps: []Step{{Title: "Do", Why: "Because.", Run: func(ctx context.Context, l *Lab) error {
			deleted, err := l.Beside(ctx, "south", nil)
			require.NoError(t, err)
			n.mu.Lock()
			delete(n.held, deleted) // by the step itself, which is no failure
			n.mu.Unlock()
			beside, err = l.Beside(ctx, "north", map[string]string{"a": "b"})
			require.Equal(t, l.Namespace+"-north", beside)
			require.ElementsMatch(t, []string{"of-another", l.Namespace, beside}, n.names())
			require.Equal(t, map[string]string{"a": "b", runLabel: runValue}, n.labels[beside])
			require.False(t, abandoned(beside))
			return err
		}}}}
	var b bytes.Buffer
	require.Zero(t, Run(t.Context(), d, nil, strings.NewReader(""), &b), b.String())
	require.Equal(t, []string{"of-another"}, n.names())
	path, err := claimPath(beside)
	require.NoError(t, err)
	require.NoFileExists(t, path)
}

// The lock file of a local control plane's namespace names that, so that it can go with it.
func TestALockNamesItsControlPlane(t *testing.T) {
	serve(t, nil)
	for want, c := range map[string]*Cluster{
		"":         {},
		"/run/abc": {Instance: &local.Instance{Plane: plane.Plane{Dir: "/run/abc"}}},
	} {
		held := c.claim("mine")
		require.NotNil(t, held)
		path, err := claimPath("mine")
		require.NoError(t, err)
		require.Equal(t, want, filelock.Read(path))
		release(held, "mine")
		require.NoFileExists(t, path)
	}
}

func TestLeftoversAreNamed(t *testing.T) {
	serve(t, map[string]string{"of-a-killed-run": "", "of-a-living-run": ""})
	lockOf(t, "of-a-killed-run", false)
	lockOf(t, "of-a-living-run", true)
	names, err := Leftovers(t.Context(), os.Getenv("KUBECONFIG"))
	require.NoError(t, err)
	require.Equal(t, []string{"of-a-killed-run"}, names)
}

// Without a folder for locks a run works all the same.
func TestNoPlaceForLocks(t *testing.T) {
	n := serve(t, map[string]string{})
	file := t.TempDir() + "/file"
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	t.Setenv("TMPDIR", file)
	var b bytes.Buffer
	d := Demo{Chapter: "99-test", Title: "a test",
		Steps: []Step{{Title: "Do", Why: "Because.", Run: func(context.Context, *Lab) error { return nil }}}}
	require.Zero(t, Run(t.Context(), d, nil, strings.NewReader(""), &b), b.String())
	require.Empty(t, n.names())
}
